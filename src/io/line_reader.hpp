#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "io/byte_stream.hpp"

namespace isogon {

/// The lines of a text, without their ends (LF or CRLF). The last line needs no end. A byte order mark is stepped over.
class LineReader {
public:
    explicit LineReader(ByteStream& stream);

    /// The next line, good until the next call; false at the end. Throws InputError for a line over 64 MiB (some six
    /// million numbers), so that a damaged file cannot fill the memory.
    bool next(std::string_view& line);

    /// What ended the line that next() gave last: "\n", "\r\n", or nothing.
    [[nodiscard]] std::string_view line_end() const { return line_end_; }
    /// Number of the line that next() gave last, from 1.
    [[nodiscard]] std::uint64_t number() const { return number_; }
    /// Throws InputError that names that line.
    [[noreturn]] void fail(const std::string& why) const;
    [[nodiscard]] ByteStream& stream() const { return stream_; }

private:
    ByteStream& stream_;
    std::uint64_t number_ = 0;
    std::string_view line_end_;
    std::size_t shown_ = 0;  ///< bytes that the last line takes in the stream
};

}  // namespace isogon
