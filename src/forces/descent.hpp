#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/archive_schema.hpp"
#include "forces/anchors.hpp"
#include "forces/force_layout.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

// The descents of outputs: with momentum and gains by a schedule, as t-SNE's, and monotone, by L-BFGS.
namespace isogon {

/// Adds a line to the trace of a run that began then, whose objective is now this.
void add_record(int iteration, double objective, std::chrono::steady_clock::time_point begin,
                std::vector<IterationRecord>& trace);

/// Descent with momentum and a gain for every coordinate: it grows while the steps keep their sign and shrinks when
/// they change it (Jacobs, "Increased rates of convergence through learning rate adaptation", 1988), as t-SNE does.
class MomentumSteps {
public:
    MomentumSteps(Index rows, Index columns) : steps_(rows, columns), gains_(steps_.values().size(), 1.0) {}

    /// Resets momentum and gains.
    void rest();

    /// Moves y against `gradient` and, if there are any, towards `anchors`; else centres it. No point moves further
    /// than longest_step, because a learning rate that is too high for a few points would let these diverge. O(n d).
    void apply(const MultiVector<double>& gradient, const SchedulePhase& phase, MultiVector<double>& y,
               const RunContext& context, const Anchors& anchors = {});

    /// Saves the state: arrays "steps" and "gains". A restored run has the same bits.
    void save(Archive& archive) const;
    /// Adds these arrays to a schema, n rows of d numbers each.
    static void describe(ArchiveSchema& schema);
    /// Continues from an archive that satisfies the schema.
    void restore(const Archive& archive);

    static constexpr double longest_step = 5.0;  // openTSNE's; clusters are some tens across

private:
    void step_row(std::size_t i, const double* gradient, const SchedulePhase& phase);
    void draw_back(Index i, const double* y, const SchedulePhase& phase, const Anchors& anchors);

    MultiVector<double> steps_;
    std::vector<double> gains_;
};

/// Subtracts the mean of the rows.
void centre_rows(MultiVector<double>& y, const RunContext& context);

/// Minimises an objective that never increases from step to step: L-BFGS (Liu and Nocedal, "On the limited memory BFGS
/// method for large scale optimization", Math. Programming 1989) with backtracking until the Armijo condition holds.
/// t-SNE's descent with momentum has no such guarantee.
class MonotoneDescent {
public:
    /// The objective at y, and its gradient. Must give the same bits for any number of threads; may throw Interruption.
    using Objective =
        std::function<double(const MultiVector<double>& y, MultiVector<double>& gradient, const RunContext&)>;

    /// `start` is n x d, without NaN; its mean goes to the origin. At rest when ten iterations lower the objective by
    /// less than `tolerance` of it; 0: never, until no step lowers it.
    MonotoneDescent(Objective objective, MultiVector<double> start, double tolerance, RunContext context);
    ~MonotoneDescent();
    MonotoneDescent(const MonotoneDescent&) = delete;
    MonotoneDescent& operator=(const MonotoneDescent&) = delete;

    /// Goes on until `iteration` have been made in all: run_to(a) and run_to(b) leave the bits of run_to(b). Converged:
    /// the tolerance is reached; Stalled: no step lowers the objective any more, because differences are below
    /// rounding; IterationLimit; otherwise why the context ended it, with what was reached. Mostly one evaluation an
    /// iteration. Reports each in phase "layout".
    Termination run_to(int iteration);

    [[nodiscard]] int iteration() const { return iteration_; }
    [[nodiscard]] const MultiVector<double>& outputs() const { return y_; }
    [[nodiscard]] double objective() const { return value_; }
    /// The norm of the gradient at the current outputs.
    [[nodiscard]] double slope() const;
    /// Number of evaluations of the objective.
    [[nodiscard]] int evaluations() const { return evaluations_; }
    /// The objective every ten iterations, and by how much it fell since.
    [[nodiscard]] const std::vector<IterationRecord>& trace() const { return trace_; }

    /// Bytes besides the start.
    [[nodiscard]] static std::uint64_t bytes(Index points, Index dimension);

private:
    struct Memory;
    bool step();
    bool search(double slope);
    void remember();

    Objective objective_;
    MultiVector<double> y_;
    double tolerance_;
    RunContext context_;
    std::unique_ptr<Memory> memory_;
    double value_ = 0.0;
    int iteration_ = 0;
    int evaluations_ = 0;
    bool at_rest_ = false;
    bool stuck_ = false;
    std::vector<IterationRecord> trace_{};
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace isogon
