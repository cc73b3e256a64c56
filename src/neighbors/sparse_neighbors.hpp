#pragma once
#include <cstdint>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "neighbors/sparse_row.hpp"

// Neighbours among the rows of a sparse matrix.
namespace isogon {

/// A search: neighbours of `rows` among `points`, matrices with as many columns.
struct SparseSearch {
    const CsrMatrix<double>& rows;
    const CsrMatrix<double>& points;
    Metric metric = Metric::Cosine;
    bool among_themselves = true;  ///< row i is point i, which is none of its own neighbours
};

/// The k nearest points of every row, exactly and by any metric between points; equal distances by index. Each entry
/// of a row is multiplied with those of its column alone, which an inverted index lists (as in search engines for
/// text): O(sum of squares of the entries of each column) multiplications, and a comparison for each pair of rows.
/// Sums are in float64 by ascending column: the same bits for any number of threads. Memory: sparse_neighbors_bytes().
/// Throws InvalidArgument for more neighbours than there are, LimitExceeded, Interruption.
[[nodiscard]] NeighborLists sparse_neighbors(const SparseSearch& search, Index k, const RunContext& context);

[[nodiscard]] std::uint64_t sparse_neighbors_bytes(const SparseSearch& search, Index k);

}  // namespace isogon
