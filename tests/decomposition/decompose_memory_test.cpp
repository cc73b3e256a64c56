#include "decomposition/relu_problem.hpp"

#include <gtest/gtest.h>

#include "decomposition/completion.hpp"
#include "decomposition/relu_examples.hpp"
#include "isogon/core/error.hpp"

namespace isogon::decompose_memory_test {
namespace {

constexpr DecompositionSize half_dense{1000, 800, 400000, 0};
constexpr DecompositionSize one_percent{10000, 8000, 800000, 0};

/// The least limit that is enough, to a thousandth.
std::uint64_t need(const DecompositionSize& size, const DecomposeOptions& options, bool starts = true) {
    std::uint64_t low = 1;
    std::uint64_t high = std::uint64_t{1} << 50U;
    while (high - low > high / 1000) {
        RunContext context{.threads = 1};
        context.memory_limit = low + (high - low) / 2;
        try {
            state_memory(size, options, starts, context);
            high = *context.memory_limit;
        } catch (const LimitExceeded&) {
            low = *context.memory_limit;
        }
    }
    return high;
}

TEST(DecomposeMemory, IsOfTheProblem) {
    const support::ReluExample example = support::relu_examples().back();
    const ReluProblem problem = example.problem();
    const DecompositionSize size = size_of(problem);
    EXPECT_EQ(size.rows, example.s.rows());
    EXPECT_EQ(size.columns, example.s.cols());
    EXPECT_EQ(size.entries, static_cast<Offset>((example.s.array() > 0.0).count()));
    EXPECT_EQ(size.known, static_cast<Offset>(example.observed->sum()));
}

TEST(DecomposeMemory, HoldsArraysOfADenseMatrixOnly) {
    EXPECT_TRUE(is_recursive(half_dense, ReluHistory::Auto));
    EXPECT_FALSE(is_recursive(one_percent, ReluHistory::Auto));
    EXPECT_TRUE(is_recursive(one_percent, ReluHistory::Recursive));
    EXPECT_FALSE(is_recursive(half_dense, ReluHistory::LastTwo));
}

TEST(DecomposeMemory, EntriesThatCountAreSomeTimesThoseOfS) {
    EXPECT_GE(active_capacity(one_percent), 2 * one_percent.entries);
    EXPECT_LE(active_capacity(one_percent), 10 * one_percent.entries);
    EXPECT_EQ(active_capacity(half_dense), 800000U);  // no more than there are
}

TEST(DecomposeMemory, CountsTheArraysOfEachAlgorithm) {
    const std::uint64_t array = TileArray::bytes(half_dense.rows, half_dense.columns);
    const auto more = [&](ReluAlgorithm algorithm) {
        DecomposeOptions options{.algorithm = algorithm};
        options.history = ReluHistory::Recursive;
        const std::uint64_t with = need(half_dense, options);
        options.history = ReluHistory::LastTwo;
        return static_cast<double>(with - need(half_dense, options)) / static_cast<double>(array);
    };
    EXPECT_NEAR(more(ReluAlgorithm::Momentum), 4.0, 0.1);
    EXPECT_NEAR(more(ReluAlgorithm::ThreeBlock), 2.0, 0.1);
    EXPECT_NEAR(more(ReluAlgorithm::Em), 1.0, 0.1);
    EXPECT_NEAR(more(ReluAlgorithm::ExtrapolatedBlock), 0.0, 0.1);
}

TEST(DecomposeMemory, CountsTheStartWhereItIsMade) {
    DecomposeOptions nuclear{.algorithm = ReluAlgorithm::ThreeBlock, .start = ReluStart::Nuclear};
    EXPECT_GT(need(half_dense, nuclear), need(half_dense, nuclear, false) + TileArray::bytes(1000, 800));
    EXPECT_GT(need(one_percent, {}), need(one_percent, {}, false));
}

}  // namespace
}  // namespace isogon::decompose_memory_test
