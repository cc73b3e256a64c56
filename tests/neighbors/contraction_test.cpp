#include "neighbors/contraction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/random.hpp"
#include "neighbors/cluster_search.hpp"
#include "reference/point_sets.hpp"

namespace isogon::contraction_test {
namespace {

using reference::on_threads;

constexpr Index count = 600;
constexpr Index dimension = 96;
constexpr Index in_group = 10;

/// Groups in directions at random, some of them four times as far out as others; all of one group are near.
Points groups() {
    const Points places = reference::random_points(count / in_group, dimension, 1);
    Points x(count, dimension);
    for (Index i = 0; i < count; ++i) {
        Random random(2, RandomStream::Test, i);
        const Index group = i % places.count();
        const auto length = static_cast<float>(1 + group % 4);
        std::ranges::transform(places[group], x[i].begin(),
                               [&](float value) { return length * value + static_cast<float>(0.2 * random.normal()); });
    }
    return x;
}

double distance(std::span<const float> a, std::span<const float> b) {
    return std::sqrt(std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(), [](float x, float y) {
        return (double{x} - double{y}) * (double{x} - double{y});
    }));
}

std::vector<Index> all_rows() {
    std::vector<Index> rows(count);
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
}

class ContractionOf : public testing::TestWithParam<Metric> {
protected:
    Points x_ = groups();
    MetricSpace space_{{x_.view(), x_.view(), GetParam()}};
    Contraction contraction_{space_, on_threads(2)};
};

INSTANTIATE_TEST_SUITE_P(Metrics, ContractionOf, testing::Values(Metric::Cosine, Metric::Euclidean));

TEST_P(ContractionOf, PutsNoPairFurtherApart) {
    ASSERT_EQ(contraction_.most_directions(), dimension / 4);
    for (const Index directions : {16U, 24U}) {
        const Points z = contraction_(all_rows(), directions);
        std::vector<float> a(dimension);
        std::vector<float> b(dimension);
        for (Index i = 1; i < count; ++i) {
            space_.prepare_point(i - 1, a);
            space_.prepare_point(i, b);
            EXPECT_LE(distance(z[i - 1], z[i]), distance(a, b) + 1e-5);
        }
    }
}

TEST_P(ContractionOf, CountsTheRowsWithin) {
    constexpr std::array<Index, 2> directions{16, 24};
    constexpr double squared = 0.3;
    const auto rows = all_rows();
    const Points z = contraction_(rows, contraction_.most_directions());
    std::array<double, 2> expected{};
    for (const Index row : rows) {
        for (std::size_t t = 0; t < directions.size(); ++t) {
            const double along = distance(z[row].first(directions[t]), z[7].first(directions[t]));
            expected[t] += along * along <= squared ? 1.0 : 0.0;
        }
    }
    std::array<double, 2> counts{};
    contraction_.count_within(7, squared, rows, directions, counts);
    EXPECT_EQ(counts, expected);
    EXPECT_GT(counts[1], 1.0);
}

TEST_P(ContractionOf, FindsDistancesWithinWhichThereAreKOthers) {
    constexpr Index k = in_group - 1;
    std::vector<Index> rows = contraction_.order({});
    const auto found = contraction_.distances_with_k_within(rows, k, on_threads(2));
    const NeighborLists lists = exact_lists_of(x_.view(), rows, k, GetParam(), on_threads(2));
    Index exact = 0;
    for (Index r = 0; r < count; ++r) {
        const float least = lists.distances_of(r).back();
        ASSERT_GE(found[r], least);
        exact += found[r] == least ? 1 : 0;
    }
    // The others of a group are the nearest in few coordinates, too.
    EXPECT_GE(exact, count * 9 / 10);
    std::ranges::sort(rows);
    EXPECT_EQ(rows, all_rows());
}

TEST_P(ContractionOf, KnowsNoDistanceWhereThereAreTooFewNear) {
    const auto found = contraction_.distances_with_k_within(all_rows(), count - 1, on_threads(1));
    EXPECT_TRUE(std::ranges::all_of(found, [](float value) { return std::isinf(value); }));
}

}  // namespace
}  // namespace isogon::contraction_test
