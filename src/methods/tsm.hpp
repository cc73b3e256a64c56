#pragma once
#include <cstdint>
#include <optional>

#include "isogon/methods/method.hpp"

namespace isogon {

/// The unknowns of eq. 2: a low-rank L with S = max(0, L), from which outputs are read off, as in the paper; or the
/// outputs themselves, on spheres of the inputs' lengths.
enum class TsmSolver { LowRank, Sphere };

struct TsmOptions {
    int dimension = 16;  ///< d, numbers for each point, and the rank of L; higher keeps more
    /// tau, the cosine above which angles are kept, in (0, 1). Empty: the cosine that 1% of all pairs exceed, the
    /// paper's share, lower where that would leave more than a quarter of the points without a neighbour above it.
    std::optional<double> threshold{};
    TsmSolver solver = TsmSolver::LowRank;  ///< spheres: about half the deviation (bench/tsm-quality)
    int iterations = 250;                   ///< most updates of L; the paper's number
    /// Share of the residual: a run ends when ten updates in a row change it by less. 0: never. Empty: 1e-3, beyond
    /// which at small d angles get worse again although the residual still falls; on spheres 5e-4, which from 32
    /// dimensions on keeps more pairs.
    std::optional<double> tolerance{};
    std::uint64_t seed = 0;  ///< seed for the threshold's sample, additional vectors, and directions that a start lacks
};

[[nodiscard]] const OptionTable<TsmOptions>& tsm_option_table();

/// Thresholded similarity matching (Saul 2022b): S = max(0, x_i.x_j - tau |x_i||x_j|) is matched by a low-rank L, S ~
/// max(0, L), and the outputs are read off L. See docs/methods/tsm.md. Time n^2 D / 2 for S, then n^2 d an update.
/// Memory: S (8 bytes for each pair above tau) and O(n (D + d)).
/// With solver sphere the outputs themselves are solved for, their lengths fixed: n^2 d / 2 an update, S (20 bytes for
/// each pair at its peak) and some 26 blocks of n d floats. It alone takes a start and checkpoints; InvalidArgument for
/// those with the other, InputError for a checkpoint that is damaged or of other input or options. Ranks that share the
/// points hold only their own, and all get all coordinates.
[[nodiscard]] Embedding tsm(const DistributedPoints& given, const TsmOptions& options = {},
                            const RunContext& context = {}, const FitExtras& extras = {});

[[nodiscard]] Method tsm_method();

}  // namespace isogon
