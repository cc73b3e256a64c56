#include "faithful/neighbors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "faithful/record.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/faithful/faithful.hpp"
#include "isogon/synthetic/generator.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/metric_rows.hpp"
#include "reference/point_sets.hpp"
#include "support/faithful_fits.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::neighbors_test {
namespace {

using reference::on_threads;
using support::same_bits;
using support::faithful_fits::example;
using support::faithful_fits::fit;
using support::faithful_fits::local;

class FaithfulNeighbors : public testing::TestWithParam<Metric> {};

INSTANTIATE_TEST_SUITE_P(Metrics, FaithfulNeighbors, testing::Values(Metric::Cosine, Metric::Euclidean));

TEST_P(FaithfulNeighbors, FindsNeighborsByAnIndexAndSaysHowMany) {
    const Points x = drawn_digits(1500).points;
    const FaithfulOptions options{.seed = 3};
    const auto find = [&](const DistributedPoints& points, SearchKind search, int threads) {
        Summary summary;
        NeighborLists lists =
            neighbors_of_all(points, {.options = options, .k = 12, .metric = GetParam(), .search = search},
                             on_threads(threads), summary);
        EXPECT_EQ(summary.value("exact_neighbors"), search == SearchKind::Auto ? 1.0 : 0.0);
        EXPECT_GT(summary.value("neighbor_recall"), 0.9);
        return lists;
    };
    const NeighborLists exact = find(x.view(), SearchKind::Auto, 2);  // so few are searched exactly
    EXPECT_EQ(exact.indices, exact_neighbors(x.view(), 12, GetParam()).indices);
    const NeighborLists found = find(x.view(), SearchKind::Approximate, 1);
    EXPECT_EQ(found.indices, find(x.view(), SearchKind::Approximate, 3).indices);
    support::ThreadCommunicator::run(2, [&](const Communicator& communicator) {
        const DistributedPoints shared(x.view(), communicator);
        EXPECT_EQ(find(shared, SearchKind::Approximate, 1).indices, found.indices);
    });
}

TEST_P(FaithfulNeighbors, KeepsTheNeighborsThatItIsGiven) {
    const Points x = drawn_digits(400).points;
    const Metric metric = GetParam();
    const NeighborLists nearest = exact_neighbors(x.view(), 12, metric);
    FaithfulOptions options = local(metric, 16);
    options.neighbors.reset();  // twelve, or as many as there are
    const FitExtras same{.neighbors = &nearest};
    const Embedding found = fit(x, options, on_threads(1), same);
    EXPECT_NEAR(found.summary.value("kept_neighbors"), fit(x, options).summary.value("kept_neighbors"), 0.02);
    EXPECT_EQ(found.summary.value("neighbor_recall", -1.0), -1.0) << "nobody knows";
    // The farther six of twelve, in any order and without distances, or with those of another unit.
    NeighborLists farther{.size = 6};
    for (Index i = 0; i < x.count(); ++i) {
        std::ranges::reverse_copy(nearest[i].last(6), std::back_inserter(farther.indices));
    }
    const Embedding kept = fit(x, options, on_threads(1), {.neighbors = &farther});
    NeighborLists sorted = farther;
    for (Index i = 0; i < x.count(); ++i) {
        std::ranges::copy(nearest[i].last(6), sorted.indices.begin() + 6 * i);
        for (int k = 1; k <= 6; ++k) {
            sorted.distances.push_back(static_cast<float>(1000 * k));
        }
    }
    EXPECT_TRUE(same_bits(fit(x, options, on_threads(3), {.neighbors = &sorted}).coordinates, kept.coordinates));
    EXPECT_EQ(kept.summary.value("near_pairs"),
              fit(x, options, on_threads(1), {.neighbors = &sorted}).summary.value("near_pairs"));
    EXPECT_FALSE(same_bits(kept.coordinates, found.coordinates));
    support::ThreadCommunicator::run(2, [&](const Communicator& communicator) {
        const DistributedPoints shared(x.view(), communicator);
        EXPECT_TRUE(
            same_bits(faithful(shared, options, on_threads(1), {.neighbors = &farther}).coordinates, kept.coordinates));
    });
}

void expect_refused(FaithfulOptions options, const std::string& name, const FitExtras& extras = {}) {
    try {
        (void)fit(example(), options, on_threads(1), extras);
        ADD_FAILURE() << name << " was taken";
    } catch (const InvalidArgument& error) {
        EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
}

TEST(FaithfulNeighborsOptions, OutOfBoundsOrWithoutUseAreRefusedByName) {
    expect_refused({.dimension = 5, .neighbors = 150}, "neighbors");
    expect_refused({.dimension = 5, .neighbors = 0}, "neighbors");
    const Points x = example();
    const NeighborLists lists = exact_neighbors(x.view(), 4, Metric::Euclidean);
    const FitExtras given{.neighbors = &lists};
    expect_refused({.dimension = 5, .neighbors = 5}, "at most 4", given);
    const NeighborLists short_lists{.size = 4, .indices = {lists.indices.begin(), lists.indices.end() - 4}};
    expect_refused({.dimension = 5}, "one for each of " + std::to_string(x.count()), {.neighbors = &short_lists});
}

TEST(UnitPoints, HaveChordsThatOrderAsTheMetricDoes) {
    const Points x = example();
    EXPECT_TRUE(unit_points(x.view(), Metric::Euclidean, {}).empty());
    for (const Metric metric : {Metric::Cosine, Metric::Correlation}) {
        const Points units = unit_points(x.view(), metric, {});
        for (Index i = 0; i < 20; ++i) {
            for (Index j = 0; j < i; ++j) {
                const double chord = distance_between(units[i], units[j], Metric::Euclidean);
                EXPECT_NEAR(chord * chord / 2.0, distance_between(x[i], x[j], metric), 1e-6);
            }
        }
    }
}

}  // namespace
}  // namespace isogon::neighbors_test
