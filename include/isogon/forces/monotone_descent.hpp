#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// Outputs that go down on an objective, and never up: L-BFGS (Liu and Nocedal, "On the limited memory BFGS method for
/// large scale optimization", Math. Programming 1989) with steps that are shortened until they lower it (Armijo). What
/// t-SNE's momentum does without; here the objective is what the method is about.
class MonotoneDescent {
public:
    /// The objective at y, and its gradient. Must give the same bits for any number of threads; may throw Interruption.
    using Objective = std::function<double(const WideVectors& y, WideVectors& gradient, const RunContext&)>;

    /// `start` is n x d, without NaN; its mean goes to the origin. At rest when ten iterations lower the objective by
    /// less than `tolerance` of it; 0: never, until no step lowers it.
    MonotoneDescent(Objective objective, WideVectors start, double tolerance, RunContext context);
    ~MonotoneDescent();
    MonotoneDescent(const MonotoneDescent&) = delete;
    MonotoneDescent& operator=(const MonotoneDescent&) = delete;

    /// Goes on until `iteration` have been made in all: run_to(a) and run_to(b) leave the bits of run_to(b). Converged:
    /// at rest, now or before; Stalled: no step lowers the objective any more, as rounding is all that is left;
    /// IterationLimit; otherwise why the context ended it, with what was reached. Mostly one evaluation an iteration.
    /// Reports each in phase "layout".
    Termination run_to(int iteration);

    [[nodiscard]] int iteration() const { return iteration_; }
    [[nodiscard]] const WideVectors& outputs() const { return y_; }
    [[nodiscard]] double objective() const { return value_; }
    /// The length of the gradient here.
    [[nodiscard]] double slope() const;
    /// How often the objective was worked out.
    [[nodiscard]] int evaluations() const { return evaluations_; }
    /// The objective every ten iterations, and by how much it fell since.
    [[nodiscard]] const std::vector<IterationRecord>& trace() const { return trace_; }

    /// What it takes besides the start.
    [[nodiscard]] static std::uint64_t bytes(Index points, Index dimension);

private:
    struct Memory;
    bool step();
    bool search(double slope);
    void remember();
    void record();

    Objective objective_;
    WideVectors y_;
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
