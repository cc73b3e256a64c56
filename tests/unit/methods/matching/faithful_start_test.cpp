#include "methods/matching/faithful_start.hpp"

#include <gtest/gtest.h>

#include "isogon/distributed/rank_group.hpp"
#include "isogon/linalg/truncated_svd.hpp"
#include "isogon/pairs/matching_problem.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::faithful_start_test {
namespace {

/// Of standard deviations 1, 2, ... along the axes.
Points stretched_points(Index count, Index dimension) {
    Points x = reference::random_points(count, dimension, 5);
    for (Index i = 0; i < count; ++i) {
        for (Index k = 0; k < dimension; ++k) {
            x[i][k] *= static_cast<float>(k + 1);
        }
    }
    return x;
}

TEST(StartDirections, AreThoseOfAllPointsOrOfASample) {
    constexpr Index d = 3;
    for (const Index count : {2000U, 100500U}) {
        const Points x = stretched_points(count, 5);
        const auto all = truncated_svd(x.view(), d, false, reference::on_threads(2)).directions;
        const auto found = start_directions(x.view(), d, 0, reference::on_threads(2)).directions;
        bool are_same = true;
        for (std::size_t a = 0; a < d; ++a) {
            double cosine = 0.0;
            for (std::size_t k = 0; k < 5; ++k) {
                cosine += found(k, a) * all(k, a);
                are_same = are_same && found(k, a) == all(k, a);
            }
            EXPECT_GT(cosine, 0.9999) << count;
        }
        EXPECT_EQ(are_same, count == 2000U);
        EXPECT_EQ(start_bytes(count, 5, d),
                  (are_same ? 0U : 100000U * 5U * 4U) + truncated_svd_bytes(std::min(count, 100000U), 5, d));
        support::ThreadCommunicator::run(2, [&](const Communicator& communicator) {
            const RankGroup ranks(communicator);
            const auto shared =
                start_directions(distributed(ranks.of_all(x.view())), d, 0, ranks.agreeing(reference::on_threads(1)));
            for (std::size_t a = 0; a < d; ++a) {
                for (std::size_t k = 0; k < 5; ++k) {
                    ASSERT_EQ(shared.directions(k, a), found(k, a));
                }
            }
        });
    }
}

TEST(TsmStart, IsOfTheDimensionAndCanBeCancelled) {
    const Points x = support::clustered_points(150, 20, 8, 0.7, 5);
    const FaithfulOptions options{.dimension = 3};
    RunContext context = reference::on_threads(1);
    Summary summary;
    const MatchingProblem problem = prepare_matching(x.view(), 0.7, false, context, summary);
    const Points projections = project(x.view(), truncated_svd(x.view(), 3, context), context);
    const Points start = tsm_start(problem.similarities, projections, options, context);
    EXPECT_EQ(start.count(), 150U);
    EXPECT_EQ(start.dimension(), 3U);
    std::stop_source stop;
    stop.request_stop();
    context.stop = stop.get_token();
    EXPECT_THROW((void)tsm_start(problem.similarities, projections, options, context), Interruption);
}

}  // namespace
}  // namespace isogon::faithful_start_test
