// Properties of every method whose work ranks can share, whatever their number.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/registry/registry.hpp"
#include "support/distributed_copy.hpp"
#include "support/matching_examples.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::ranks_test {
namespace {

std::vector<std::string> that_share() {
    std::vector<std::string> names;
    for (const Method& method : methods()) {
        if (method.distributes_pairs) {
            names.push_back(method.name);
        }
    }
    names.emplace_back("tsm_on_spheres");
    return names;
}

/// The method of that name, or one with another solver.
struct Tested {
    const Method& method;
    OptionValues options;
    Tested(const std::string& name, OptionValues given)
        : method(find_method(name == "tsm_on_spheres" ? "tsm" : name)), options(std::move(given)) {
        if (name == "tsm_on_spheres") {
            options["solver"] = std::string("sphere");
        }
        if (name != "faithful") {
            options["threshold"] = 0.85;
        }
    }
};

OptionValues brief(std::int64_t iterations) {
    return {{"dimension", std::int64_t{4}}, {"iterations", iterations}, {"tolerance", 0.0}};
}

/// Some points have no neighbour above the threshold, and one is zero.
Points example() {
    Points x = support::clustered_points(300, 8, 8, 0.7, 5);
    for (Index k = 0; k < 8; ++k) {
        x[7][k] = 0.0F;
        x[20][k] = k == 0 ? 1.0F : k == 5 ? -2.0F : 0.1F;
        x[201][k] = k == 3 ? -1.0F : 0.0F;
    }
    return x;
}

/// With ranks each has its own points, and nothing of the others.
Embedding fit(const std::string& method, const OptionValues& options, const RankGroup& ranks,
              const RunContext& context = {.threads = 1}, const FitExtras& extras = {}) {
    const support::DistributedCopy own(example().view(), ranks);
    const Tested tested(method, options);
    return tested.method.embed(own.points(), tested.options, context, extras);
}

/// One process.
Embedding fit(const std::string& method, const OptionValues& options, const RunContext& context,
              const FitExtras& extras = {}) {
    const Tested tested(method, options);
    const Method& found = tested.method;
    const Points x = example();
    return found.embed(x.view(), tested.options, context, extras);
}

bool same_bits(const Embedding& a, const Embedding& b) {
    return a.coordinates.count() == b.coordinates.count() &&
           std::equal(a.coordinates.values().begin(), a.coordinates.values().end(), b.coordinates.values().begin(),
                      b.coordinates.values().end());
}

class SharedFit : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Ranks, SharedFit, testing::ValuesIn(that_share()),
                         [](const auto& tested) { return tested.param; });

TEST_P(SharedFit, HasTheBitsAndTheSummaryOfOneProcess) {
    const Embedding alone = fit(GetParam(), brief(6), {.threads = 2});
    ASSERT_EQ(alone.summary.value("isolated") > 0.0, GetParam() != "faithful");
    for (const std::size_t ranks : {2U, 3U}) {
        support::ThreadCommunicator::run(ranks, [&](const Communicator& communicator) {
            const Embedding shared = fit(GetParam(), brief(6), RankGroup(communicator));
            EXPECT_TRUE(same_bits(shared, alone)) << ranks << " ranks";
            EXPECT_EQ(shared.summary.counts, alone.summary.counts);
            EXPECT_EQ(shared.summary.measures, alone.summary.measures);
            EXPECT_EQ(shared.summary.message, alone.summary.message);
            EXPECT_EQ(shared.summary.warnings, alone.summary.warnings);
        });
    }
}

TEST_P(SharedFit, TakesItsOwnOfPointsThatAreAllHere) {
    const Embedding alone = fit(GetParam(), brief(3), {.threads = 2});
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        const Points x = example();
        const Tested tested(GetParam(), brief(3));
        const Embedding shared = tested.method.embed({x.view(), communicator}, tested.options, {.threads = 1}, {});
        EXPECT_TRUE(same_bits(shared, alone));
    });
}

