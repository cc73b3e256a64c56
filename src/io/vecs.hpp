#pragma once
#include <cstdint>
#include <vector>

#include "io/byte_stream.hpp"
#include "io/scalar_type.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/io/integer_table.hpp"

namespace isogon {

/// .fvecs, .bvecs, .ivecs (the TEXMEX sets of H. Jegou and others): every point is its dimension as a little-endian
/// int32, then that many float32, uint8 or int32. The dimension must be positive and the same for all points.

/// The numbers that `format` holds; Fvecs, Bvecs or Ivecs.
[[nodiscard]] ScalarType vecs_scalar(Format format);

/// Reads all points. Throws InputError naming row and byte.
[[nodiscard]] Dataset read_vecs(ByteStream& stream, Format format);

/// Reads all rows of a .bvecs or .ivecs file as whole numbers.
[[nodiscard]] IntegerTable read_vecs_integers(ByteStream& stream, Format format);

/// Reads one whole number a point from .bvecs or .ivecs of dimension 1.
[[nodiscard]] std::vector<std::int64_t> read_vecs_labels(ByteStream& stream, Format format);

/// Shape and type: from the first row and the size of the file, or, packed, by reading it.
[[nodiscard]] FileInfo describe_vecs(ByteStream& stream, Format format);

}  // namespace isogon
