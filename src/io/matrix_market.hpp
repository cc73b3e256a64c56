#pragma once
#include "io/byte_stream.hpp"
#include "isogon/core/csr_matrix.hpp"

namespace isogon {

/// Reads a Matrix Market file, zeros dropped, the other half of a symmetric matrix filled in. Throws InputError naming
/// the line: as read_matrix_market_head() does; for a row or column that is not there, text where a number belongs, NaN
/// and infinity, an entry that is there twice, more or fewer entries than the head says.
[[nodiscard]] CsrMatrix<double> read_matrix_market(ByteStream& stream);

}  // namespace isogon
