#include "methods/method_frame.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"

namespace isogon::method_frame_test {
namespace {

TEST(FitSteps, BeginWithOptionsSeedAndThreadsAlone) {
    const Embedding result = unfitted({{"dimension", std::int64_t{3}}}, 7, reference::on_threads(2));
    EXPECT_TRUE(result.coordinates.empty());
    EXPECT_EQ(result.options.at("dimension"), OptionValue(std::int64_t{3}));
    EXPECT_EQ(result.summary.seed, 7U);
    EXPECT_EQ(result.summary.threads, 2);
}

TEST(FitSteps, AnInterruptionSaysWhatThereIs) {
    Embedding result;
    const auto interrupted = [] { throw Interruption(Termination::TimeLimit); };
    run_steps(result, interrupted);
    EXPECT_EQ(result.summary.termination, Termination::TimeLimit);
    EXPECT_EQ(result.summary.message, "ended before there were any coordinates");
    result.coordinates = Points(2, 1);
    run_steps(result, interrupted, "nothing", "the start");
    EXPECT_EQ(result.summary.message, "the start");
}

TEST(FitSteps, WithoutOneTheStepsHaveTheLastWord) {
    Embedding result;
    run_steps(result, [&] { result.summary.message = "done"; });
    EXPECT_EQ(result.summary.termination, Termination::Converged);
    EXPECT_EQ(result.summary.message, "done");
}

}  // namespace
}  // namespace isogon::method_frame_test
