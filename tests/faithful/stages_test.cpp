#include "faithful/stages.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <stop_token>

#include "isogon/core/error.hpp"
#include "linalg/truncated_svd.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/embeddings.hpp"
#include "support/faithful_fits.hpp"
#include "support/sanitizers.hpp"

namespace isogon::stages_test {
namespace {

using reference::on_threads;
using support::same_bits;

class Stages : public testing::Test {
protected:
    Points x = support::faithful_fits::example();
    NeighborLists lists = exact_neighbors(x.view(), 6, Metric::Euclidean);

    [[nodiscard]] StageEnd run(const FaithfulStage& stage, const StageStart& start, const RunContext& context,
                               const FitExtras& extras = {}) const {
        Checkpoints checkpoints("faithful", {}, x.view(), extras);
        return run_stage({lists, {}, [](const Points& y) { return y; }, checkpoints, context}, stage, start,
                         extras.resume);
    }
    [[nodiscard]] Points pca(Index d) const { return project(x.view(), truncated_svd(x.view(), d, true, {}), {}); }
};

TEST_F(Stages, OfSquaresAreGivenUpWherePointsAreCrowded) {
    const StageEnd crowded = run({.name = "squares", .updates = 100}, {.coordinates = pca(2)}, on_threads(1));
    EXPECT_TRUE(crowded.crowded);
    EXPECT_EQ(crowded.trace.size(), static_cast<std::size_t>(faithful_settings().updates_to_decide));
    EXPECT_GT(crowded.relative_residual, faithful_settings().crowded);
    const StageEnd enough = run({.name = "squares", .updates = 100}, {.coordinates = pca(12)}, on_threads(1));
    EXPECT_FALSE(enough.crowded);
    EXPECT_GE(enough.trace.size(), 100U);
    const StageEnd robust = run({.name = "robust", .robust_step = 0.1, .updates = 40},
                                {.number = 1, .coordinates = pca(2), .squares = 9.0}, on_threads(1));
    EXPECT_FALSE(robust.crowded);
}

TEST_F(Stages, OfSquaresGoOnWhileTheResidualFalls) {
    const FaithfulSettings& settings = faithful_settings();
    const auto residual_falls = [&](const StageEnd& end, std::size_t updates) {
        const auto before = updates - static_cast<std::size_t>(settings.updates_to_judge);
        return end.trace[updates - 1].objective <= settings.falling * end.trace[before - 1].objective;
    };
    struct Case {
        Index dimension;
        int updates;
        bool falls;
    };
    for (const auto& [dimension, updates, falls] : {Case{12, 60, true}, Case{5, 150, false}}) {
        const StageStart start{.coordinates = pca(dimension)};
        const auto limit = static_cast<std::size_t>(updates);
        const StageEnd end = run({.name = "squares", .updates = updates}, start, on_threads(1));
        ASSERT_GE(end.trace.size(), limit);
        EXPECT_EQ(residual_falls(end, limit), falls);
        EXPECT_EQ(end.trace.size(), falls ? 2 * limit : limit);
        const StageEnd brief = run({.name = "squares", .updates = settings.updates_to_judge}, start, on_threads(1));
        EXPECT_LE(brief.trace.size(), static_cast<std::size_t>(settings.updates_to_judge));
        const StageEnd robust = run({.name = "robust", .robust_step = 0.1, .updates = updates},
                                    {.number = 1, .coordinates = pca(dimension)}, on_threads(1));
        EXPECT_LE(robust.trace.size(), limit);
    }
}

TEST_F(Stages, GoOnFromAnyCheckpointToTheSameBits) {
    for (const int number : {0, 1}) {
        const FaithfulStage stage{.name = "stage",
                                  .targets = number == 0 ? NearTargets::Distances : NearTargets::Ranks,
                                  .robust_step = number == 0 ? std::numeric_limits<double>::infinity() : 0.1,
                                  .updates = 60};
        const StageStart start{.number = number, .coordinates = pca(8), .squares = 0.5, .trace = {{1, 2.0, 0.5, 0.1}}};
        std::vector<Archive> taken;
        FitExtras extras{.checkpoint = [&](const Archive& archive) { taken.push_back(archive); },
                         .checkpoint_seconds = 0.0};
        const StageEnd whole = run(stage, start, on_threads(1), extras);
        ASSERT_EQ(taken.size(), whole.trace.size());
        for (const std::size_t k :
             {std::size_t{0}, std::size_t{28}, std::size_t{29}, std::size_t{30}, std::size_t{50}}) {
            const StageStart at = stage_start_in(taken[k], x.count(), 8);
            EXPECT_EQ(at.number, number);
            EXPECT_EQ(at.squares, 0.5);
            EXPECT_EQ(at.trace.size(), 1U);
            EXPECT_TRUE(same_bits(at.coordinates, start.coordinates));
            const StageEnd rest = run(stage, at, on_threads(3), {.resume = &taken[k]});
            EXPECT_TRUE(same_bits(whole.coordinates, rest.coordinates)) << k;
            EXPECT_EQ(whole.trace.size(), rest.trace.size());
        }
    }
}

TEST_F(Stages, RefuseDamagedCheckpoints) {
    std::optional<Archive> saved;
    const FitExtras extras{.checkpoint = [&](const Archive& archive) { saved = archive; }, .checkpoint_seconds = 0.0};
    (void)run({.name = "squares", .updates = 5}, {.coordinates = pca(8)}, on_threads(1), extras);
    ASSERT_TRUE(saved);
    EXPECT_THROW((void)stage_start_in(*saved, x.count(), 7), InputError);
    EXPECT_THROW((void)stage_start_in({}, x.count(), 8), InputError);
}

TEST_F(Stages, LeaveACheckpointWhenTheyAreStopped) {
    int taken = 0;
    const FitExtras extras{.checkpoint = [&](const Archive&) { ++taken; }, .checkpoint_seconds = 1e6};
    std::stop_source stop;
    RunContext context = on_threads(1);
    context.stop = stop.get_token();
    context.on_iteration = [&](const Progress& progress) {
        EXPECT_EQ(progress.total, 50U);
        if (progress.done == 7) {
            stop.request_stop();
        }
    };
    const StageEnd end = run({.name = "squares", .updates = 50}, {.coordinates = pca(8)}, context, extras);
    EXPECT_EQ(end.termination, Termination::Cancelled);
    EXPECT_EQ(end.trace.size(), 7U);
    EXPECT_EQ(taken, 1);
}

// Many points are fitted in spatial order, their first updates by lists that miss some pairs.
TEST(StagesOfManyPoints, GoOnFromACheckpointOfTheFirstUpdates) {
    if (support::under_a_sanitizer()) {
        GTEST_SKIP() << "minutes; the lists are sanitized with fewer points";
    }
    const Points x = reference::random_points(many_points, 4, 3);
    const NeighborLists lists = exact_neighbors(x.view(), 5, Metric::Euclidean, on_threads(2));
    const StageStart start{.coordinates = project(x.view(), truncated_svd(x.view(), 4, true, {}), {})};
    Points moved = start.coordinates;
    for (float& value : moved.values()) {
        value *= 1.01F;
    }
    const FaithfulStage stage{.name = "squares", .updates = 80};
    std::vector<Archive> taken;
    const FitExtras saving{.checkpoint = [&](const Archive& archive) { taken.push_back(archive); },
                           .checkpoint_seconds = 1e6};
    const auto go = [&](const FitExtras& extras) {
        Checkpoints checkpoints("faithful", {}, x.view(), extras);
        const RunContext context = on_threads(2);
        return run_stage({lists, {}, [](const Points& y) { return y; }, checkpoints, context}, stage,
                         {.coordinates = moved}, extras.resume);
    };
    const StageEnd whole = go(saving);
    ASSERT_FALSE(taken.empty());
    EXPECT_TRUE(same_bits(whole.coordinates, go({.resume = &taken.front()}).coordinates));
    EXPECT_LT(whole.relative_residual, 1e-2);
}

TEST(StagesOfManyPoints, AreGivenUpSoonWhereTheyAreSurelyCrowded) {
    if (support::under_a_sanitizer()) {
        GTEST_SKIP() << "minutes; the lists are sanitized with fewer points";
    }
    const Points x = reference::random_points(many_points, 12, 3);
    const NeighborLists lists = exact_neighbors(x.view(), 5, Metric::Euclidean, on_threads(2));
    Checkpoints checkpoints("faithful", {}, x.view(), {});
    const RunContext context = on_threads(2);
    const FitInProgress fit{lists, {}, [](const Points& y) { return y; }, checkpoints, context};
    const FaithfulStage stage{.name = "squares", .updates = 100};
    const StageStart start{.coordinates = project(x.view(), truncated_svd(x.view(), 2, true, {}), {})};
    const StageEnd end = run_stage(fit, stage, start, nullptr);
    EXPECT_TRUE(end.crowded);
    EXPECT_EQ(end.trace.size(), static_cast<std::size_t>(faithful_settings().updates_to_decide / 3));
    EXPECT_GT(end.relative_residual, faithful_settings().surely_crowded);
}

}  // namespace
}  // namespace isogon::stages_test
