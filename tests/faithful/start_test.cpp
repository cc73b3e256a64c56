#include "faithful/start.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "distributed/rank_group.hpp"
#include "isogon/core/error.hpp"
#include "linalg/truncated_svd.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/kept_neighbors.hpp"
#include "neighbors/metric_rows.hpp"
#include "reference/point_sets.hpp"
#include "support/embeddings.hpp"
#include "support/faithful_fits.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::start_test {
namespace {

using reference::on_threads;
using support::all_finite;
using support::same_bits;
using support::faithful_fits::example;

double median_of_farthest(const NeighborLists& lists, const PointsView& y) {
    std::vector<double> lengths;
    for (Index i = 0; i < y.count; ++i) {
        lengths.push_back(distance_between(y[i], y[lists[i].back()], Metric::Euclidean));
    }
    std::ranges::nth_element(lengths, lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2));
    return lengths[lengths.size() / 2];
}

TEST(PrincipalComponents, AreProjectionsWhoseNeighborsHaveTheDistancesOfTheLists) {
    const Points x = example();
    const NeighborLists lists = exact_neighbors(x.view(), 6, Metric::Euclidean);
    const Points projection = project(x.view(), truncated_svd(x.view(), 3, true, {}), {});
    const double scale = median_of_farthest(lists, x.view()) / median_of_farthest(lists, projection.view());
    EXPECT_GT(scale, 1.001);
    NeighborLists longer = lists;  // as of a metric whose distances are four times as long
    for (float& distance : longer.distances) {
        distance *= 4.0F;
    }
    const Points start = principal_components(x.view(), lists, 3, 0, on_threads(2));
    const Points of_longer = principal_components(x.view(), longer, 3, 0, {});
    for (std::size_t k = 0; k < projection.values().size(); ++k) {
        const double expected = scale * double{projection.values()[k]};
        EXPECT_NEAR(start.values()[k], expected, 1e-5 * (1.0 + std::abs(expected)));
        EXPECT_NEAR(of_longer.values()[k], 4.0 * expected, 1e-4 * (1.0 + std::abs(expected)));
    }
}

TEST(PrincipalComponents, OfManyPointsHaveTheDirectionsOfASample) {
    const Points x = reference::random_points(100500, 3, 5);
    const NeighborLists lists{
        .size = 1, .indices = std::vector<Index>(100500, 0), .distances = std::vector<float>(100500, 1.0F)};
    const Points one = principal_components(x.view(), lists, 2, 0, on_threads(2));
    EXPECT_EQ(one.count(), 100500U);
    support::ThreadCommunicator::run(2, [&](const Communicator& communicator) {
        const DistributedPoints shared = distributed({x.view(), communicator});
        EXPECT_TRUE(same_bits(one, principal_components(shared, lists, 2, 0, on_threads(1))));
    });
}

class Layouts : public testing::Test {
protected:
    Points x = example();
    NeighborLists lists = exact_neighbors(x.view(), 6, Metric::Euclidean);
    [[nodiscard]] double kept(const Points& y) const {
        return kept_neighbors(lists, x.view(), y.view(), Metric::Euclidean, {}).neighbors;
    }
    [[nodiscard]] double median_radius() const {
        std::vector<float> radii;
        for (Index i = 0; i < x.count(); ++i) {
            radii.push_back(lists.distances_of(i).back());
        }
        std::ranges::nth_element(radii, radii.begin() + 75);
        return double{radii[75]};
    }
};

TEST_F(Layouts, KeepMoreThanPcaAtTheirScale) {
    for (const Index d : {2U, 4U}) {
        const double before = kept(principal_components(x.view(), lists, d, 0, {}));
        const Points y = sampled_layout(x.view(), lists, d, 0, on_threads(1));
        EXPECT_GT(kept(y), before);
        const double expected = layout_expansion * median_radius();
        EXPECT_NEAR(median_of_farthest(lists, y.view()), expected, 1e-4 * expected);
        EXPECT_TRUE(same_bits(y, sampled_layout(x.view(), lists, d, 0, on_threads(3))));
        EXPECT_FALSE(same_bits(y, sampled_layout(x.view(), lists, d, 1, on_threads(1))));
    }
    EXPECT_GT(kept(map_layout({x.view(), lists}, 2, 0, {})), kept(principal_components(x.view(), lists, 2, 0, {})));
}

TEST_F(Layouts, NeedNoPoints) {
    const PointsView nothing(nullptr, x.count(), 0);
    for (const Points& y : {sampled_layout(nothing, lists, 4, 0, {}), map_layout({nothing, lists}, 2, 0, {})}) {
        EXPECT_TRUE(all_finite(y));
        EXPECT_GT(kept(y), 0.3);
    }
}

TEST_F(Layouts, AreFiniteForCopies) {
    for (Index i = 0; i < 60; ++i) {
        std::copy(x[0].begin(), x[0].end(), x[i].begin());
    }
    lists = exact_neighbors(x.view(), 6, Metric::Euclidean);
    EXPECT_TRUE(all_finite(sampled_layout(x.view(), lists, 4, 0, {})));
}

TEST_F(Layouts, EndWithTheContext) {
    RunContext context;
    context.limit_seconds(0.0);
    EXPECT_THROW((void)sampled_layout(x.view(), lists, 4, 0, context), Interruption);
    EXPECT_THROW((void)map_layout({x.view(), lists}, 2, 0, context), Interruption);
}

}  // namespace
}  // namespace isogon::start_test
