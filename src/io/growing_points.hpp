#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "io/byte_stream.hpp"
#include "isogon/io/dataset.hpp"

namespace isogon {

/// Floats that come from a file, chunk by chunk, into one block of memory.
class GrowingPoints {
public:
    /// Takes room for `expected` floats at once if the size of the file makes the number believable, else as they come:
    /// a few bytes of gzip can promise anything.
    explicit GrowingPoints(const ByteStream& stream, std::uint64_t expected = 0);

    /// Room for `count` more floats, to be filled; good until the next call.
    std::span<float> extend(std::size_t count);
    /// The last extension turned out shorter.
    void drop_last(std::size_t count) { values_.resize(values_.size() - count); }
    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] std::vector<float>& values() { return values_; }

    /// Hands the floats over as points; their number must be a multiple of `dimension`, and the rows fit an Index.
    [[nodiscard]] Dataset finish(Index dimension) &&;

private:
    std::vector<float> values_;
};

/// Throws InputError if a file holds more rows than an Index counts.
void require_countable(const ByteStream& stream, std::uint64_t rows);

}  // namespace isogon
