#pragma once
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "forces/anchors.hpp"
#include "forces/local_density.hpp"
#include "forces/output_kernel.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// Who makes the steps of an output.
enum class OutputRole : char {
    Free,   ///< its own turn, and the reactions to steps of others
    Hub,    ///< its own turn alone, in which its edges pull twice: reactions of one class would add up and overshoot
    Fixed,  ///< nobody; its edges pull the others twice
};

/// The pulls that edges of moving outputs exert on their other ends, in the order in which they came.
struct SampledReactions {
    std::span<const OutputRole> roles{};
    std::vector<Index> rows{};
    std::vector<float> moves{};  ///< d numbers for each of these rows
};

/// One moving output among fixed ones, and the edges that attract it.
struct SampledRow {
    static constexpr Index none = std::numeric_limits<Index>::max();

    float* own = nullptr;                   ///< its coordinates, replaced by the new ones
    std::span<const Index> neighbors{};     ///< rows of the map
    std::span<const double> weights{};      ///< beside them, at least 0 and at most the heaviest
    Offset first_edge = 0;                  ///< a number of its first edge, which tells in which epochs edges come
    Index self = none;                      ///< its own row of the map, which does not push it
    SampledReactions* reactions = nullptr;  ///< receives the pulls on other ends; null: other ends are fixed
};

/// What moves a row in one step: eight points of the map, some of which pull and some push.
struct SampledOthers {
    static constexpr std::size_t batch = 8;

    std::vector<float> coordinates;  ///< number by number: `batch` first ones, then as many second ones
    std::vector<float> steps;        ///< in the same order: what each of them moves the row by, at a rate of 1
    float pulls[batch]{};            ///< 1 for a pull, 0 for a push
    float units[batch]{};            ///< units of length
};

/// A row's steps by samples, in float32. An edge comes in w / heaviest of the epochs, evenly spread, and brings a pull
/// and pushes by rows of the map drawn at random. The other end is pulled by as much: a reaction is recorded. Where the
/// other end is fixed, and for hubs, the edge brings a second pull instead, which is the other end's own sample.
/// Eight of these at a time are worked out from one place, side by side in registers: each goes down the gradient of
/// cost or gap_cost of the kernel, every number of it cut at 4, as in umap-learn, before it is multiplied by the rate.
/// Never NaN as long as all numbers are below 1e15 in size.
class SampledSteps {
public:
    /// `map` must outlive this, and so must `radii`: where they are given, distances of a pair are in units of the
    /// larger radius of its two rows, and so are steps.
    SampledSteps(const OutputKernel& kernel, const PointsView& map, double heaviest, int negatives,
                 std::span<const float> radii = {});

    /// All samples of one epoch. `random` gives what is drawn.
    void move(const SampledRow& row, int epoch, float rate, Random random);

private:
    enum class Force { Push, Pull, SecondPull };
    struct Sample {
        Index other;  ///< row of the map
        Force force;
    };

    void find_sampled_edges(const SampledRow& row, int epoch);
    void add(const SampledRow& row, const Sample& sample, float rate);
    void take(const SampledRow& row, std::size_t count, float rate);

    OutputKernel kernel_;
    PointsView map_;
    double shares_;  ///< factor that makes a weight a share of the epochs, in units of 2^-32
    int negatives_;
    std::span<const float> radii_;
    std::vector<std::size_t> sampled_edges_{};
    /// Two batches: the second is on its way from memory while the first is worked out.
    Sample samples_[2 * SampledOthers::batch]{};
    std::size_t waiting_ = 0;
    SampledOthers others_;
};

struct SamplingOptions {
    OutputKernel kernel{};
    int epochs = 200;                ///< steps of the learning rate; in each the heaviest edges are sampled once
    int negatives = 5;               ///< points that push, drawn for every edge that is sampled
    double learning_rate = 1.0;      ///< in the first epoch; it falls to 0 in equal steps
    std::uint64_t seed = 0;          ///< seed for all draws
    std::span<const float> radii{};  ///< radii of the points (SampledSteps); they must outlive the layout
    Anchors anchors{};               ///< their places must outlive the layout
    /// Log local radii of the inputs, which those of outputs follow in the last epochs; empty: they need not. They must
    /// outlive the layout.
    std::span<const double> log_radii{};
    double density_weight = 0.0;  ///< of their correlation beside the loss, densMAP's lambda
};

