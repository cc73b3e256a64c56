#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "forces/anchors.hpp"
#include "forces/output_kernel.hpp"
#include "forces/repulsion.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// Consecutive iterations with the same parameters.
struct SchedulePhase {
    int iterations = 0;
    double exaggeration = 1.0;   ///< factor of the attraction; above 1, clusters contract and can pass each other
    double momentum = 0.8;       ///< share of the last step that is added to the next
    double learning_rate = 1.0;  ///< length of steps, against a quarter of the gradient
};

/// The phases of a descent. Each begins with zero momentum.
struct Schedule {
    std::vector<SchedulePhase> phases{};

    [[nodiscard]] int iterations() const;
    /// The phase that iteration `iteration` (from 0) belongs to, by its place; the last one beyond the end.
    [[nodiscard]] std::size_t phase_at(int iteration) const;
};

struct ScheduleOptions {
    int iterations = 750;                   ///< a third of them, but no more than 250, are exaggerated
    double exaggeration = 12.0;             ///< factor of attraction in the first phase
    std::optional<double> learning_rate{};  ///< empty: n / exaggeration of each phase
};

/// t-SNE's: exaggerated at momentum 0.5, then not at 0.8 (van der Maaten and Hinton 2008). The learning rate of n /
/// exaggeration makes a step of about the distance to the neighbours' mean, for any n (Belkina et al., Nature
/// Communications 2019, for the first phase).
[[nodiscard]] Schedule tsne_schedule(Index points, const ScheduleOptions& options = {});

/// Outputs that a descent begins with, and where they are held.
struct HeldStart {
    // Not explicit: a start that nothing holds is its outputs.
    HeldStart(MultiVector<double> outputs_, const Anchors& anchors_ = {})
        : outputs(std::move(outputs_)), anchors(anchors_) {}

    MultiVector<double> outputs;
    Anchors anchors;  ///< their places must outlive the layout
};

// The attractive forces of a graph: each edge costs w_ij cost(|y_i - y_j|^2). `edges` is a symmetric matrix of weights
// (graph/calibrated_affinities.hpp), y has a row for each of its points.

/// Row i of `pulls` becomes sum_j w_ij pull(|y_i - y_j|^2) (y_i - y_j), a quarter of the gradient of attraction_cost by
/// y_i: learning rates count in quarters since openTSNE. Every row is gathered by itself: the same bits for any
/// number of threads. O(entries d).
void attract(const CsrMatrix<float>& edges, const OutputKernel& kernel, const MultiVector<double>& y,
             MultiVector<double>& pulls, const RunContext& context);

/// sum_ij w_ij cost(|y_i - y_j|^2), over both directions of each edge. O(entries d), and a logarithm an entry.
[[nodiscard]] double attraction_cost(const CsrMatrix<float>& edges, const OutputKernel& kernel,
                                     const MultiVector<double>& y, const RunContext& context);

/// sum_ij w_ij log w_ij: the part of the divergence that does not depend on the outputs.
[[nodiscard]] double negative_entropy(const CsrMatrix<float>& edges, const RunContext& context);

/// Gradient descent of t-SNE: attraction along edges, repulsion between all pairs, step lengths by a schedule. It
/// minimises
///     KL(P || Q) = sum_ij p_ij log(p_ij / q_ij),   q_ij = k_ij / Z,   k = 1 / (1 + |y_i - y_j|^2),
/// van der Maaten and Hinton, "Visualizing data using t-SNE", JMLR 2008, eqs. 4 and 5; the forces are those of Draganov
/// and Dohn 2023, section 3, with the Cauchy kernel.
class ForceLayout {
public:
    /// `edges` is P: symmetric, weights that sum to 1; `start` has a row for each point and no NaN; unless some are
    /// held, its mean goes to the origin. A spring's force is hold / (1 - hold) times the way back where that of
    /// all edges of a point is the way to its neighbours. Both `edges` and `repulsion` must outlive this. Throws
    /// InvalidArgument if start and edges are not of as many points.
    ForceLayout(const CsrMatrix<float>& edges, Repulsion& repulsion, HeldStart start, Schedule schedule,
                RunContext context);
    ~ForceLayout();
    ForceLayout(const ForceLayout&) = delete;
    ForceLayout& operator=(const ForceLayout&) = delete;

    /// Goes on until `iteration` have been made in all, or as many as the schedule has: run_to(a), run_to(b) and
    /// run_to(b) leave the same bits. Converged: the schedule is over; IterationLimit: it is not; otherwise why the
    /// context ended it, with what was reached. Reports each iteration in phase "layout".
    Termination run_to(int iteration);

    [[nodiscard]] int iteration() const { return iteration_; }
    [[nodiscard]] const MultiVector<double>& outputs() const { return y_; }
    /// One record every fifty iterations: KL(P || Q) without exaggeration, and its change since the last record.
    [[nodiscard]] const std::vector<IterationRecord>& trace() const { return trace_; }

    /// KL(P || Q) at the current outputs, with Z as the repulsion computes it; one pass. Throws Interruption.
    [[nodiscard]] double divergence(const RunContext& context);
    /// A quarter of its gradient, attraction times `exaggeration`, into `gradient`; returns Z. Throws Interruption.
    double gradient(double exaggeration, MultiVector<double>& gradient, const RunContext& context);

    /// Saves the state from which another layout of the same edges and schedule continues to the same bits.
    void save(Archive& archive) const;
    /// Replaces the state. Throws InputError, and changes nothing, unless the archive has what save() adds, of as many
    /// points and columns.
    void restore(const Archive& archive);

    /// Bytes besides edges, repulsion and start.
    [[nodiscard]] static std::uint64_t bytes(Index points, Index dimension);

private:
    struct Descent;
    void step();
    void record(double total);

    const CsrMatrix<float>& edges_;
    Repulsion& repulsion_;
    MultiVector<double> y_;
    Anchors anchors_;
    Schedule schedule_;
    RunContext context_;
    std::unique_ptr<Descent> descent_;
    double entropy_ = 0.0;
    int iteration_ = 0;
    std::vector<IterationRecord> trace_{};
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace isogon
