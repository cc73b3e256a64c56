#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/distributed/communicator.hpp"
#include "isogon/distributed/rank_group.hpp"
#include "isogon/faithful/faithful_path.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "unit/faithful/faithful_paths.hpp"

/// How a FaithfulPath ends before its time, is saved, and goes on from that.
namespace isogon::faithful_path_resume_test {
namespace {

using reference::on_threads;
using support::faithful_paths::expect_same;
using support::faithful_paths::Problem;
using support::faithful_paths::solvable;
using support::faithful_paths::unsolvable;

/// Ends the run after that many reports, by its stop token.
class StopAfter {
public:
    explicit StopAfter(int updates) : left_(updates) {
        context_.threads = 2;
        context_.stop = source_.get_token();
        context_.on_iteration = [this](const Progress&) {
            if (--left_ == 0) {
                source_.request_stop();
            }
        };
    }
    StopAfter(const StopAfter&) = delete;
    StopAfter& operator=(const StopAfter&) = delete;
    ~StopAfter() = default;
    [[nodiscard]] const RunContext& context() const { return context_; }

private:
    int left_;
    std::stop_source source_;
    RunContext context_;
};

Archive saved_by(const FaithfulPath& path) {
    Archive archive;
    path.save(archive);
    return archive;
}

enum class Kind { Solvable, Relaxed, DampedSpheres };

class Interrupted : public testing::TestWithParam<std::tuple<Kind, int>> {
protected:
    static Problem problem_of_kind() { return kind() == Kind::Solvable ? solvable(90) : unsolvable(90); }
    static Kind kind() { return std::get<0>(GetParam()); }
    static int updates() { return std::get<1>(GetParam()); }
    static FaithfulPathOptions options() {
        return {.favor = kind() == Kind::DampedSpheres ? Favor::Angles : Favor::Balanced,
                .iterations = 50,
                .tolerance = 1e-4};
    }
};

// Before, at and after the end of the trial, at 30, where the form is chosen.
INSTANTIATE_TEST_SUITE_P(Path, Interrupted,
                         testing::Combine(testing::Values(Kind::Solvable, Kind::Relaxed, Kind::DampedSpheres),
                                          testing::Values(1, 17, 29, 30, 31, 45)));

TEST_P(Interrupted, IsCancelledThereAndContinuesToTheSameBits) {
    const Problem problem = problem_of_kind();
    FaithfulPath whole = problem.path(options(), on_threads(2));
    const Termination end = whole.run();
    const StopAfter stop(updates());
    FaithfulPath first = problem.path(options(), stop.context());
    const Termination cut = first.run();
    if (static_cast<int>(whole.trace().size()) <= updates()) {
        EXPECT_EQ(cut, end);
        return;
    }
    EXPECT_EQ(cut, Termination::Cancelled);
    EXPECT_EQ(static_cast<int>(first.trace().size()), updates());
    FaithfulPath second = problem.path(options(), saved_by(first));
    EXPECT_EQ(second.run(), end);
    expect_same(whole, second);
}

TEST_P(Interrupted, ResumesAsOftenAsNeedBe) {
    const Problem problem = problem_of_kind();
    FaithfulPath whole = problem.path(options(), on_threads(2));
    whole.run();
    const StopAfter stop(updates());
    FaithfulPath first = problem.path(options(), stop.context());
    first.run();
    const StopAfter again(updates());
    FaithfulPath second(problem.s, problem.lengths, support::to_block(problem.start), options(), saved_by(first),
                        again.context());
    second.run();
    FaithfulPath third = problem.path(options(), saved_by(second));
    third.run();
    expect_same(whole, third);
}

/// The communicator of a single rank. It requests a stop in its transfer number `last`, between or within updates: a
/// run on a communicator makes several transfers in each pass.
class StopInTransfer final : public Communicator {
public:
    explicit StopInTransfer(std::uint64_t last) : last_(last) {}
    [[nodiscard]] std::size_t rank() const override { return 0; }
    [[nodiscard]] std::size_t size() const override { return 1; }
    [[nodiscard]] std::uint64_t transfers() const { return transfers_; }
    [[nodiscard]] RunContext context() const {
        return RankGroup(*this).agreeing({.threads = 2, .stop = source_.get_token()});
    }

protected:
    void move(std::span<std::byte> /*bytes*/, std::span<const std::uint64_t> /*begins*/) const override { count(); }
    void shift(std::span<const std::byte> own, std::span<std::byte> received) const override {
        std::ranges::copy(own, received.begin());
        count();
    }

private:
    void count() const {
        if (++transfers_ == last_) {
            source_.request_stop();
        }
    }

