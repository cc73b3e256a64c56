#pragma once
#include "io/byte_stream.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon {

/// Reads an array of rows as a sparse matrix: zeros are dropped, the first subscript counts rows, the others are
/// flattened. .npy, IDX, csv and tsv keep what float64 holds; other formats are read as read_points() reads them.
/// Throws InputError as read_points() does, and naming row and column of the first NaN or infinity. 12 bytes for each
/// number that is not zero, 24 while .npy in Fortran order is transposed.
[[nodiscard]] CsrMatrix<double> read_dense_matrix(ByteStream& stream, const std::filesystem::path& path, Format format,
                                                  const ReadOptions& options);

}  // namespace isogon
