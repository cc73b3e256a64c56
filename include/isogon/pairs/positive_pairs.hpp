#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/distributed_points.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/packed_points.hpp"

namespace isogon {

/// One pair i < j and what its product was.
struct PairEntry {
    Index row = 0;
    Index column = 0;
    float value = 0.0F;
};

/// Pairs as a pass over the tiles leaves them: one list a run of tiles, so that threads need not wait for each other.
using PairRuns = std::vector<std::vector<PairEntry>>;

/// All pairs i < j whose product left_i . right_j is above zero. n^2 depth / 2 multiplications; 12 bytes an entry, up
/// to twice that while lists grow. `phase` is what progress calls it.
[[nodiscard]] PairRuns collect_positive_pairs(const PackedPoints& left, const PackedPoints& right,
                                              const RunContext& context, const char* phase);

/// Appends the pairs to the rows of `upper`, which grows to `size` rows and columns; the runs are freed on the way.
/// Each row's pairs must come by ascending column, beyond those it has, as runs do: by ascending block of rows, then of
/// columns.
void append_pairs(Index size, PairRuns& runs, CsrMatrix<float>& upper);

/// All pairs i < j of divided points with x_i . x_j + left_i right_j above zero of which this rank has one point at
/// least. Points travel round the ring of ranks, some `piece` of each rank at a time, and meet those of every other;
/// `left` and `right` hold a number for each of all points. The entries, and the order within each row, are those of
/// collect_positive_pairs on points packed with these numbers. Collective, and what ends one of them ends all.
/// (2 - 1/R) / R n^2 D / 2 multiplications by each of R ranks.
[[nodiscard]] PairRuns collect_positive_pairs_in_ring(const DistributedPoints& x, std::span<const float> left,
                                                      std::span<const float> right, Index piece,
                                                      const RunContext& context, const char* phase);

/// Points of a rank that travel at a time: some 32 MB of them.
[[nodiscard]] Index ring_piece(const DistributedPoints& x);

/// Bytes of packed points that a rank with `own` of them holds at a time.
[[nodiscard]] std::uint64_t pair_ring_bytes(Index own, Index dimension);

}  // namespace isogon
