#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stop_token>

#include "isogon/core/error.hpp"
#include "isogon/faithful/faithful.hpp"
#include "reference/point_sets.hpp"
#include "support/faithful_fits.hpp"

/// Faithful, ended before its end, and gone on with.
namespace isogon::faithful_interruption_test {
namespace {

using reference::on_threads;
using support::all_finite;
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
    options.dimension = 12;
    const Embedding stopped = stopped_in("matching", 35, options);
    EXPECT_EQ(stopped.summary.termination, Termination::Cancelled);
    EXPECT_EQ(stopped.summary.trace.size(), 35U);
    EXPECT_EQ(stopped.coordinates.count(), example().count());
    const Embedding whole = fit(example(), options);
    EXPECT_LT(stopped.summary.value("relative_residual"), 0.5 * whole.summary.trace.front().objective);
}

TEST(FaithfulInterruption, EndsWithThePrincipalComponentsWhenStoppedBeforeTheFirstUpdate) {
    const Embedding stopped = stopped_in("neighbors", 1, brief);
    EXPECT_EQ(stopped.summary.termination, Termination::Cancelled);
    EXPECT_TRUE(stopped.coordinates.empty());
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
    for (const int d : {2, 4, 8}) {  // a map, a layout and robust stages, squares
        FaithfulOptions options = brief;
        options.dimension = d;
        Embedding watched;
        const std::vector<Archive> taken = checkpoints_of(x, options, watched);
        const Embedding whole = fit(x, options);
        EXPECT_TRUE(same_bits(whole.coordinates, watched.coordinates));
        ASSERT_EQ(taken.size(), whole.summary.trace.size());
        for (std::size_t k = 0; k < taken.size(); k += 1 + taken.size() / 7) {
            FitExtras extras;
            extras.resume = &taken.at(k);
            const Embedding resumed = faithful(x.view(), options, on_threads(3), extras);
            EXPECT_TRUE(same_bits(whole.coordinates, resumed.coordinates)) << d << " " << k;
            EXPECT_EQ(whole.summary.message, resumed.summary.message);
            EXPECT_EQ(whole.summary.trace.size(), resumed.summary.trace.size());
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
    other.neighbors = 5;
    EXPECT_THROW((void)fit(x, other, extras), InputError);
    EXPECT_THROW((void)fit(reference::scaled(x, 2.0F), brief, extras), InputError);
    extras.start = result.coordinates.view();
    EXPECT_THROW((void)fit(x, brief, extras), InputError);
}

}  // namespace
}  // namespace isogon::faithful_interruption_test
