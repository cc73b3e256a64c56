#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_stream.hpp"
#include "isogon/core/archive.hpp"

namespace isogon {

/// The members of a zip archive, stored as they are, one after the other; the same content gives the same bytes.
/// Archives below 4 GB: the 64-bit extension is not written.
class ZipWriter {
public:
    explicit ZipWriter(OutputStream& out) : out_(out) {}

    /// Begins a member; its bytes, of this number and CRC-32, are written to the stream next. Throws OutputError, which
    /// calls the file `path`, if the archive grows to 4 GB.
    void begin_member(const std::string& path, const std::string& name, std::uint64_t bytes, std::uint32_t checksum);
    /// The directory. Call it once, last.
    void finish();

private:
    struct Member {
        std::string name;
        std::uint32_t bytes;
        std::uint32_t checksum;
        std::uint32_t begin;
    };

    OutputStream& out_;
    std::vector<Member> members_;
    std::uint64_t position_ = 0;
};

/// Writes `name`.npy into a zip archive, whose file a message calls `path`: its head (npy_header) or all of its bytes
/// (npy_text), then the numbers. Two passes over them.
void write_npz_member(OutputStream& out, ZipWriter& zip, const std::string& path, const std::string& name,
                      const std::string& head, const Array::Values& numbers);

}  // namespace isogon