    std::uint64_t last_;
    mutable std::uint64_t transfers_ = 0;
    mutable std::stop_source source_;
};

TEST(FaithfulPath, ContinuesToTheSameBitsWhereverItIsStopped) {
    const Problem problem = unsolvable(90);
    const FaithfulPathOptions options{.iterations = 40, .tolerance = 0.0};
    FaithfulPath whole = problem.path(options, on_threads(2));
    EXPECT_EQ(whole.run(), Termination::IterationLimit);
    const StopInTransfer never(0);
    Problem shared = problem;
    shared.s.ranks = RankGroup(never);
    FaithfulPath counted = shared.path(options, never.context());
    const std::uint64_t before = never.transfers();
    EXPECT_EQ(counted.run(), Termination::IterationLimit);
    expect_same(whole, counted);
    const std::uint64_t transfers = never.transfers() - before;
    ASSERT_GT(transfers, 2 * whole.trace().size());  // more than the check before each update
    for (std::uint64_t cut = 1; cut < 12; ++cut) {
        const StopInTransfer stop(before + cut * transfers / 12);
        shared.s.ranks = RankGroup(stop);
        FaithfulPath first = shared.path(options, stop.context());
        EXPECT_EQ(first.run(), Termination::Cancelled);
        EXPECT_LT(first.trace().size(), whole.trace().size());
        FaithfulPath second = problem.path(options, saved_by(first));
        EXPECT_EQ(second.run(), Termination::IterationLimit);
        expect_same(whole, second);
    }
}

TEST(FaithfulPath, PastItsDeadlineEndsInThePassOfTheStart) {
    const Problem problem = unsolvable(60);
    RunContext context = on_threads(2);
    context.limit_seconds(0.0);
    std::optional<Termination> reason;
    try {
        (void)problem.path({}, context);
    } catch (const Interruption& interruption) {
        reason = interruption.reason;
    }
    EXPECT_EQ(reason, Termination::TimeLimit);
}

TEST(FaithfulPath, RefusesASavedStateOfAnotherShape) {
    const Problem problem = solvable(60);
    FaithfulPath path = problem.path({.iterations = 5}, on_threads(1));
    path.run();
    EXPECT_THROW((void)unsolvable(60).path({}, saved_by(path)), InputError);
    EXPECT_THROW((void)solvable(61).path({}, saved_by(path)), InputError);
    EXPECT_THROW((void)problem.path({}, Archive{}), InputError);
    Archive of_no_stage = saved_by(path);
    of_no_stage.arrays.erase("stage");
    of_no_stage.add_count("stage", 3);
    EXPECT_THROW((void)problem.path({}, of_no_stage), InputError);
}

/// A checkpoint of which one number of an array is another.
template <class Number>
Archive with_number(Archive saved, const std::string& name, std::size_t place, Number number) {
    std::get<std::vector<Number>>(saved.arrays.at(name).values).at(place) = number;
    return saved;
}

TEST(FaithfulPath, RefusesASavedStateThatNoRunLeaves) {
    const Problem problem = unsolvable(60);
    FaithfulPath path = problem.path({.iterations = 40, .tolerance = 0.0}, on_threads(1));
    path.run();
    const Archive saved = saved_by(path);
    ASSERT_NE(path.stage(), FaithfulStage::Spheres);
    EXPECT_NO_THROW((void)problem.path({}, saved));
    constexpr double most = std::numeric_limits<double>::max();
    for (const Archive& wrong :
         {with_number(saved, "position", 0, 3.4e38F), with_number(saved, "step.0", 3, -3.4e38F),
          with_number(saved, "trial_residual", 0, -1.0), with_number(saved, "trial_residual", 0, most),
          with_number(saved, "trace", 0, most), with_number(saved, "trial_trace", 2, -most),
          with_number(saved, "stalled", 0, std::uint64_t{2})}) {
        EXPECT_THROW((void)problem.path({}, wrong), InputError);
    }
    Archive narrow = saved;
    narrow.arrays.at("change.0") = Array{{60, 2}, std::vector<float>(120)};
    EXPECT_THROW((void)problem.path({}, narrow), InputError);
}

}  // namespace
}  // namespace isogon::faithful_path_resume_test
