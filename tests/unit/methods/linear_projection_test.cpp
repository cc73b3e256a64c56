#include "methods/linear_projection.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::linear_projection_test {
namespace {

Points example() {
    return support::to_points(support::random_matrix(60, 9, 3));
}

TEST(LinearProjection, StatesItsMemoryBeforeItTakesIt) {
    RunContext context;
    context.memory_limit = 1000;
    try {
        (void)linear_projection(example().view(), 3, false, context);
        FAIL() << "a limit of 1000 bytes was accepted";
    } catch (const LimitExceeded& error) {
        EXPECT_EQ(error.limit_bytes(), 1000U);
        EXPECT_GT(error.needed_bytes(), 1000U);
    }
}

TEST(LinearProjection, EndsCancelledWithoutCoordinates) {
    std::stop_source source;
    source.request_stop();
    RunContext context;
    context.stop = source.get_token();
    const Embedding result = linear_projection(example().view(), 3, false, context);
    EXPECT_EQ(result.summary.termination, Termination::Cancelled);
    EXPECT_TRUE(result.coordinates.empty());
}

TEST(LinearProjection, KeepsAllSquaresInAllDimensions) {
    const Embedding result = linear_projection(example().view(), 9, false, {});
    EXPECT_NEAR(result.summary.value("share_of_squares_kept"), 1.0, 1e-5);
    EXPECT_EQ(result.summary.termination, Termination::Converged);
}

TEST(LinearProjection, SameBitsForAnyNumberOfThreads) {
    RunContext context;
    context.threads = 1;
    const Embedding one = linear_projection(example().view(), 4, true, context);
    for (const int threads : {2, 3}) {
        context.threads = threads;
        const Embedding more = linear_projection(example().view(), 4, true, context);
        EXPECT_TRUE(std::equal(one.coordinates.values().begin(), one.coordinates.values().end(),
                               more.coordinates.values().begin()));
    }
}

}  // namespace
}  // namespace isogon::linear_projection_test
