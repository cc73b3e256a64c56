#pragma once
#include <filesystem>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// Writes a matrix as scipy.sparse.save_npz writes a csr matrix of float64, not packed, for scipy.sparse.load_npz and
/// read_sparse_npz(): int32 for columns (int64 where 2^31 and more of them are), int64 for where rows begin. The same
/// matrix gives the same bytes. All or nothing. Throws OutputError, also for a file of 4 GB or more. Holds one of the
/// matrix's lists once more.
void write_sparse_npz(const std::filesystem::path& path, const CsrMatrix<double>& matrix, const WriteOptions& options);

}  // namespace isogon
