#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace isogon::parallel_test {
namespace {

RunContext with_threads(int threads) {
    RunContext context;
    context.threads = threads;
    return context;
}

class ForThreads : public testing::TestWithParam<int> {
protected:
    RunContext context_ = with_threads(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Parallel, ForThreads, testing::Values(1, 2, 3, 8));

TEST_P(ForThreads, EveryTaskRunsOnce) {
    std::vector<int> runs(1000);
    parallel_tasks(context_, runs.size(), [&](std::size_t task) { ++runs[task]; });
    EXPECT_EQ(runs, std::vector<int>(1000, 1));
}

TEST_P(ForThreads, NoTasksIsNoWork) {
    bool ran = false;
    parallel_tasks(context_, 0, [&](std::size_t) { ran = true; });
    parallel_blocks(context_, 0, 16, [&](Range) { ran = true; });
    EXPECT_FALSE(ran);
    EXPECT_EQ(parallel_sum(context_, 0, 16, [](Range) { return 1.0; }), 0.0);
}

TEST_P(ForThreads, BlocksCoverTheRangeWithoutOverlap) {
    for (const std::size_t count : {1U, 15U, 16U, 17U, 1000U}) {
        std::vector<int> visits(count);
        parallel_blocks(context_, count, 16, [&](Range range) {
            EXPECT_LE(range.size(), 16U);
            for (std::size_t i = range.begin; i < range.end; ++i) {
                ++visits[i];
            }
        });
        EXPECT_EQ(visits, std::vector<int>(count, 1)) << count << " items";
    }
}

TEST_P(ForThreads, AnExceptionReachesTheCallerAsItWasThrown) {
    const auto fail = [](std::size_t task) {
        if (task == 17) {
            throw std::domain_error("task " + std::to_string(task));
        }
    };
    try {
        parallel_tasks(context_, 100, fail);
        FAIL() << "nothing was thrown";
    } catch (const std::domain_error& error) {
        EXPECT_STREQ(error.what(), "task 17");
    }
}

TEST_P(ForThreads, TheNextLoopRunsAfterOneThatThrew) {
    EXPECT_THROW(parallel_tasks(context_, 100, [](std::size_t) { throw std::runtime_error("no"); }),
                 std::runtime_error);
    std::vector<int> runs(100);
    parallel_tasks(context_, runs.size(), [&](std::size_t task) { ++runs[task]; });
    EXPECT_EQ(runs, std::vector<int>(100, 1));
}

/// Terms of very different size and sign, whose sum depends on the order in which they are added.
double term(std::size_t i) {
    const double x = static_cast<double>(i);
    return std::sin(x) * std::pow(10.0, static_cast<double>(i % 13));
}

double sum_of_terms(const RunContext& context) {
    return parallel_sum(context, 10001, 7, [](Range range) {
        double sum = 0.0;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            sum += term(i);
        }
        return sum;
    });
}

TEST_P(ForThreads, ASumHasTheSameBitsForAnyNumberOfThreads) {
    EXPECT_EQ(sum_of_terms(context_), sum_of_terms(with_threads(1)));
}

TEST(Parallel, TheTermsAboveDoDependOnTheOrder) {
    double backwards = 0.0;
    for (std::size_t i = 10001; i-- > 0;) {
        backwards += term(i);
    }
    EXPECT_NE(backwards, sum_of_terms(with_threads(1)));
}

TEST(Parallel, LoopsNest) {
    const auto context = with_threads(3);
    std::vector<double> sums(20);
    parallel_tasks(context, sums.size(), [&](std::size_t task) {
        sums[task] = parallel_sum(context, 100, 9, [](Range range) { return static_cast<double>(range.size()); });
    });
    EXPECT_EQ(sums, std::vector<double>(20, 100.0));
}

TEST(Parallel, BlocksAreCutByTheProblem) {
    EXPECT_EQ(block_count(0, 4), 0U);
    EXPECT_EQ(block_count(8, 4), 2U);
    EXPECT_EQ(block_count(9, 4), 3U);
    EXPECT_EQ(block_range(2, 9, 4).begin, 8U);
    EXPECT_EQ(block_range(2, 9, 4).end, 9U);
}

}  // namespace
}  // namespace isogon::parallel_test
