#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/input_file.hpp"

namespace isogon {

/// A file read in order through a buffer, unpacked if it is gzip (by its first bytes). Positions count unpacked bytes.
/// Every message names the file.
class ByteStream {
public:
    /// Throws InputError as InputFile does; also for a file named .gz that is not gzip.
    explicit ByteStream(const std::filesystem::path& path);

    [[nodiscard]] const std::string& source() const { return file_.name(); }
    [[nodiscard]] const InputFile& file() const { return file_; }
    [[nodiscard]] bool gzip() const { return gzip_ != nullptr; }
    [[nodiscard]] std::uint64_t position() const { return position_; }

    /// All that is buffered, and at least `wanted` bytes of it unless the end comes first. Good until the next call.
    std::string_view peek(std::size_t wanted);
    /// Steps over bytes that peek() has shown.
    void skip(std::size_t count);
    [[nodiscard]] bool at_end() { return peek(1).empty(); }

    /// Fills `out`. Throws InputError if the end comes first; `what` says what was being read.
    void read(std::span<char> out, std::string_view what);
    /// Makes `out` the next `count` bytes. Memory is taken as the bytes come, whatever a header promised.
    void read(std::vector<char>& out, std::uint64_t count, std::string_view what);
    /// Throws InputError if anything follows.
    void require_end();
    /// The most bytes that can still come: exact for plain files, a bound for gzip.
    [[nodiscard]] std::uint64_t most_bytes_left() const;
    /// Throws InputError unless `needed` more bytes can come: the check before memory is taken on a header's word.
    void require_bytes(std::uint64_t needed, const std::string& what) const;

    [[noreturn]] void fail(const std::string& place, const std::string& why) const;

private:
    void compact(std::size_t wanted);

    InputFile file_;
    std::unique_ptr<ByteSource> gzip_;
    ByteSource* bytes_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;  ///< what is buffered: [begin_, end_)
    std::size_t end_ = 0;
    std::uint64_t position_ = 0;
    bool ended_ = false;
};

}  // namespace isogon
