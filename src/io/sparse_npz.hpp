#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// Sparse matrices as scipy.sparse.save_npz writes them: a zip archive of .npy arrays `format`, `shape`, `data`, and
/// `indices` and `indptr` (csr, csc) or `row` and `col` (coo).

struct SparseNpzHead {
    std::string format{};  ///< "csr", "csc", "coo"
    std::string scalar{};  ///< "float64", ...
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::uint64_t entries = 0;
};

/// The description of a matrix, from the small arrays and the headers of the others.
[[nodiscard]] SparseNpzHead read_sparse_npz_head(const std::filesystem::path& path);

/// Reads a matrix, zeros dropped; entries of a row may come in any order. Throws InputError for anything but a whole
/// archive of one of these formats: damaged zip or .npy, arrays whose lengths disagree, indices out of range, NaN and
/// infinity, duplicate entries.
[[nodiscard]] CsrMatrix<double> read_sparse_npz(const std::filesystem::path& path);

/// Writes a matrix as scipy.sparse.save_npz writes a csr matrix of float64, not packed, for scipy.sparse.load_npz and
/// read_sparse_npz(): int32 for columns (int64 where 2^31 and more of them are), int64 for where rows begin. The same
/// matrix gives the same bytes. All or nothing. Throws OutputError, also for a file of 4 GB or more. Needs memory for
/// one more list of the matrix.
void write_sparse_npz(const std::filesystem::path& path, const CsrMatrix<double>& matrix, const WriteOptions& options);

}  // namespace isogon
