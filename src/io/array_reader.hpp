#pragma once
#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/byte_stream.hpp"
#include "io/integer_table.hpp"
#include "io/scalar_type.hpp"
#include "isogon/core/points.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon {

/// Floats that are read from a file, chunk by chunk, into one block of memory.
class GrowingPoints {
public:
    /// Reserves memory for `expected` floats if the size of the file makes that number plausible. Otherwise memory
    /// grows with the data: the header in a few bytes of gzip can claim any size.
    explicit GrowingPoints(const ByteStream& stream, std::uint64_t expected = 0);
    /// Counts floats, and keeps none.
    struct Count {};
    explicit GrowingPoints(Count /*tag*/) : counts_(true) {}

    /// Memory for `count` more floats, which the caller fills; valid until the next call.
    std::span<float> extend(std::size_t count);
    [[nodiscard]] std::size_t size() const { return counts_ ? counted_ : values_.size(); }
    [[nodiscard]] std::vector<float>& values() { return values_; }

    /// Moves the floats into a data set; their number must be a multiple of `dimension`, and that of rows fit an Index.
    /// If floats were only counted, the data set has no more than the numbers of points and dimensions.
    [[nodiscard]] Dataset finish(Index dimension) &&;

private:
    std::vector<float> values_;
    std::size_t counted_ = 0;
    bool counts_ = false;
};

/// Throws InputError if a file holds more rows than an Index counts.
void require_countable(const ByteStream& stream, std::uint64_t rows);

/// a b, or the largest number there is if that overflows.
[[nodiscard]] std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b);

/// The layout of an array of numbers in a file, from the header of .npy or IDX.
struct ArrayLayout {
    ScalarType scalar = ScalarType::Float32;
    std::endian order = std::endian::little;
    bool fortran_order = false;        ///< the first subscript runs fastest
    std::vector<std::uint64_t> shape;  ///< at least one size
};

/// An array as points: the first subscript counts points, the others are flattened (a list of n numbers is (n, 1)).
struct ArrayExtent {
    Index points = 0;
    Index dimension = 0;
    std::uint64_t bytes = 0;

    [[nodiscard]] std::uint64_t numbers() const { return std::uint64_t{points} * dimension; }
};

/// "(60000, 28, 28)"
[[nodiscard]] std::string shape_text(const std::vector<std::uint64_t>& shape);

/// Checks a layout before memory is allocated. Throws InputError if there are no numbers, if the sizes overflow, or if
/// the stream cannot contain them. The stream must be at the first number.
[[nodiscard]] ArrayExtent checked_extent(const ByteStream& stream, const ArrayLayout& layout);

/// The result of describe_file() for an array.
[[nodiscard]] FileInfo describe_array(const ByteStream& stream, const ArrayLayout& layout, Format format);

/// Reads the array from the position of `stream` to the end of the file. Aligned, uncompressed float32 in C order and
/// native byte order is memory-mapped; everything else is converted in one pass (Fortran order: one more pass, and
/// twice the memory).
[[nodiscard]] Dataset read_array(ByteStream& stream, const ArrayLayout& layout);

/// Reads rows of whole numbers. Throws InputError for other types and for Fortran order.
[[nodiscard]] IntegerTable read_integer_rows(ByteStream& stream, const ArrayLayout& layout);

/// Reads one whole number a point. Throws InputError unless the numbers are integers of shape (n) or (n, 1).
[[nodiscard]] std::vector<std::int64_t> read_integers(ByteStream& stream, const ArrayLayout& layout);

/// Reads one label a point: whole numbers as integers or floats, of these NaN is an unknown label. Throws InputError as
/// read_integers() does, and for fractions.
[[nodiscard]] std::vector<std::int64_t> read_array_labels(ByteStream& stream, const ArrayLayout& layout);

/// Reads numbers as float64 to the end of the stream, in the order of the file, and calls use(values, first) for
/// runs of some 64 Ki, `first` being the position of the first.
void for_each_double(ByteStream& stream, const ArrayLayout& layout,
                     const std::function<void(std::span<const double>, std::uint64_t)>& use);

}  // namespace isogon
