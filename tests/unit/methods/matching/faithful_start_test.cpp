#include "methods/matching/faithful_start.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "isogon/core/error.hpp"
#include "isogon/distributed/rank_group.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/neighbors/kept_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/embeddings.hpp"
#include "support/faithful_fits.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::faithful_start_test {
namespace {

using reference::on_threads;
using support::all_finite;
using support::same_bits;
using support::faithful_fits::example;

TEST(PrincipalComponents, AreProjectionsInTheUnitOfTheLists) {
    const Points x = example();
    const NeighborLists lists = exact_neighbors(x.view(), 6, Metric::Euclidean);
    const Points expected = project(x.view(), truncated_svd(x.view(), 3, true, {}), {});
    EXPECT_TRUE(same_bits(principal_components(x.view(), lists, 3, 0, on_threads(2)), expected));
    NeighborLists longer = lists;  // as of a metric whose distances are four times as long
    for (float& distance : longer.distances) {
        distance *= 4.0F;
    }
    const Points of_longer = principal_components(x.view(), longer, 3, 0, {});
    for (std::size_t k = 0; k < expected.values().size(); ++k) {
        EXPECT_NEAR(of_longer.values()[k], 4.0F * expected.values()[k], 1e-4);
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
    [[nodiscard]] double median_distance(const Points& y) const {
        std::vector<double> lengths;
        for (Index i = 0; i < y.count(); ++i) {
            double squared = 0.0;
            for (Index c = 0; c < y.dimension(); ++c) {
                squared += std::pow(double{y[i][c]} - double{y[lists[i].back()][c]}, 2);
            }
            lengths.push_back(std::sqrt(squared));
        }
        std::ranges::nth_element(lengths, lengths.begin() + 75);
        return lengths[75];
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

TEST_F(Layouts, KeepMoreThanPcaInTheUnitOfTheLists) {
    for (const Index d : {2U, 4U}) {
        const double before = kept(principal_components(x.view(), lists, d, 0, {}));
        const Points y = sampled_layout(x.view(), lists, d, 0, on_threads(1));
        EXPECT_GT(kept(y), before);
        EXPECT_NEAR(median_distance(y), median_radius(), 1e-4 * median_radius());
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
}  // namespace isogon::faithful_start_test
