#pragma once
#include <cstdint>
#include <optional>

#include "isogon/faithful/favor.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/registry.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// How much a pair of points counts: every pair alike, or by the product of its points' squared lengths, as in tsm.
enum class PairWeights { Unit, Norms };
/// Where the descent begins: at the directions of svd (eq. 10 of Saul 2022b), or at the outputs of 100 updates of tsm.
enum class FaithfulStart { Svd, Tsm };
/// Coordinates of the inputs' lengths, or d + 1 numbers a point for search engines that rank by inner product.
enum class FaithfulOutput { Cosine, InnerProduct };

struct FaithfulOptions {
    int dimension = 16;  ///< d, numbers for each point; 16 keeps most angles of digits and words; higher keeps more
    /// tau, the cosine above which angles are kept, in (0, 1). Empty: the cosine that 1% of all pairs exceed, the share
    /// of Saul 2022b, lower where that would leave more than a quarter of the points without a neighbour above it.
    std::optional<double> threshold{};
    /// k: the nearest neighbours of every point, in order, are to stay what they are: thresholds of each point's own
    /// (the local form). 0: one threshold for all pairs. 10 to 20 serve most uses: about d / 2 cost nothing.
    int neighbors = 0;
    /// What makes neighbours near, with `neighbors` alone. By distance, lengths are not kept: outputs are centred and
    /// turned to their principal axes.
    Metric metric = Metric::Cosine;
    /// What has priority where d dimensions cannot keep everything; without effect where they can. Balanced: both in
    /// part (matching/faithful_path.hpp).
    Favor favor = Favor::Balanced;
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
/// where d dimensions cannot satisfy all, `favor` says what has priority (faithful/faithful_path.hpp). Time: S in n^2 D
/// / 2 multiplications and additions, then one pass of n^2 (d + 1) / 2 an update, 50 to 200 of them. Memory: S (20
/// bytes for each pair above tau at its peak) and some 30 blocks of n (d + 1) floats, and a copy of the input scaled to
/// unit length when weights are unit. Throws as every method does (methods/registry.hpp); InvalidArgument for a start
/// of another shape and for a checkpoint that was made of other input or options; InputError for a damaged one. Ranks
/// that share the points hold only their own, and all get all coordinates.
///
/// With `neighbors` the local form instead (internal/isogon/faithful/local_objective.hpp): the exact neighbours of all
/// inputs take n^2 D / 2 multiplications and additions, an update one pass of n^2 d / 2; every rank needs all points.
/// `favor` then weighs the pairs above the threshold beside those of neighbours: neighbors 0, balanced 0.1, angles 1.
/// The summary says what was kept ("kept_neighbors", "all_kept", "kept_in_order": shares). Throws InvalidArgument for
/// neighbors >= n.
[[nodiscard]] Embedding faithful(const DistributedPoints& given, const FaithfulOptions& options = {},
                                 const RunContext& context = {}, const FitExtras& extras = {});

[[nodiscard]] Method faithful_method();

}  // namespace isogon