/// Stochastic gradient descent by sampled edges, as in UMAP (McInnes, Healy and Melville 2018, algorithm 5): an edge is
/// sampled in w / max w of the epochs, and then attracts both its ends, while `negatives` points drawn at random repel
/// each end. Weights determine frequency, not force, and there is no normalisation over all pairs.
///
/// The paper updates sequentially. Here points are divided into eight classes, and the points of a class move in
/// parallel, each through all its samples of the epoch, while all other points are fixed; then their edges' other ends
/// move. The order, the sampled edges and the draws are functions of seed, epoch and point: the same bits for any
/// number of threads.
///
/// Both ends of a sample move by opposite steps, as umap-learn's do: attraction then leaves the mean of a cluster where
/// it is. Tried and rejected: samples of its own for each end; clusters of few points then wander at random, and
/// neighbouring ones mix (bench/maps, few points). A hub, whose many reactions of one class would add up to a step that
/// overshoots, takes its pulls one by one, in its own turn.
class SampledLayout {
public:
    /// `edges` is symmetric, weights at least 0, and must outlive this; `start` has a row for each point. Throws
    /// InvalidArgument if they are not of as many points, at least 2, or a number of the start is beyond largest_start.
    SampledLayout(const CsrMatrix<double>& edges, const MultiVector<double>& start, const SamplingOptions& options,
                  RunContext context);

    static constexpr double largest_start = 1e15;  ///< squares of differences are numbers of float32

    /// Goes on until `epoch` have been made in all, or as many as the options say: run_to(a), run_to(b) and run_to(b)
    /// leave the same bits. Converged: all are made; IterationLimit: not yet; otherwise why the context ended it,
    /// with what was reached. Reports each epoch in phase "layout". O((samples of the epoch) negatives d), about 12 n
    /// negatives d for 15 neighbours.
    Termination run_to(int epoch);

    [[nodiscard]] int epoch() const { return epoch_; }
    [[nodiscard]] const Points& outputs() const { return y_; }
    /// One record every fifty epochs: the loss, and its change since the last record.
    [[nodiscard]] const std::vector<IterationRecord>& trace() const { return trace_; }

    /// The cost of edges by the kernel and of gaps to drawn points, per sampled edge: sum_ij w_ij (cost_ij + negatives
    /// E_l gap_cost_il) / sum_ij w_ij, in which the mean over all points is that over `negatives` of them, the same
    /// ones each time. The steps minimise it on average, except that drawn points are kept fixed (Damrich and
    /// Hamprecht, "On UMAP's true loss function", NeurIPS 2021).
    [[nodiscard]] double loss(const RunContext& context) const;

    /// The correlation of the log local radii of inputs and outputs, where the options have the former.
    [[nodiscard]] std::optional<double> density_correlation(const RunContext& context) const;

    /// Bytes besides edges and start. `entries`: of the matrix of edges.
    [[nodiscard]] static std::uint64_t bytes(Index points, Index dimension, std::uint64_t entries);

private:
    [[nodiscard]] double rate() const;
    void move_class(Index color);
    void add_reactions();
    [[nodiscard]] std::optional<Termination> make_epoch();

    const CsrMatrix<double>& edges_;
    SamplingOptions options_;
    RunContext context_;
    Points y_;
    Points moved_;
    double heaviest_ = 0.0;
    std::vector<OutputRole> roles_;
    std::vector<SampledReactions> reactions_{};  ///< of each task of a class
    std::optional<LocalDensity> density_{};
    int epoch_ = 0;
    Index color_ = 0;  ///< the next class of this epoch: a run may end between two
    std::vector<IterationRecord> trace_{};
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace isogon
