#include "neighbors/pruned_search.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "core/random.hpp"
#include "distributed/rank_group.hpp"
#include "neighbors/cluster_search.hpp"
#include "reference/point_sets.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::pruned_search_test {
namespace {

using reference::on_threads;

constexpr Index count = 4300;
constexpr Index dimension = 112;

/// Points near a subspace of 6 dimensions, in which few directions tell neighbours apart. Lengths differ by a factor of
/// 100; there are copies, multiples and zero vectors.
Points near_subspace(double noise, double shift, std::uint64_t seed) {
    constexpr Index inner = 6;
    Points x(count, dimension);
    const Points directions = reference::random_points(inner, dimension, seed + 1);
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        for (Index a = 0; a < inner; ++a) {
            const double along = random.normal();
            for (Index k = 0; k < dimension; ++k) {
                x[i][k] += static_cast<float>(along * double{directions[a][k]});
            }
        }
        const double length = random.uniform(0.1, 10.0);
        for (float& value : x[i]) {
            value = static_cast<float>(length * (double{value} + noise * random.normal()) + shift);
        }
        if (i % 97 == 5) {
            std::ranges::copy(x[i - 1], x[i].begin());
        }
        if (i % 401 == 7) {
            std::ranges::fill(x[i], 0.0F);
        }
    }
    return x;
}

class PrunedSearch : public testing::TestWithParam<std::tuple<Metric, double, double>> {};

INSTANTIATE_TEST_SUITE_P(Points, PrunedSearch,
                         testing::Combine(testing::Values(Metric::Cosine, Metric::Euclidean),
                                          testing::Values(0.0, 0.05, 0.3), testing::Values(0.0, 40.0)));

TEST_P(PrunedSearch, FindsWhatASearchOfAllPairsFinds) {
    const auto [metric, noise, shift] = GetParam();
    const Points x = near_subspace(noise, shift, 3);
    const auto found = pruned_neighbors(x.view(), 12, metric, on_threads(2));
    ASSERT_TRUE(found.has_value());
    const NeighborLists all = exact_lists_of(x.view(), Range{0, count}, 12, metric, on_threads(2));
    EXPECT_EQ(found->distances, all.distances);
    EXPECT_EQ(found->indices, all.indices);
}

TEST(PrunedSearch, IsLeftWhereItTakesMoreThanAllowed) {
    const Points x = near_subspace(0.05, 0.0, 3);
    constexpr double all_pairs = 0.5 * count * count * dimension;
    const auto found = pruned_neighbors(x.view(), 12, Metric::Cosine, on_threads(2), all_pairs);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->indices, pruned_neighbors(x.view(), 12, Metric::Cosine, on_threads(1))->indices);
    EXPECT_TRUE(pruning_is_cheap(x.view(), 12, Metric::Cosine, all_pairs, on_threads(2)));
    // Every pair costs the time of more than eight multiplications, and no bound tells random points apart.
    const Points random = reference::random_points(count, dimension, 4);
    for (const auto& [points, most] : {std::pair(&x, all_pairs / 14.0), std::pair(&random, 0.5 * all_pairs)}) {
        EXPECT_FALSE(pruned_neighbors(points->view(), 12, Metric::Cosine, on_threads(2), most).has_value());
        EXPECT_FALSE(pruning_is_cheap(points->view(), 12, Metric::Cosine, most, on_threads(2)));
    }
}

TEST(PrunedSearch, HasTheSameBitsForAnyNumberOfThreads) {
    const Points x = near_subspace(0.1, 0.0, 5);
    const auto one = pruned_neighbors(x.view(), 7, Metric::Cosine, on_threads(1));
    const auto three = pruned_neighbors(x.view(), 7, Metric::Cosine, on_threads(3));
    ASSERT_TRUE(one && three);
    EXPECT_EQ(one->indices, three->indices);
    EXPECT_EQ(one->distances, three->distances);
}

TEST(PrunedSearch, IsSharedByRanks) {
    const Points x = near_subspace(0.1, 0.0, 6);
    const auto one = pruned_neighbors(x.view(), 7, Metric::Euclidean, on_threads(1));
    ASSERT_TRUE(one.has_value());
    for (const std::size_t size : {2U, 3U}) {
        support::ThreadCommunicator::run(size, [&](const Communicator& communicator) {
            const RankGroup ranks(communicator);
            const auto shared =
                pruned_neighbors(ranks.of_all(x.view()), 7, Metric::Euclidean, ranks.agreeing(on_threads(1)));
            ASSERT_TRUE(shared.has_value());
            EXPECT_EQ(shared->indices, one->indices);
            EXPECT_EQ(shared->distances, one->distances);
        });
    }
}

TEST(PrunedSearch, IsNotForPointsThatFewDirectionsCannotTellApart) {
    const Points noise = reference::random_points(count, dimension, 1);
    EXPECT_FALSE(pruned_neighbors(noise.view(), 12, Metric::Cosine, on_threads(2)).has_value());
    const Points x = near_subspace(0.0, 0.0, 1);
    EXPECT_FALSE(pruned_neighbors(x.view(), 12, Metric::InnerProduct, on_threads(2)).has_value());
}

TEST(PrunedSearch, EndsWhereTheRunEnds) {
    const RunContext context = reference::cancelled(2);
    const Points x = near_subspace(0.0, 0.0, 1);
    EXPECT_THROW((void)pruned_neighbors(x.view(), 12, Metric::Cosine, context), Interruption);
}

}  // namespace
}  // namespace isogon::pruned_search_test
