#include "decomposition/decomposition_run.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stop_token>
#include <utility>

namespace isogon::decomposition_run_test {
namespace {

/// A decomposition that goes through given residuals, and may be interrupted in the middle of an update.
class Scripted {
public:
    explicit Scripted(std::vector<double> residuals) : residuals_(std::move(residuals)) {}
    void update() {
        if (iterations_ == interrupted_at) {
            throw Interruption{Termination::TimeLimit};
        }
        ++iterations_;
    }
    [[nodiscard]] int iterations() const { return iterations_; }
    [[nodiscard]] double relative_residual() const { return residuals_.at(static_cast<std::size_t>(iterations_) - 1); }

    int interrupted_at = -1;

private:
    std::vector<double> residuals_;
    int iterations_ = 0;
};

std::vector<double> falling(int count, double ratio) {
    std::vector<double> residuals;
    for (int t = 0; t < count; ++t) {
        residuals.push_back(std::pow(ratio, t));
    }
    return residuals;
}

TEST(DecompositionRun, TracesEveryUpdateWithItsRelativeChange) {
    Scripted state({2.0, 1.0, 1.5});
    std::vector<IterationRecord> trace;
    EXPECT_EQ(run_updates(state, 2, 0.0, {}, trace), Termination::IterationLimit);
    EXPECT_EQ(run_updates(state, 3, 0.0, {}, trace), Termination::IterationLimit);
    ASSERT_EQ(trace.size(), 3U);
    EXPECT_EQ(trace[0].change, 0.0);
    EXPECT_EQ(trace[1].change, -0.5);
    EXPECT_EQ(trace[2].change, 0.5);
    EXPECT_EQ(trace[2].iteration, 3);
    EXPECT_EQ(trace[2].objective, 1.5);
    EXPECT_LE(trace[0].seconds, trace[1].seconds);
    EXPECT_LE(trace[1].seconds, trace[2].seconds);
}

TEST(DecompositionRun, ConvergesAfterTenSmallChangesInARow) {
    std::vector<double> residuals = falling(8, 0.5);
    residuals.resize(40, residuals.back() * 1.0001);
    residuals[12] *= 1.5;  // one large change begins the count anew, and so does the way back
    Scripted state(residuals);
    std::vector<IterationRecord> trace;
    EXPECT_EQ(run_updates(state, 40, 0.01, {}, trace), Termination::Converged);
    EXPECT_EQ(state.iterations(), 24);
}

TEST(DecompositionRun, DoesNotConvergeWithoutATolerance) {
    Scripted state(std::vector<double>(40, 1.0));
    std::vector<IterationRecord> trace;
    EXPECT_EQ(run_updates(state, 40, 0.0, {}, trace), Termination::IterationLimit);
}

TEST(DecompositionRun, EndsOnAResidualThatIsNotFinite) {
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        Scripted state({1.0, bad, 1.0});
        std::vector<IterationRecord> trace;
        EXPECT_EQ(run_updates(state, 3, 0.0, {}, trace), Termination::NumericalFailure);
        EXPECT_EQ(state.iterations(), 2);
        EXPECT_EQ(trace.size(), 1U);
    }
}

TEST(DecompositionRun, EndsWithTheReasonOfAnInterruption) {
    Scripted state(falling(9, 0.9));
    state.interrupted_at = 4;
    std::vector<IterationRecord> trace;
    EXPECT_EQ(run_updates(state, 9, 0.0, {}, trace), Termination::TimeLimit);
    EXPECT_EQ(trace.size(), 4U);
}

TEST(DecompositionRun, MakesNoUpdateOnceStopped) {
    std::stop_source source;
    source.request_stop();
    RunContext context;
    context.stop = source.get_token();
    Scripted state(falling(9, 0.9));
    std::vector<IterationRecord> trace;
    EXPECT_EQ(run_updates(state, 9, 0.0, context, trace), Termination::Cancelled);
    EXPECT_EQ(state.iterations(), 0);
}

TEST(DecompositionRun, MakesNoMoreUpdatesThanAskedFor) {
    Scripted state(falling(9, 0.9));
    std::vector<IterationRecord> trace;
    run_updates(state, 5, 0.0, {}, trace);
    EXPECT_EQ(run_updates(state, 3, 0.0, {}, trace), Termination::IterationLimit);
    EXPECT_EQ(state.iterations(), 5);
}

TEST(RelativeTo, IsARootThatKnowsZeroAndRounding) {
    EXPECT_EQ(relative_to(4.0, 1.0), 0.5);
    EXPECT_EQ(relative_to(4.0, -1e-20), 0.0);
    EXPECT_EQ(relative_to(0.0, 1.0), 0.0);
}

}  // namespace
}  // namespace isogon::decomposition_run_test
