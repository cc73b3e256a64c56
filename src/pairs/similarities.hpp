#pragma once
#include <optional>
#include <vector>

#include "distributed/rank_group.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Thresholded similarities S_ij = max(0, x_i.x_j - tau |x_i||x_j|) (Saul 2022b, eq. 3). Symmetric: only i < j is kept.
struct Similarities {
    /// S_ij for i < j, where it is above zero; of ranks only entries with a point of an own block (pair_blocks)
    CsrMatrix<float> upper;
    std::vector<float> diagonal;     ///< S_ii = (1 - tau) |x_i|^2
    double threshold = 0.0;          ///< tau
    double squared_norm = 0.0;       ///< |S|_F^2, both halves and the diagonal
    double unthresholded_sum = 0.0;  ///< T = sum_ij [x_i.x_j - tau |x_i||x_j|] = |sum x|^2 - tau (sum |x|)^2
    RankGroup ranks{};               ///< that hold S together
    std::optional<Offset> pairs_of_all_ranks{};  ///< entries of `upper` over all ranks, each counted once; empty:
                                                 ///< `upper` has all

    [[nodiscard]] Index size() const { return upper.rows; }
    /// Pairs i < j with an entry.
    [[nodiscard]] Offset pairs() const { return pairs_of_all_ranks.value_or(upper.entries()); }
    /// Entries of S that are above zero: both halves and the diagonal.
    [[nodiscard]] double support() const;
    /// n0, entries of S that are zero.
    [[nodiscard]] double zeros() const { return static_cast<double>(size()) * size() - support(); }
};

/// Computes S in one pass over all pairs, thresholded while each tile is in cache. tau in (0, 1). Time n^2 D / 2
/// multiplications and additions; memory 8 bytes an entry of the result, 20 at the peak. Each rank
/// of the points computes and stores the entries of its own (pairs/positive_pairs.hpp).
[[nodiscard]] Similarities thresholded_similarities(const DistributedPoints& points, double threshold,
                                                    const RunContext& context);

/// Extends S from the first s.size() points of `all` to all of them, with the bits of a computation for all at once.
/// O(new n D) time; on ranks, where the local range changes, as much as for all at once.
void append_points(const DistributedPoints& all, Similarities& s, const RunContext& context);

/// Number of other points above the threshold, for each point: 0 means isolated (or a zero vector). On a
/// rank valid for local points.
[[nodiscard]] std::vector<Index> support_degrees(const CsrMatrix<float>& upper);

}  // namespace isogon
