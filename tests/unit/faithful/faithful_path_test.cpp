#include "isogon/faithful/faithful_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>

#include "isogon/core/error.hpp"
#include "isogon/distributed/communicator.hpp"
#include "isogon/distributed/rank_group.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::faithful_path_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

/// S, lengths, and a start on the spheres.
struct Problem {
    Similarities s;
    std::vector<float> lengths;
    Matrix start;

    Problem(const Matrix& x, double tau, const Matrix& directions)
        : s(thresholded_similarities(support::to_points(x).view(), tau, {})), start(directions) {
        start.rowwise().normalize();
        for (Eigen::Index i = 0; i < x.rows(); ++i) {
            lengths.push_back(static_cast<float>(x.row(i).norm()));
            start.row(i) *= x.row(i).norm();
        }
    }

    [[nodiscard]] FaithfulPath path(const FaithfulPathOptions& options, RunContext context) const {
        return {s, lengths, support::to_block(start), options, std::move(context)};
    }
    [[nodiscard]] FaithfulPath path(const FaithfulPathOptions& options, const Archive& saved) const {
        return {s, lengths, support::to_block(start), options, saved, on_threads(3)};
    }
};

/// Points in a space of 4 dimensions within one of 9, started near: 4 numbers hold them exactly.
Problem solvable(Index count = 120) {
    const Matrix flat = to_matrix(support::clustered_points(count, 4, 20, 0.6, 1));
    const Matrix x = flat * support::random_orthonormal(9, 4, 2).transpose();
    return {x, 0.6, flat + 0.3 * support::random_matrix(count, 4, 3)};
}

/// Points in all directions of 12 dimensions, to be held by 2 numbers each.
Problem unsolvable(Index count = 120) {
    const Matrix x = to_matrix(support::clustered_points(count, 12, count, 0.1, 4));
    return {x, 0.3, x.leftCols(2)};
}

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

void expect_same(const FaithfulPath& a, const FaithfulPath& b) {
    EXPECT_EQ(a.stage(), b.stage());
    EXPECT_EQ(a.trial_residual(), b.trial_residual());
    EXPECT_EQ(to_matrix(a.descent().position()), to_matrix(b.descent().position()));
    EXPECT_EQ(to_matrix(a.outputs({})), to_matrix(b.outputs({})));
    const auto first = a.trace();
    const auto second = b.trace();
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(first[i].iteration, second[i].iteration);
        EXPECT_EQ(first[i].objective, second[i].objective);
        EXPECT_EQ(first[i].change, second[i].change);
    }
}

TEST(FaithfulPath, IsOneAndTheSameWhereTheEquationIsSolvableWhateverIsFavored) {
    const Problem problem = solvable();
    FaithfulPath angles = problem.path({.favor = Favor::Angles, .iterations = 60}, on_threads(2));
    EXPECT_LT(angles.trial_residual(), 0.0);
    angles.run();
    EXPECT_EQ(angles.stage(), FaithfulStage::Spheres);
    EXPECT_GE(angles.trial_residual(), 0.0);
    EXPECT_LE(angles.trial_residual(), FaithfulPath::solvable);
    EXPECT_EQ(angles.trial_residual(), angles.trace()[FaithfulPath::trial - 1].objective);
    for (const Favor favor : {Favor::Balanced, Favor::Neighbors}) {
        FaithfulPath other = problem.path({.favor = favor, .iterations = 60}, on_threads(2));
        other.run();
        expect_same(angles, other);
    }
}

TEST(FaithfulPath, LeavesTheTrialWhereTheEquationIsNotSolvable) {
    const Problem problem = unsolvable();
    std::vector<double> reached;
    for (const Favor favor : {Favor::Angles, Favor::Balanced, Favor::Neighbors}) {
        FaithfulPath path = problem.path({.favor = favor, .iterations = 60}, on_threads(2));
        path.run();
        EXPECT_EQ(path.stage(), favor == Favor::Angles ? FaithfulStage::DampedSpheres : FaithfulStage::Relaxed);
        EXPECT_EQ(path.form(), favor == Favor::Angles ? FaithfulForm::Spheres : FaithfulForm::Relaxed);
        EXPECT_GT(path.trial_residual(), FaithfulPath::solvable);
        EXPECT_EQ(path.trial_residual(), path.trace()[FaithfulPath::trial - 1].objective);
        EXPECT_EQ(to_matrix(path.outputs({})).rows(), problem.start.rows());
        EXPECT_EQ(to_matrix(path.outputs({})).cols(), problem.start.cols());
        reached.push_back(path.descent().relative_residual());
    }
    EXPECT_LT(reached[1], reached[0]);
    EXPECT_LT(reached[2], reached[1]);  // the looser tie
}

