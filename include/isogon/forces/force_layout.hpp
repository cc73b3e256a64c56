#pragma once
#include <chrono>
#include <memory>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/forces/repulsion.hpp"
#include "isogon/forces/schedule.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// Outputs on their way: edges pull, all pairs push, and a schedule says how far to step. What goes down is
///     KL(P || Q) = sum_ij p_ij log(p_ij / q_ij),   q_ij = k_ij / Z,   k = 1 / (1 + |y_i - y_j|^2),
/// van der Maaten and Hinton, "Visualizing data using t-SNE", JMLR 2008, eqs. 4 and 5; the forces are those of Draganov
/// and Dohn 2023, section 3, with the Cauchy kernel.
class ForceLayout {
public:
    /// `edges` is P: symmetric, weights that sum to 1; `start` has a row for each point and no NaN; its mean goes to
    /// the origin. Both `edges` and `repulsion` must outlive this. Throws InvalidArgument if start and edges are not of
    /// as many points.
    ForceLayout(const CsrMatrix<float>& edges, Repulsion& repulsion, WideVectors start, Schedule schedule,
                RunContext context);
    ~ForceLayout();
    ForceLayout(const ForceLayout&) = delete;
    ForceLayout& operator=(const ForceLayout&) = delete;

    /// Goes on until `iteration` have been made in all, or as many as the schedule has: run_to(a), run_to(b) and
    /// run_to(b) leave the same bits. Converged: the schedule is over; IterationLimit: it is not; otherwise why the
    /// context ended it, with what was reached. Reports each iteration in phase "layout".
    Termination run_to(int iteration);

    [[nodiscard]] int iteration() const { return iteration_; }
    [[nodiscard]] const WideVectors& outputs() const { return y_; }
    /// A line every fifty iterations: KL(P || Q) where it stood, without exaggeration, and how far from the line
    /// before.
    [[nodiscard]] const std::vector<IterationRecord>& trace() const { return trace_; }

    /// KL(P || Q) here and now, Z as the repulsion has it; costs a pass. Throws Interruption.
    [[nodiscard]] double divergence(const RunContext& context);
    /// A quarter of its gradient, attraction times `exaggeration`, into `gradient`; returns Z. Throws Interruption.
    double gradient(double exaggeration, WideVectors& gradient, const RunContext& context);

    /// What another layout of the same edges and schedule needs to go on from here to the same bits.
    void save(Archive& archive) const;
    /// Takes the place of what was reached. Throws InputError, and leaves everything as it was, unless the archive has
    /// what save() adds, of as many points and columns.
    void restore(const Archive& archive);

    /// What it takes besides edges, repulsion and start.
    [[nodiscard]] static std::uint64_t bytes(Index points, Index dimension);

private:
    struct Descent;
    void step();
    void record(double total);

    const CsrMatrix<float>& edges_;
    Repulsion& repulsion_;
    WideVectors y_;
    Schedule schedule_;
    RunContext context_;
    std::unique_ptr<Descent> descent_;
    double entropy_ = 0.0;
    int iteration_ = 0;
    std::vector<IterationRecord> trace_{};
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace isogon
