#pragma once
#include <cstdint>
#include <optional>

#include "isogon/faithful/favor.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/registry.hpp"
#include "isogon/neighbors/neighbor_search.hpp"

namespace isogon {

/// How much a pair of points counts: every pair alike, or by the product of its points' squared lengths, as in tsm.
enum class PairWeights { Unit, Norms };
/// Where the descent begins: at the directions of svd (eq. 10 of Saul 2022b), or at the outputs of 100 updates of tsm.
enum class FaithfulStart { Svd, Tsm };
/// Coordinates of the inputs' lengths, or d + 1 numbers a point for search engines that rank by inner product.
enum class FaithfulOutput { Cosine, InnerProduct };

struct FaithfulOptions {
    /// d, numbers for each point; 16 keeps most angles of digits and words; higher keeps more. Empty: the fewest with
    /// which `recall` is reached.
    std::optional<int> dimension = 16;
    /// Of all nearest neighbours the share to keep where the dimension is chosen ("kept_neighbors" of the summary), in
    /// (0, 1). 0.99: what a search by coordinates may lose unnoticed.
    double recall = 0.99;
    /// tau, the cosine above which angles are kept, in (0, 1). Empty: the cosine that 1% of all pairs exceed, the share
    /// of Saul 2022b, lower where that would leave more than a quarter of the points without a neighbour above it.
    std::optional<double> threshold{};
    /// K: the nearest neighbours of every point, in order, are to stay what they are: thresholds of each point's own
    /// (the local form). 0: one threshold for all pairs. Empty: 12, or all others where there are fewer; 0 where
    /// `threshold`, `weights`, `start` or `output` is given, which belong to one threshold. A point has about d / 2
    /// neighbours for free, and 12 keep the ten that most uses look at with some room: of 14,000 digits in 16 numbers
    /// 10 and 12 keep 98.8 and 98.9% of these (favor neighbors), 15 keep 94.5%, which ask for more than d can hold.
    std::optional<int> neighbors{};
    /// What makes neighbours near. By distance, with `neighbors` above 0, lengths are not kept: outputs are centred and
    /// turned to their principal axes.
    Metric metric = Metric::Cosine;
    /// How the neighbours of the inputs are found. Auto: exactly as long as that takes up to 2e13 multiplications, some
    /// minutes on two cores, as for a million digits; beyond, by an index that finds 99% of a sample's, where there is
    /// one at half the cost or less (neighbors/neighbor_search.hpp). Not earlier: the descent works against neighbours
    /// that were missed, as if they were any other points, and loses most of the time that the search has won.
    SearchKind search = SearchKind::Auto;
    /// What has priority where d dimensions cannot keep everything. Of the local form: all pairs above the threshold
    /// together count 0 (Neighbors), 2.5 (Balanced) or 30 times (Angles) as much as all near pairs. Balanced is within
    /// a tenth of the deviation of one threshold, with more neighbours (bench/local-quality). Empty: Balanced; from
    /// 30,000 points on Neighbors where d is large enough, as all pairs above a threshold are n^2 work in every update,
    /// and the neighbours alone are not (internal/isogon/pairs/active_pairs.hpp).
    std::optional<Favor> favor{};
    /// Unit: the angle of two short inputs is as good as that of two long ones.
    PairWeights weights = PairWeights::Unit;
    /// Weight of a pair that must stay below tau against one above it, at least 0. Empty: 1, the equation itself, or
    /// 0.8 where angles are favoured in too few dimensions.
    std::optional<double> off_support_weight{};
    /// Both starts lead to minima of the same quality; svd takes less time.
    FaithfulStart start = FaithfulStart::Svd;
    /// Most updates, besides 30 on the spheres that decide on the form; the tolerance usually ends a run before.
    int iterations = 200;
    /// Share of the residual |S - max(0, L)|: a run ends when ten updates in a row change it by less. 0: never. Ten
    /// updates within the default lower it by half a percent at most.
    double tolerance = 5e-4;
    FaithfulOutput output = FaithfulOutput::Cosine;  ///< distances and angles of coordinates serve every other use
    std::uint64_t seed = 0;                          ///< of the threshold's sample and the start of tsm
};

[[nodiscard]] const OptionTable<FaithfulOptions>& faithful_option_table();

/// Solves S = max(0, L) itself for coordinates: exact norms, angles below acos(tau) kept, others not brought below it;
/// where d dimensions cannot satisfy all, `favor` says what has priority (internal/isogon/faithful/faithful_path.hpp).
/// Time: S in n^2 D / 2 multiplications and additions, then one pass of n^2 (d + 1) / 2 an update, 50 to 200 of them.
/// Memory: S (20 bytes for each pair above tau at its peak) and some 30 blocks of n (d + 1) floats, and a copy of the
/// input scaled to unit length when weights are unit. Throws as every method does (methods/registry.hpp);
/// InvalidArgument for a start of another shape and for a checkpoint that was made of other input or options;
/// InputError for a damaged one. Ranks that share the points hold only their own, and all get all coordinates.
///
/// With `neighbors` above 0, the default, the local form instead (internal/isogon/faithful/local_objective.hpp), from
/// the coordinates of 30 updates with one threshold. Where these say that d is too small for the angles above it, one
/// threshold it stays: options["neighbors"] of the result is then 0. The neighbours of all inputs take up to n^2 D / 2
/// multiplications and additions more, an update one pass of n^2 d / 2; every rank needs all points. The summary says
/// what was kept ("kept_neighbors", "all_kept", "kept_in_order": shares). Where neighbours alone are kept, an update is
/// a sum over near pairs and lists instead, with scans worth some 15 passes in all (3 from
/// 30,000 points on), and 2 kB a point; from 30,000 points on the trial is made on 6,000 of them. Throws
/// InvalidArgument for neighbors >= n and for metric euclidean without neighbors.
///
/// Without a dimension some 2 log2(d) fits find the fewest that keep `recall` of all neighbours: in 8, 16, 32, ...
/// dimensions until one does, then by bisection, each from the principal directions of the best. The measures have the
/// curve ("kept_neighbors_in_16", ...). Similarities and neighbours are computed once, and kept beside a fit's own.
/// Throws InvalidArgument with a start, a checkpoint or neighbors = 0, which say nothing of neighbours to keep.
[[nodiscard]] Embedding faithful(const DistributedPoints& given, const FaithfulOptions& options = {},
                                 const RunContext& context = {}, const FitExtras& extras = {});

[[nodiscard]] Method faithful_method();

}  // namespace isogon
