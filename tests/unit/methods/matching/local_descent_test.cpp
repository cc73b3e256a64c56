#include "methods/matching/local_descent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "isogon/faithful/faithful_path.hpp"
#include "support/faithful_fits.hpp"
#include "support/many_points.hpp"

namespace isogon::local_descent_test {
namespace {

using reference::on_threads;
using support::same_bits;
using ManyPoints = support::ManyPoints;

Embedding fit(const Points& x, const FaithfulOptions& options, const RunContext& context,
              const FitExtras& extras = {}) {
    return faithful(x.view(), options, context, extras);
}

TEST_F(ManyPoints, HaveTheSameBitsForAnyThreadsAndFromACheckpoint) {
    const Points x = many();
    FaithfulOptions more = options();
    more.iterations = 46;  // of which the first 23 are by lists that miss some pairs
    const Embedding one = fit(x, more, on_threads(1));
    EXPECT_TRUE(same_bits(one.coordinates, fit(x, more, on_threads(3)).coordinates));
    Archive saved;
    FitExtras extras;
    extras.checkpoint = [&](const Archive& archive) { saved = archive; };
    std::stop_source source;
    const RunContext context = stopped_after(43, source);
    ASSERT_EQ(fit(x, more, context, extras).summary.termination, Termination::Cancelled);
    ASSERT_FALSE(saved.arrays.empty());
    FitExtras resumed;
    resumed.resume = &saved;
    EXPECT_TRUE(same_bits(one.coordinates, fit(x, more, on_threads(2), resumed).coordinates));
}

TEST_F(ManyPoints, HaveTheSameBitsFromAnyCheckpointOfTheFirstUpdates) {
    const Points x = many();
    FaithfulOptions more = options();
    more.iterations = 64;  // of which the first 32 are by lists that miss some pairs
    std::vector<Archive> saved;
    FitExtras extras;
    extras.checkpoint_seconds = 1e9;
    extras.checkpoint = [&](const Archive& archive) { saved.push_back(archive); };
    const Embedding one = fit(x, more, on_threads(2), extras);
    ASSERT_EQ(saved.size(), 3U);
    for (std::size_t k = 0; k < saved.size(); ++k) {
        EXPECT_EQ(saved[k].array("trace").shape[0], 10 * (k + 1));
        FitExtras resumed;
        resumed.resume = &saved[k];
        EXPECT_TRUE(same_bits(one.coordinates, fit(x, more, on_threads(1), resumed).coordinates)) << k;
    }
}

/// With a threshold of the user's a trial on spheres comes first, by all pairs.
TEST_F(ManyPoints, HaveTheSameBitsFromACheckpointOfTheTrial) {
    const Points x = many();
    FaithfulOptions more = options();
    more.iterations = 8;
    more.threshold = 0.99;
    more.favor = Favor::Neighbors;
    Archive saved;
    FitExtras extras;
    extras.checkpoint = [&](const Archive& archive) { saved = archive; };
    std::stop_source source;
    const RunContext context = stopped_after(2, source);
    ASSERT_EQ(fit(x, more, context, extras).summary.termination, Termination::Cancelled);
    ASSERT_TRUE(saved.has("stage"));
    FitExtras resumed;
    resumed.resume = &saved;
    const Embedding whole = fit(x, more, on_threads(2));
    EXPECT_GT(whole.summary.value("listed_passes"), 0.0);
    EXPECT_TRUE(same_bits(whole.coordinates, fit(x, more, on_threads(2), resumed).coordinates));
}

TEST_F(ManyPoints, SayWhichCheckpointTheyHaveWhereTheFirstUpdatesAreStopped) {
    Archive saved;
    FitExtras extras;
    extras.checkpoint = [&](const Archive& archive) { saved = archive; };
    std::stop_source source;
    const RunContext context = stopped_after(13, source);
    FaithfulOptions more = options();
    more.iterations = 40;
    const Embedding stopped = fit(many(), more, context, extras);
    EXPECT_EQ(stopped.summary.trace.size(), 13U);
    ASSERT_EQ(saved.array("trace").shape[0], 10U);
    EXPECT_NE(stopped.summary.warnings.back().find("of update 10"), std::string::npos);
}

TEST_F(ManyPoints, GiveWhatTheyHaveAndNoCheckpointWhereTheFirstUpdatesAreStopped) {
    Archive saved;
    FitExtras extras;
    extras.checkpoint = [&](const Archive& archive) { saved = archive; };
    std::stop_source source;
    const RunContext context = stopped_after(3, source);
    const Embedding stopped = fit(many(), options(), context, extras);
    EXPECT_EQ(stopped.summary.termination, Termination::Cancelled);
    EXPECT_EQ(stopped.summary.trace.size(), 3U);
    EXPECT_EQ(stopped.coordinates.count(), 30000U);
    EXPECT_TRUE(saved.arrays.empty()) << "what frozen lists hold is in no checkpoint";
    ASSERT_FALSE(stopped.summary.warnings.empty());
    EXPECT_NE(stopped.summary.warnings.back().find("none was written"), std::string::npos);
}

/// A sample of them has one or two of each group, whose angles d numbers cannot hold; of all points they can hold those
/// within the groups.
TEST_F(ManyPoints, InGroupsAreTriedThoughASampleSaysNo) {
    constexpr Index in_a_group = 10;
    const Points centres = reference::random_points(30000 / in_a_group, 16, 5);
    Points x = reference::scaled(reference::random_points(30000, 16, 6), 0.25F);
    for (Index i = 0; i < x.count(); ++i) {
        for (Index k = 0; k < x.dimension(); ++k) {
            x[i][k] += centres[i / in_a_group][k];
        }
    }
    const FaithfulOptions few{.dimension = 10, .neighbors = 6, .iterations = 60};
    Archive saved;
    FitExtras extras;
    extras.checkpoint_seconds = 1e9;
    extras.checkpoint = [&](const Archive& archive) {
        if (saved.arrays.empty()) {
            saved = archive;
        }
    };
    const Embedding fitted = fit(x, few, on_threads(2), extras);
    EXPECT_GT(fitted.summary.value("residual_on_spheres"), FaithfulPath::solvable);
    EXPECT_LT(fitted.summary.value("relative_residual"), most_after_approach);
    EXPECT_GT(fitted.summary.value("kept_neighbors"), 0.9);
    FitExtras resumed;
    resumed.resume = &saved;
    EXPECT_TRUE(same_bits(fitted.coordinates, fit(x, few, on_threads(1), resumed).coordinates));
}

/// Then the path of one threshold begins, also where the run goes on from a checkpoint of the local form.
TEST_F(ManyPoints, AreFittedByOneThresholdWhereTheLocalFormIsTriedInVain) {
    const Points x = reference::random_points(30000, 16, 7);
    const FaithfulOptions few{.dimension = 10, .neighbors = 6, .iterations = 2};
    std::vector<std::string> phases;
    std::optional<Archive> saved;
    const auto tried = [&](const FitExtras& extras) {
        std::stop_source source;
        RunContext context = on_threads(2);
        context.stop = source.get_token();
        phases.clear();
        context.on_iteration = [&](const Progress& progress) {
            if (phases.empty() || phases.back() != progress.phase) {
                phases.push_back(progress.phase);
            }
            if (progress.phase == "matching" && std::ranges::count(phases, "similarities") > 0) {
                source.request_stop();
            }
        };
        return fit(x, few, context, extras);
    };
    FitExtras extras;
    extras.checkpoint_seconds = 1e9;
    extras.checkpoint = [&](const Archive& archive) {
        if (is_of_local_form(&archive)) {
            saved = archive;
        }
    };
    const Embedding stopped = tried(extras);
    EXPECT_EQ(stopped.summary.termination, Termination::Cancelled);
    EXPECT_GT(stopped.summary.value("residual_of_local_form"), most_after_approach);
    EXPECT_EQ(std::ranges::count(phases, "matching"), 2);
    ASSERT_TRUE(saved.has_value());
    FitExtras resumed;
    resumed.resume = &*saved;
    EXPECT_EQ(tried(resumed).summary.value("residual_of_local_form"), stopped.summary.value("residual_of_local_form"));
    EXPECT_EQ(std::ranges::count(phases, "matching"), 2);
}

TEST(DescentByLists, OfManyPointsKeepsFewerPairs) {
    EXPECT_EQ(descent_by_lists(many_points - 1).memory, DescentOptions().memory);
    EXPECT_LT(descent_by_lists(many_points).memory, DescentOptions().memory);
}

}  // namespace
}  // namespace isogon::local_descent_test