TEST(FaithfulPath, BeginsAnewFromItsStart) {
    const Problem problem = unsolvable(60);
    FaithfulPath path = problem.path({.iterations = 20, .tolerance = 0.0}, on_threads(1));
    path.run();
    FaithfulObjective objective(problem.s, problem.lengths, {.form = FaithfulForm::Relaxed});
    FaithfulDescent descent(objective, objective.start_from(support::to_block(problem.start)), {.tolerance = 0.0},
                            on_threads(1));
    descent.run_to(20);
    EXPECT_EQ(to_matrix(path.descent().position()), to_matrix(descent.position()));
}

TEST(FaithfulPath, TakesTheBalanceThatIsAskedForAndElseItsOwn) {
    const Problem problem = unsolvable(60);
    const auto reached = [&](Favor favor, std::optional<double> off_support_weight) {
        FaithfulPath path =
            problem.path({.favor = favor, .off_support_weight = off_support_weight, .iterations = 40}, on_threads(2));
        path.run();
        return to_matrix(path.outputs({}));
    };
    EXPECT_EQ(reached(Favor::Balanced, {}), reached(Favor::Balanced, 1.0));
    EXPECT_NE(reached(Favor::Balanced, {}), reached(Favor::Balanced, 0.5));
    EXPECT_NE(reached(Favor::Angles, {}), reached(Favor::Angles, 1.0));
}

TEST(FaithfulPath, KeepsItsLengthsWhenStrained) {
    const Problem problem = unsolvable(60);
    FaithfulPath path = problem.path({.favor = Favor::Angles, .iterations = 40}, on_threads(2));
    path.run();
    const std::vector<double> reached = norms(path.outputs({}).view());
    for (std::size_t i = 0; i < reached.size(); ++i) {
        EXPECT_NEAR(reached[i], double{problem.lengths[i]}, 1e-6 * double{problem.lengths[i]});
    }
}

TEST(FaithfulPath, HasOutputsOfTheInputsLengthsOnTheSpheres) {
    const Problem problem = solvable();
    FaithfulPath path = problem.path({.iterations = 40}, on_threads(2));
    path.run();
    const std::vector<double> reached = norms(path.outputs({}).view());
    for (std::size_t i = 0; i < reached.size(); ++i) {
        EXPECT_NEAR(reached[i], double{problem.lengths[i]}, 1e-6 * double{problem.lengths[i]});
    }
}

TEST(FaithfulPath, HasLiftedOutputsWhoseProductsAreItsMatrix) {
    for (const Problem& problem : {solvable(60), unsolvable(60)}) {
        FaithfulPath path = problem.path({.iterations = 40}, on_threads(2));
        path.run();
        const Matrix lifted = to_matrix(path.lifted_outputs());
        const Eigen::Index d = problem.start.cols();
        ASSERT_EQ(lifted.cols(), d + 1);
        const Matrix y = lifted.leftCols(d);
        const Eigen::VectorXd last = lifted.col(d);
        const FaithfulObjective objective(problem.s, problem.lengths, {.form = path.form()});
        const Matrix l = to_matrix(objective.matrix(path.descent().position()));
        EXPECT_LT(support::difference(y * y.transpose() - last * last.transpose(), l), 1e-5);
        // And L is what the residual is of: S on the support, at most 0 off it.
        const Matrix s = to_matrix(problem.s);
        Matrix misfit = (s.array() != 0.0).select(l - s, l.cwiseMax(0.0));
        if (path.form() == FaithfulForm::Spheres) {
            misfit.diagonal().setZero();
        }
        EXPECT_NEAR(misfit.norm() / s.norm(), path.descent().relative_residual(), 1e-4);
    }
}

