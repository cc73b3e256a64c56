#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stop_token>

#include "isogon/core/error.hpp"
#include "isogon/methods/faithful.hpp"
#include "reference/point_sets.hpp"
#include "support/faithful_fits.hpp"

/// Faithful, ended before its end, and gone on with.
namespace isogon::faithful_interruption_test {
namespace {

using reference::on_threads;
using support::all_finite;
using support::expect_lengths_of;
using support::same_bits;
using support::faithful_fits::brief;
using support::faithful_fits::example;
using support::faithful_fits::fit;

/// Stopped by that report among those that `counts`.
template <class Counts>
Embedding stopped_by(int report, const FaithfulOptions& options, const Counts& counts) {
    std::stop_source source;
    RunContext context = on_threads(1);
    context.stop = source.get_token();
    context.on_iteration = [&](const Progress& progress) {
        if (counts(progress) && --report == 0) {
            source.request_stop();
        }
    };
    return faithful(example().view(), options, context);
}

/// Stopped by that report of a phase.
Embedding stopped_in(const std::string& phase, int report, const FaithfulOptions& options) {
    return stopped_by(report, options, [&](const Progress& progress) { return progress.phase == phase; });
}

/// Stopped by that report, whatever its phase.
Embedding stopped_at(int report, const FaithfulOptions& options) {
    return stopped_by(report, options, [](const Progress& /*progress*/) { return true; });
}

TEST(FaithfulInterruption, EndsWithTheBestSoFarWhenStopped) {
    FaithfulOptions options = brief;
    options.dimension = 12;  // enough: the trial goes on as the run
    const Embedding stopped = stopped_in("matching", 35, options);
    EXPECT_EQ(stopped.summary.termination, Termination::Cancelled);
    EXPECT_EQ(stopped.summary.trace.size(), 35U);
    options.iterations = 35;
    const Embedding straight = fit(example(), options);
    EXPECT_EQ(straight.summary.termination, Termination::IterationLimit);
    EXPECT_TRUE(same_bits(stopped.coordinates, straight.coordinates));
}

TEST(FaithfulInterruption, ReadsOffWhatTheRelaxedFormHadReached) {
    FaithfulOptions options = brief;
    options.dimension = 2;
    const Embedding stopped = stopped_in("matching", 42, options);  // 30 of them the trial
    EXPECT_EQ(stopped.summary.value("relaxed"), 1.0);
    EXPECT_EQ(stopped.summary.trace.size(), 42U);
    EXPECT_NE(stopped.summary.message.find("42 updates in the relaxed form"), std::string::npos);
    expect_lengths_of(example(), stopped.coordinates);
    options.iterations = 1;
    EXPECT_FALSE(same_bits(stopped.coordinates, fit(example(), options).coordinates));
    const Embedding directions = stopped_in("similarities", 1, options);
    EXPECT_FALSE(same_bits(stopped.coordinates, directions.coordinates));
}

TEST(FaithfulInterruption, EndsWithTheDirectionsOfSvdWhenStoppedBeforeTheMatching) {
    const Embedding stopped = stopped_in("similarities", 1, brief);
    EXPECT_EQ(stopped.summary.termination, Termination::Cancelled);
    EXPECT_NE(stopped.summary.message.find("svd"), std::string::npos);
    expect_lengths_of(example(), stopped.coordinates);
    FaithfulOptions lifted = brief;
    lifted.output = FaithfulOutput::InnerProduct;
    EXPECT_TRUE(stopped_in("similarities", 1, lifted).coordinates.empty());
}

TEST(FaithfulInterruption, APastTimeLimitGivesNoResultAndReportsIt) {
    RunContext context;
    context.limit_seconds(0.0);
    const Embedding result = faithful(example().view(), brief, context);
    EXPECT_EQ(result.summary.termination, Termination::TimeLimit);
    EXPECT_TRUE(result.coordinates.empty());
}

TEST(FaithfulInterruption, AStopAtAnyReportGivesFiniteCoordinatesOrNone) {
    const Points x = example();
    FaithfulOptions options = brief;
    options.dimension = 2;
    options.tolerance = 0.0;
    int reports = 0;
    int last_update = 0;
    RunContext counting = on_threads(1);
    counting.on_iteration = [&](const Progress& progress) {
        ++reports;
        last_update = progress.phase == "matching" ? reports : last_update;
    };
    (void)faithful(x.view(), options, counting);
    ASSERT_GT(last_update, 10);
    for (int cut = 0; cut < 10; ++cut) {
        const Embedding result = stopped_at(1 + cut * (last_update - 1) / 10, options);
        EXPECT_EQ(result.summary.termination, Termination::Cancelled);
        EXPECT_TRUE(all_finite(result.coordinates));
        if (!result.coordinates.empty()) {
            expect_lengths_of(x, result.coordinates);
        }
    }
}

/// All checkpoints of a run that takes one after each update.
std::vector<Archive> checkpoints_of(const Points& x, const FaithfulOptions& options, Embedding& result) {
    std::vector<Archive> taken;
    FitExtras extras;
    extras.checkpoint_seconds = 0.0;
    extras.checkpoint = [&](const Archive& archive) { taken.push_back(archive); };
    result = fit(x, options, extras);
    return taken;
}

TEST(FaithfulInterruption, ContinuesFromAnyCheckpointToTheSameBits) {
    const Points x = example();
    for (const Favor favor : {Favor::Balanced, Favor::Angles}) {
        FaithfulOptions options = brief;
        options.dimension = 2;
        options.favor = favor;
        Embedding watched;
        const std::vector<Archive> taken = checkpoints_of(x, options, watched);
        const Embedding whole = fit(x, options);
        EXPECT_TRUE(same_bits(whole.coordinates, watched.coordinates));
        ASSERT_EQ(taken.size(), whole.summary.trace.size());
        for (const std::size_t k :
             {std::size_t{0}, std::size_t{28}, std::size_t{29}, std::size_t{30}, std::size_t{41}, taken.size() - 1}) {
            FitExtras extras;
            extras.resume = &taken.at(k);
            const Embedding resumed = faithful(x.view(), options, on_threads(3), extras);
            EXPECT_TRUE(same_bits(whole.coordinates, resumed.coordinates)) << k;
            EXPECT_EQ(whole.summary.message, resumed.summary.message);
        }
    }
}

TEST(FaithfulInterruption, LeavesACheckpointWhenItIsStopped) {
    const Points x = example();
    std::stop_source source;
    RunContext context = on_threads(1);
    context.stop = source.get_token();
    context.on_iteration = [&](const Progress& progress) {
        if (progress.phase == "matching" && progress.done == 7) {
            source.request_stop();
        }
    };
    std::vector<Archive> taken;
    FitExtras extras;
    extras.checkpoint = [&](const Archive& archive) { taken.push_back(archive); };
    (void)faithful(x.view(), brief, context, extras);
    ASSERT_EQ(taken.size(), 1U);
    extras.resume = taken.data();
    EXPECT_TRUE(same_bits(fit(x, brief).coordinates, fit(x, brief, extras).coordinates));
}

TEST(FaithfulInterruption, RefusesACheckpointOfAnotherRun) {
    const Points x = example();
    Embedding result;
    const std::vector<Archive> taken = checkpoints_of(x, brief, result);
    FitExtras extras;
    extras.resume = &taken.front();
    FaithfulOptions other = brief;
    other.favor = Favor::Angles;
    EXPECT_THROW((void)fit(x, other, extras), InputError);
    EXPECT_THROW((void)fit(reference::scaled(x, 2.0F), brief, extras), InputError);
    extras.start = result.coordinates.view();
    EXPECT_THROW((void)fit(x, brief, extras), InputError);
}

}  // namespace
}  // namespace isogon::faithful_interruption_test
