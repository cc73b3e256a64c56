#include "methods/matching/faithful_record.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "isogon/core/error.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/neighbors/ivf_index.hpp"
#include "isogon/pairs/matching_problem.hpp"
#include "methods/matching/matching_steps.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::faithful_record_test {
namespace {

class FollowPath : public testing::Test {
protected:
    Points x_ = support::clustered_points(150, 20, 8, 0.7, 5);
    std::vector<float> lengths_ = std::vector<float>(150, 1.0F);
    Summary made_{};
    Points unit_ = [this] {
        Points unit = x_;
        set_norms(unit, std::vector<double>(150, 1.0));
        return unit;
    }();
    MatchingProblem problem_ = prepare_matching(unit_.view(), 0.7, false, reference::on_threads(1), made_);

    [[nodiscard]] FollowedPath follow(const FitExtras& extras, const RunContext& context, int iterations = 12) {
        Points start(150, 3);
        for (Index i = 0; i < 150; ++i) {
            std::copy_n(unit_[i].begin(), 3, start[i].begin());
        }
        Checkpoints checkpoints("faithful", {}, x_.view(), extras);
        return follow_path(
            problem_.similarities, lengths_, on_spheres(start.view(), lengths_, 0),
            {.iterations = iterations, .tolerance = 0.0},
            [&](const FaithfulPath& path) { return path.outputs(context); }, checkpoints, context);
    }
};

TEST_F(FollowPath, IsRecordedWithItsEnd) {
    const FollowedPath followed = follow({}, reference::on_threads(1));
    Summary summary;
    record_path(followed, 3, summary);
    EXPECT_EQ(summary.termination, Termination::IterationLimit);
    EXPECT_EQ(summary.trace.size(), followed.path->trace().size());
    EXPECT_EQ(summary.value("relative_residual"), followed.path->descent().relative_residual());
    EXPECT_NE(summary.message.find("updates made"), std::string::npos) << summary.message;
    const bool strained = summary.value("relaxed") + summary.value("strained") > 0.0;
    EXPECT_EQ(summary.message.find("since 3 dimensions cannot hold") != std::string::npos, strained);
}

TEST_F(FollowPath, ResumesFromItsCheckpointsToTheSameBits) {
    std::optional<Archive> saved;
    FitExtras saving;
    saving.checkpoint_seconds = 0.0;
    saving.checkpoint = [&](const Archive& archive) {
        if (!saved) {
            saved = archive;
        }
    };
    const RunContext context = reference::on_threads(1);
    const Points whole = follow(saving, context).path->outputs(context);
    ASSERT_TRUE(saved);
    FitExtras resuming;
    resuming.resume = &*saved;
    const Points resumed = follow(resuming, context).path->outputs(context);
    EXPECT_TRUE(std::equal(whole.values().begin(), whole.values().end(), resumed.values().begin()));
}

TEST_F(FollowPath, LeavesACheckpointWhenItIsInterrupted) {
    int taken = 0;
    FitExtras extras;
    extras.checkpoint_seconds = 1e6;
    extras.checkpoint = [&](const Archive&) { ++taken; };
    std::stop_source stop;
    RunContext context = reference::on_threads(1);
    context.stop = stop.get_token();
    context.on_iteration = [&](const Progress&) { stop.request_stop(); };
    EXPECT_EQ(follow(extras, context).end, Termination::Cancelled);
    EXPECT_EQ(taken, 1);
}

TEST(StateFaithful, CheckpointsTakeASecondCopyOfTheSolver) {
    const Points x(60, 10);
    std::uint64_t need = 0;
    RunContext context = reference::on_threads(1);
    context.on_need = [&](std::uint64_t bytes) { need = bytes; };
    state_faithful(x.view(), {.dimension = 3}, 0.01, false, context);
    const std::uint64_t without = need;
    state_faithful(x.view(), {.dimension = 3}, 0.01, true, context);
    EXPECT_EQ(need, without + FaithfulPath::bytes(60, 60, 3));
    context.memory_limit = 100;
    EXPECT_THROW(state_faithful(x.view(), {.dimension = 3}, 0.01, false, context), LimitExceeded);
}

TEST(StateNeighborsAlone, StatesTheSearchThatIsAskedFor) {
    // Of few points in many numbers the index takes more than an exact search: directions are D^2 work.
    const Points x = reference::random_points(1000, 400, 3);
    FaithfulOptions options{.dimension = 4, .neighbors = 5};
    FitExtras extras;
    const auto is_refused = [&](SearchKind search, std::uint64_t limit) {
        options.search = search;
        RunContext context;
        context.memory_limit = limit;
        try {
            state_neighbors_alone(x.view(), options, 5, extras, context);
        } catch (const LimitExceeded&) {
            return true;
        }
        return false;
    };
    const auto least = [&](SearchKind search) {
        std::uint64_t limit = 1;
        for (std::uint64_t step = std::uint64_t{1} << 40; step > 0; step /= 2) {
            limit += is_refused(search, limit + step) ? step : 0;
        }
        return limit + 1;
    };
    const std::uint64_t exact = exact_neighbors_bytes(1000, 400, 5);
    const std::uint64_t index = IvfIndex::bytes(1000, 400) + neighbor_bytes(1000, 5);
    EXPECT_NE(exact, index);
    EXPECT_EQ(least(SearchKind::Approximate) - least(SearchKind::Exact), index - exact);
    EXPECT_EQ(least(SearchKind::Auto), least(SearchKind::Exact));
    const std::uint64_t with_search = least(SearchKind::Auto);
    const NeighborLists given{.size = 5};
    extras.neighbors = &given;
    EXPECT_EQ(with_search - least(SearchKind::Auto), exact - 2 * neighbor_bytes(1000, 5));
}

}  // namespace
}  // namespace isogon::faithful_record_test
