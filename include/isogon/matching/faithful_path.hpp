#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/matching/faithful_descent.hpp"

namespace isogon {

/// What to keep where d numbers cannot keep everything.
enum class Favor { Neighbors, Balanced, Angles };

struct FaithfulPathOptions {
    Favor favor = Favor::Balanced;
    std::optional<double>
        off_support_weight{};  ///< weight of the pairs off the support; empty: 1, strained spheres 0.8
    int iterations = 200;      ///< most updates of the form that gives the result
    double tolerance = 5e-4;   ///< see DescentOptions; twice that on strained spheres
};

/// How the path went on after its trial.
enum class FaithfulStage {
    Spheres,        ///< the trial itself, and on from it where the equation is nearly solvable
    Relaxed,        ///< neighbors and balanced where it is not
    DampedSpheres,  ///< angles where it is not: spheres again, with a damped preconditioner and an early end
};

/// One family from neighbours to angles (mathematics page, section 4). All begin with a trial on the spheres: where the
/// equation is nearly solvable in d dimensions, they are best by every measure, and are kept, whatever is favoured.
/// Where it is not, exact norms cost neighbours. Favouring neighbours or both, the relaxed form is solved then, from
/// the same start, with the tie mu = 0.01 or 0.1. Favouring angles, the spheres are begun again so that crowded points
/// settle first, and left early: what the last updates gain in residual they lose in pairs above tau.
/// docs/methods/faithful.md shows the measurements behind these numbers.
class FaithfulPath {
public:
    /// Updates on the spheres before the choice of the form, also where fewer are asked for: cut short, the trial would
    /// take a solvable problem for one that is not.
    static constexpr int trial = 30;
    /// The spheres are kept when |S - max(0, L)| / |S| is at most this after the trial.
    static constexpr double solvable = 0.25;

    /// `start` lies on the spheres (n x d). S must outlive this.
    FaithfulPath(const Similarities& s, std::vector<float> lengths, BlockVectors start,
                 const FaithfulPathOptions& options, RunContext context);
    /// From what save() left, with the same S, lengths and start: goes on to the same bits.
    FaithfulPath(const Similarities& s, std::vector<float> lengths, BlockVectors start,
                 const FaithfulPathOptions& options, const Archive& saved, RunContext context);

    Termination run();

    [[nodiscard]] FaithfulForm form() const { return objective_->terms().form; }
    [[nodiscard]] FaithfulStage stage() const { return stage_; }
    /// sqrt(misfit) / |S| on the spheres after the trial; negative before its end.
    [[nodiscard]] double trial_residual() const { return trial_residual_; }
    [[nodiscard]] const FaithfulDescent& descent() const { return *descent_; }
    /// Of both forms, one after the other.
    [[nodiscard]] std::vector<IterationRecord> trace() const;
    /// n x d: y_i of the spheres, or what eqs. 8 and 9 read off the relaxed L. Lengths are those of the form.
    [[nodiscard]] Points outputs(const RunContext& context) const;
    /// n x (d + 1): [y_i, s_i], whose products y_i.y_j - s_i s_j are L.
    [[nodiscard]] Points lifted_outputs() const;

    void save(Archive& archive) const;
    [[nodiscard]] static std::uint64_t bytes(Index rows, Index dimension);

private:
    [[nodiscard]] FaithfulTerms terms_of(FaithfulStage stage) const;
    [[nodiscard]] DescentOptions descent_of(FaithfulStage stage) const;
    void make_objective(FaithfulStage stage);
    void leave_trial();

    const Similarities& s_;
    std::vector<float> lengths_;
    BlockVectors start_;
    FaithfulPathOptions options_;
    RunContext context_;
    std::unique_ptr<FaithfulObjective> objective_;
    std::unique_ptr<FaithfulDescent> descent_;
    FaithfulStage stage_ = FaithfulStage::Spheres;
    std::vector<IterationRecord> trial_trace_;  ///< of the trial, once it was given up
    double trial_residual_ = -1.0;
};

}  // namespace isogon
