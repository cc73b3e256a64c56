#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/faithful/faithful_descent.hpp"
#include "isogon/faithful/favor.hpp"

namespace isogon {

struct FaithfulPathOptions {
    Favor favor = Favor::Balanced;
    std::optional<double>
        off_support_weight{};  ///< weight of the pairs off the support; empty: 1, strained spheres 0.8
    int iterations = 200;      ///< most updates of the form that gives the result
    double tolerance = 5e-4;   ///< see DescentOptions; twice that on strained spheres
    bool only_trial = false;   ///< end after the trial where the equation is nearly solvable
};

/// The stage after the trial.
enum class FaithfulStage {
    Spheres,        ///< the trial, continued where the equation is nearly solvable
    Relaxed,        ///< neighbors and balanced where it is not
    DampedSpheres,  ///< angles where it is not: spheres again, with a damped preconditioner and an early end
};

/// One family of solutions, from best neighbours to best angles (mathematics page, section 4). Every path begins with
/// a trial on the spheres. If the equation is nearly solvable in d dimensions, the spheres are best by every measure
/// and are kept, for every value of `favor`. Otherwise exact norms reduce the preservation of neighbours. For
/// Neighbors and Balanced, the relaxed form is then solved from the same start, with penalty mu = 0.01 or 0.1. For
/// Angles, the spheres are solved again with a damped preconditioner, so that points with many neighbours converge
/// first, and an early end: the last updates reduce the residual but also the number of pairs above tau.
/// docs/methods/faithful.md has the measurements behind these numbers.
class FaithfulPath {
public:
    /// Updates on the spheres before the choice of the form, also if fewer are requested: a shorter trial would
    /// classify a solvable problem as unsolvable.
    static constexpr int trial = 30;
    /// The spheres are kept when |S - max(0, L)| / |S| is at most this after the trial.
    static constexpr double solvable = 0.25;
    /// That of pairs off the support where d numbers are too few for the angles that are favoured, unless one is given.
    static constexpr double damped_off_support_weight = 0.8;

    /// `start` lies on the spheres (n x d). S must outlive this.
    FaithfulPath(const Similarities& s, std::vector<float> lengths, MultiVector<float> start,
                 const FaithfulPathOptions& options, RunContext context);
    /// From an archive of save(), with the same S, lengths and start: continues with the same bits.
    FaithfulPath(const Similarities& s, std::vector<float> lengths, MultiVector<float> start,
                 const FaithfulPathOptions& options, const Archive& saved, RunContext context);

    Termination run();

    [[nodiscard]] FaithfulForm form() const { return objective_->terms().form; }
    [[nodiscard]] FaithfulStage stage() const { return stage_; }
    /// The trial has ended, and the equation is nearly solvable.
    [[nodiscard]] bool is_solvable() const { return trial_residual_ >= 0.0 && stage_ == FaithfulStage::Spheres; }
    /// sqrt(misfit) / |S| on the spheres after the trial; negative before its end.
    [[nodiscard]] double trial_residual() const { return trial_residual_; }
    [[nodiscard]] const FaithfulDescent& descent() const { return *descent_; }
    /// Of all stages, one after the other.
    [[nodiscard]] std::vector<IterationRecord> trace() const;
    /// n x d: y_i of the spheres, or what eqs. 8 and 9 read off the relaxed L. Lengths are those of the form.
    [[nodiscard]] Points outputs(const RunContext& context) const;
    /// n x (d + 1): [y_i, s_i], whose products y_i.y_j - s_i s_j are L.
    [[nodiscard]] Points lifted_outputs() const;

    /// Collective among the ranks of S: on those that do not save, help_save().
    void save(Archive& archive) const;
    void help_save() const { descent_->help_save(); }
    /// `own`: the rows of this rank.
    [[nodiscard]] static std::uint64_t bytes(Index rows, Index own, Index dimension);

private:
    [[nodiscard]] FaithfulTerms terms_of(FaithfulStage stage) const;
    [[nodiscard]] DescentOptions descent_of(FaithfulStage stage) const;
    void make_objective(FaithfulStage stage);
    void leave_trial();

    const Similarities& s_;
    std::vector<float> lengths_;
    MultiVector<float> start_;
    FaithfulPathOptions options_;
    RunContext context_;
    std::unique_ptr<FaithfulObjective> objective_;
    std::unique_ptr<FaithfulDescent> descent_;
    FaithfulStage stage_ = FaithfulStage::Spheres;
    std::vector<IterationRecord> trial_trace_;  ///< of the trial, if it was not continued
    double trial_residual_ = -1.0;
};

}  // namespace isogon
