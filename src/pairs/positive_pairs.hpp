#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "linalg/packed_points.hpp"

namespace isogon {

/// A pair i < j and its product.
struct PairEntry {
    Index row = 0;
    Index column = 0;
    float value = 0.0F;
};

/// Pairs in the order of a pass over the tiles: one list for each run of tiles, so that threads need no locks.
using PairRuns = std::vector<std::vector<PairEntry>>;

/// All pairs i < j with a product left_i . right_j above zero. n^2 depth / 2 multiplications; 12 bytes an entry, up to
/// twice that while lists grow. `phase` names the phase in progress reports.
[[nodiscard]] PairRuns collect_positive_pairs(const PackedPoints& left, const PackedPoints& right,
                                              const RunContext& context, const char* phase);

/// Appends the pairs to the rows of `upper`, which grows to `size` rows and columns. The runs are freed one after the
/// other. The pairs of each row must be in ascending order of column and beyond its existing entries, which the runs
/// are: by ascending block of rows, then of columns.
void append_pairs(Index size, PairRuns& runs, CsrMatrix<float>& upper);

/// A number for each of all points, the last component of what is packed: as the first and as the second of a pair.
struct LastComponents {
    std::span<const float> left;
    std::span<const float> right;
};

/// All pairs i < j of distributed points with x_i . x_j + left_i right_j above zero and at least one local point.
/// Points are shifted around the ring of ranks, `piece` of each rank at a time, and compared with the local points of
/// every other rank. The entries, and the order within each row, are those of collect_positive_pairs on points packed
/// with these numbers. Collective; an interruption of one rank ends all. (2 - 1/R) / R n^2 D / 2 multiplications by
/// each of R ranks.
[[nodiscard]] PairRuns collect_positive_pairs_in_ring(const DistributedPoints& x, const LastComponents& last,
                                                      Index piece, const RunContext& context, const char* phase);

/// Points of a rank that are shifted at a time: about 32 MB.
[[nodiscard]] Index ring_piece(const DistributedPoints& x);

/// Peak bytes of packed points on a rank with `own` local points.
[[nodiscard]] std::uint64_t pair_ring_bytes(Index own, Index dimension);

}  // namespace isogon