TEST(FaithfulPath, IsTheSameBitsForAnyNumberOfThreads) {
    for (const Problem& problem : {solvable(), unsolvable()}) {
        FaithfulPath one = problem.path({.iterations = 45}, on_threads(1));
        const Termination end = one.run();
        for (const int threads : {2, 3}) {
            FaithfulPath more = problem.path({.iterations = 45}, on_threads(threads));
            EXPECT_EQ(more.run(), end);
            expect_same(one, more);
        }
    }
}

TEST(FaithfulPath, RunTwiceIsRunOnce) {
    for (const Problem& problem : {solvable(60), unsolvable(60)}) {
        FaithfulPath once = problem.path({.iterations = 45}, on_threads(2));
        FaithfulPath twice = problem.path({.iterations = 45}, on_threads(2));
        const Termination end = once.run();
        twice.run();
        EXPECT_EQ(twice.run(), end);
        expect_same(once, twice);
    }
}

TEST(FaithfulPath, TracesBothFormsAsOneRun) {
    const Problem problem = unsolvable(60);
    FaithfulPath path = problem.path({.iterations = 40, .tolerance = 0.0}, on_threads(2));
    EXPECT_EQ(path.run(), Termination::IterationLimit);
    const auto trace = path.trace();
    ASSERT_EQ(trace.size(), FaithfulPath::trial + 40U);
    for (std::size_t i = 0; i < trace.size(); ++i) {
        EXPECT_EQ(trace[i].iteration, static_cast<int>(i) + 1);
        EXPECT_GE(trace[i].seconds, i == 0 ? 0.0 : trace[i - 1].seconds);
    }
}

enum class Kind { Solvable, Relaxed, DampedSpheres };

class Interrupted : public testing::TestWithParam<std::tuple<Kind, int>> {
protected:
    static Problem problem() { return kind() == Kind::Solvable ? solvable(90) : unsolvable(90); }
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
    const Problem p = problem();
    FaithfulPath whole = p.path(options(), on_threads(2));
    const Termination end = whole.run();
    const StopAfter stop(updates());
    FaithfulPath first = p.path(options(), stop.context());
    const Termination cut = first.run();
    if (static_cast<int>(whole.trace().size()) <= updates()) {
        EXPECT_EQ(cut, end);
        return;
    }
    EXPECT_EQ(cut, Termination::Cancelled);
    EXPECT_EQ(static_cast<int>(first.trace().size()), updates());
    FaithfulPath second = p.path(options(), saved_by(first));
    EXPECT_EQ(second.run(), end);
    expect_same(whole, second);
}

TEST_P(Interrupted, ResumesAsOftenAsNeedBe) {
    const Problem p = problem();
    FaithfulPath whole = p.path(options(), on_threads(2));
    whole.run();
    const StopAfter stop(updates());
    FaithfulPath first = p.path(options(), stop.context());
    first.run();
    const StopAfter again(updates());
    FaithfulPath second(p.s, p.lengths, support::to_block(p.start), options(), saved_by(first), again.context());
    second.run();
    FaithfulPath third = p.path(options(), saved_by(second));
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
    shared.s.ranks = never;
    FaithfulPath counted = shared.path(options, never.context());
    const std::uint64_t before = never.transfers();
    EXPECT_EQ(counted.run(), Termination::IterationLimit);
    expect_same(whole, counted);
    const std::uint64_t transfers = never.transfers() - before;
    ASSERT_GT(transfers, 2 * whole.trace().size());  // more than the check before each update
    for (std::uint64_t cut = 1; cut < 12; ++cut) {
        const StopInTransfer stop(before + cut * transfers / 12);
        shared.s.ranks = stop;
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

TEST(FaithfulPath, NeverCutsItsTrialShort) {
    // Fewer updates would make a solvable problem look like one that is not.
    const Problem problem = solvable(60);
    FaithfulPath path = problem.path({.iterations = 2, .tolerance = 0.0}, on_threads(1));
    EXPECT_EQ(path.run(), Termination::IterationLimit);
    EXPECT_EQ(path.stage(), FaithfulStage::Spheres);
    EXPECT_EQ(path.trace().size(), static_cast<std::size_t>(FaithfulPath::trial));
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
}  // namespace isogon::faithful_path_test