/// The results of three ranks when one of them alone is asked to stop, at a time that `when` knows; they end alike.
std::vector<Embedding> stopped(const std::string& method, std::size_t asked,
                               const std::function<bool(const Progress&)>& when) {
    std::vector<Embedding> ended(3);
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        std::stop_source source;
        RunContext context{.threads = 1};
        context.stop = source.get_token();
        context.on_iteration = [&](const Progress& progress) {
            if (communicator.rank() == asked && when(progress)) {
                source.request_stop();
            }
        };
        ended[communicator.rank()] = fit(method, brief(100), RankGroup(communicator), context);
    });
    for (const Embedding& one : ended) {
        EXPECT_EQ(one.summary.termination, Termination::Cancelled);
        EXPECT_TRUE(same_bits(one, ended[0]));
    }
    return ended;
}

/// A stop of one rank alone while pairs are looked for.
TEST_P(SharedFit, EndsInTheRingOnAllRanks) {
    const std::string phase = GetParam() == "faithful" ? "neighbors" : "similarities";
    for (const Embedding& one :
         stopped(GetParam(), 1, [&](const Progress& progress) { return progress.phase == phase; })) {
        EXPECT_TRUE(one.summary.trace.empty());
    }
}

TEST_P(SharedFit, EndsAfterTheSameUpdateOnAllRanksWhenOneIsAskedTo) {
    const auto in_fifth_update = [](const Progress& progress) {
        return progress.phase == "matching" && progress.done == 5;
    };
    for (const Embedding& one : stopped(GetParam(), 2, in_fifth_update)) {
        EXPECT_EQ(one.summary.trace.size(), 5U);
        EXPECT_FALSE(one.coordinates.empty());
    }
}

TEST_P(SharedFit, IsRefusedWhereRanksHoldDifferentThings) {
    support::ThreadCommunicator::run(3, [&](const Communicator& communicator) {
        Points x = example();
        const Tested tested(GetParam(), brief(5));
        x[17][3] += communicator.rank() == 1 ? 1e-3F : 0.0F;
        try {
            static_cast<void>(tested.method.embed({x.view(), communicator}, tested.options, {.threads = 1}, {}));
            ADD_FAILURE() << "other points were taken";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("rank 1: holds other points"), std::string::npos) << error.what();
        }
        EXPECT_THROW(fit(GetParam(), brief(communicator.rank() == 2 ? 6 : 5), RankGroup(communicator)), InputError);
    });
}

/// Methods that keep checkpoints.
class SharedCheckpoint : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Ranks, SharedCheckpoint, testing::Values("faithful", "tsm_on_spheres"),
                         [](const auto& tested) { return tested.param; });

TEST_P(SharedCheckpoint, GoesOnByAnyOtherNumberOfRanks) {
    const Embedding whole = fit(GetParam(), brief(14), {.threads = 1});
    std::optional<Archive> saved;
    support::ThreadCommunicator::run(2, [&](const Communicator& communicator) {
        std::stop_source source;
        RunContext context{.threads = 1};
        context.stop = source.get_token();
        context.on_iteration = [&](const Progress& progress) {
            if (progress.phase == "matching" && progress.done == 7) {
                source.request_stop();
            }
        };
        FitExtras extras;
        if (communicator.rank() == 0) {
            extras.checkpoint = [&](const Archive& archive) { saved = archive; };
        }
        fit(GetParam(), brief(14), RankGroup(communicator), context, extras);
    });
    ASSERT_TRUE(saved);
    const FitExtras extras{.resume = &*saved};
    EXPECT_TRUE(same_bits(fit(GetParam(), brief(14), {.threads = 1}, extras), whole));
    for (const std::size_t ranks : {4U}) {
        support::ThreadCommunicator::run(ranks, [&](const Communicator& communicator) {
            EXPECT_TRUE(same_bits(fit(GetParam(), brief(14), RankGroup(communicator), {.threads = 1}, extras), whole))
                << ranks << " ranks";
        });
    }
}

}  // namespace
}  // namespace isogon::ranks_test
