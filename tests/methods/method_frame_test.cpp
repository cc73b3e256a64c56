#include "methods/method_frame.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "isogon/core/run_context.hpp"
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

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

Embedding good_fit() {
    Embedding fitted{.coordinates = Points(3, 2), .summary = {}, .options = {}};
    fitted.barycentric_map = BarycentricMap{.landmarks = {0, 1, 2}, .coordinates = Points(3, 2)};
    fitted.linear_map["center"] = {{2}, std::vector<double>{1.0, 2.0}};
    fitted.nonnegative_map["parts"] = {{1, 2}, std::vector<float>{1.0F, 0.0F}};
    fitted.summary.measure("residual", 0.5);
    fitted.summary.count("iterations", 3.0);
    fitted.summary.trace = {{1, 0.5, 0.1, 0.0}, {2, 0.25, 0.1, 0.0}};
    fitted.summary.message = "done";
    return fitted;
}

TEST(FiniteOrFailed, LeavesAGoodFitAsItIs) {
    const Embedding fitted = finite_or_failed(good_fit());
    EXPECT_TRUE(fitted.summary.usable());
    EXPECT_EQ(fitted.summary.message, "done");
    EXPECT_EQ(fitted.coordinates.count(), 3U);
    EXPECT_EQ(fitted.summary.trace.size(), 2U);
    EXPECT_TRUE(fitted.barycentric_map);
}

TEST(FiniteOrFailed, FailsForAnyNumberThatIsNotFiniteAndNamesIt) {
    using Break = std::function<void(Embedding&)>;
    const std::vector<std::pair<const char*, Break>> breaks{
        {"the coordinates of row 1", [](Embedding& f) { f.coordinates[1][0] = not_a_number; }},
        {"mixed from", [](Embedding& f) { f.barycentric_map->coordinates[2][1] = not_a_number; }},
        {"center",
         [](Embedding& f) {
             f.linear_map["center"] = {{1}, std::vector<double>{infinity}};
         }},
        {"parts",
         [](Embedding& f) {
             f.nonnegative_map["parts"] = {{1}, std::vector<float>{not_a_number}};
         }},
        {"residual", [](Embedding& f) { f.summary.measures[0].second = -infinity; }},
        {"iterations", [](Embedding& f) { f.summary.counts[0].second = infinity; }},
        {"objective", [](Embedding& f) { f.summary.trace[1].objective = infinity; }},
        {"objective", [](Embedding& f) { f.summary.trace[0].change = infinity; }},
    };
    for (const auto& [named, break_it] : breaks) {
        SCOPED_TRACE(named);
        Embedding fitted = good_fit();
        break_it(fitted);
        fitted = finite_or_failed(std::move(fitted));
        EXPECT_EQ(fitted.summary.termination, Termination::NumericalFailure);
        EXPECT_NE(fitted.summary.message.find(named), std::string::npos) << fitted.summary.message;
        EXPECT_TRUE(fitted.coordinates.empty());
        EXPECT_FALSE(fitted.barycentric_map);
        EXPECT_TRUE(fitted.linear_map.empty());
        // Nothing that is left has such a number: a second look finds none.
        fitted.summary.termination = Termination::Converged;
        EXPECT_TRUE(finite_or_failed(std::move(fitted)).summary.usable());
    }
}

TEST(FiniteOrFailed, KeepsTheReasonOfAFitThatHasFailed) {
    Embedding fitted = good_fit();
    fitted.summary.termination = Termination::NumericalFailure;
    fitted.summary.message = "its own";
    fitted.summary.measure("deviation", infinity);
    fitted = finite_or_failed(std::move(fitted));
    EXPECT_EQ(fitted.summary.message, "its own");
    EXPECT_EQ(fitted.summary.measures.size(), 1U);
}

}  // namespace
}  // namespace isogon::method_frame_test
