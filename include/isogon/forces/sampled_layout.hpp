#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/forces/output_kernel.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

struct SamplingOptions {
    OutputKernel kernel{};
    int epochs = 200;            ///< steps of the learning rate; in each the heaviest edges are sampled once
    int negatives = 5;           ///< points that push, drawn for every edge that is sampled
    double learning_rate = 1.0;  ///< of the first epoch; it falls to 0 in equal steps
    std::uint64_t seed = 0;      ///< of what is drawn
};

/// Outputs on their way by samples, as UMAP has them (McInnes, Healy and Melville 2018, algorithm 5): an edge is
/// sampled in w / max w of the epochs, and then pulls at both its ends, while `negatives` points drawn at random push
/// either end away. Weights say how often, not how hard, and nothing is divided by a sum over all pairs.
///
/// There one step is made after the other. Here points are dealt into eight classes, and those of a class move at once,
/// each through all its samples of the epoch while all others stand still; so no more than an eighth of what a point
/// sees is as old as the epoch. Who moves when, which edges are sampled and what is drawn are functions of seed, epoch
/// and point: the same bits for any number of threads.
class SampledLayout {
public:
    /// `edges` is symmetric, weights at least 0, and must outlive this; `start` has a row for each point. Throws
    /// InvalidArgument if they are not of as many points, at least 2, or a number of the start is beyond largest_start.
    SampledLayout(const CsrMatrix<double>& edges, const WideVectors& start, const SamplingOptions& options,
                  RunContext context);

    static constexpr double largest_start = 1e15;  ///< squares of differences are numbers of float32

    /// Goes on until `epoch` have been made in all, or as many as the options say: run_to(a), run_to(b) and run_to(b)
    /// leave the same bits. Converged: all are made; IterationLimit: not yet; otherwise why the context ended it, with
    /// what was reached. Reports each epoch in phase "layout". O((samples of the epoch) negatives d), about
    /// 12 n negatives d for 15 neighbours.
    Termination run_to(int epoch);

    [[nodiscard]] int epoch() const { return epoch_; }
    [[nodiscard]] const Points& outputs() const { return y_; }
    /// A line every fifty epochs: the loss where it stood, and how far from the line before.
    [[nodiscard]] const std::vector<IterationRecord>& trace() const { return trace_; }

    /// What edges cost by the kernel and gaps to drawn points, a sampled edge: sum_ij w_ij (cost_ij + negatives
    /// E_l gap_cost_il) / sum_ij w_ij, in which the mean over all points is that over `negatives` of them, the same
    /// ones each time. It is what steps go down on average, but that drawn points stand still (Damrich and Hamprecht,
    /// "On UMAP's true loss function", NeurIPS 2021).
    [[nodiscard]] double loss(const RunContext& context) const;

    /// What it takes besides edges and start.
    [[nodiscard]] static std::uint64_t bytes(Index points, Index dimension);

private:
    void move_class(Index shade);
    [[nodiscard]] std::optional<Termination> make_epoch();
    void record();

    const CsrMatrix<double>& edges_;
    SamplingOptions options_;
    RunContext context_;
    Points y_;
    Points moved_;
    double heaviest_ = 0.0;
    int epoch_ = 0;
    Index color_ = 0;  ///< the next class of this epoch: a run may end between two
    std::vector<IterationRecord> trace_{};
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace isogon
