#pragma once
#include <vector>

#include "isogon/core/csr_matrix.hpp"
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

}  // namespace isogon
