#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "io/array_layout.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/io/integer_table.hpp"

namespace isogon {

/// Reads the array that begins where `stream` stands, to the end of the file. Plain float32 in this machine's byte
/// order, C order and aligned is mapped, not read; everything else is converted in one pass (Fortran order: one more,
/// and twice the memory).
[[nodiscard]] Dataset read_array(ByteStream& stream, const ArrayLayout& layout);

/// Reads rows of whole numbers. Throws InputError for other types and for Fortran order.
[[nodiscard]] IntegerTable read_integer_rows(ByteStream& stream, const ArrayLayout& layout);

/// Reads one whole number a point. Throws InputError unless the numbers are integers of shape (n) or (n, 1).
[[nodiscard]] std::vector<std::int64_t> read_integers(ByteStream& stream, const ArrayLayout& layout);

/// Reads numbers as float64 to the end of the stream, in the order of the file, and calls use(values, first) for runs
/// of some 64 Ki, `first` being the position of the first.
void for_each_double(ByteStream& stream, const ArrayLayout& layout,
                     const std::function<void(std::span<const double>, std::uint64_t)>& use);

}  // namespace isogon
