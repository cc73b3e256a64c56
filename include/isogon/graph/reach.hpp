#pragma once
#include <span>
#include <vector>

#include "isogon/core/csr_matrix.hpp"

namespace isogon {

/// The rows of a square matrix that no chain of nonzero entries, followed in either direction, joins to one of
/// `sources`: ascending. An entry (i, j) joins i and j. O(rows + entries) time in practice, 4 bytes a row.
[[nodiscard]] std::vector<Index> unreached_rows(const CsrMatrix<float>& matrix, std::span<const Index> sources);
[[nodiscard]] std::vector<Index> unreached_rows(const CsrMatrix<double>& matrix, std::span<const Index> sources);

}  // namespace isogon
