#pragma once
// Zip archives: their members are read by ZipFile and written by ZipWriter.

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/byte_stream.hpp"
#include "isogon/core/archive.hpp"

namespace isogon::zip_signature {

// Signatures of the records of a zip archive (APPNOTE 6.3).
inline constexpr std::uint32_t local = 0x04034b50;
inline constexpr std::uint32_t entry = 0x02014b50;
inline constexpr std::uint32_t wide_end = 0x06064b50;
inline constexpr std::uint32_t wide_locator = 0x07064b50;
inline constexpr std::uint32_t end = 0x06054b50;

}  // namespace isogon::zip_signature

namespace isogon {

/// CRC-32, as zip archives have it, of bytes that follow others whose checksum is `before`; 0: none.
[[nodiscard]] inline std::uint32_t crc32_of(std::uint32_t before, std::string_view bytes) {
    return static_cast<std::uint32_t>(::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// One file within a zip archive, from the directory at the end of the archive.
struct ZipMember {
    std::string name{};
    std::uint16_t method = 0;        ///< 0: stored, 8: deflated
    std::uint32_t checksum = 0;      ///< CRC-32 of the bytes unpacked
    std::uint64_t packed = 0;        ///< bytes in the archive
    std::uint64_t bytes = 0;         ///< bytes unpacked
    std::uint64_t header_begin = 0;  ///< byte of the header that precedes its data
};

/// The uncompressed bytes of a member of a zip archive. read() throws InputError if the data are corrupt, end early, or
/// disagree with the directory in length or CRC-32.
class ZipSource final : public ByteSource {
public:
    /// `name` is what messages call the member, `begin` the position of its first byte in the archive.
    ZipSource(const std::filesystem::path& path, std::string name, const ZipMember& member, std::uint64_t begin);
    ~ZipSource() override;
    std::size_t read(std::span<char> buffer) override;

private:
    std::size_t copy(std::span<char> buffer);
    std::size_t inflate_into(std::span<char> buffer);
    void refill();
    void check_end() const;
    [[noreturn]] void fail(const std::string& why) const;

    InputFile file_;
    std::string name_;
    ZipMember member_;
    std::uint64_t begin_;
    bool deflated_;
    std::vector<char> input_;
    z_stream stream_{};
    std::uint64_t taken_ = 0;  ///< compressed bytes that were read
    std::uint64_t given_ = 0;  ///< uncompressed bytes that were returned
    std::uint32_t checksum_ = 0;
    bool ended_ = false;  ///< deflated data: the end of the stream was reached
};

/// True if these are the first bytes of a zip archive.
[[nodiscard]] bool is_zip(std::string_view first_bytes);

/// A zip archive (PKWARE's APPNOTE 6.3), with its 64-bit extension: what numpy writes as .npz. No memory is allocated
/// for a size in a header that exceeds the size of the file.
class ZipFile {
public:
    /// Reads the directory. Throws InputError for anything but a whole archive of at most 1,000 members on one disk.
    explicit ZipFile(const std::filesystem::path& path);

    [[nodiscard]] const std::vector<ZipMember>& members() const { return members_; }
    [[nodiscard]] bool has(std::string_view name) const;
    /// The member of that name, decompressed while it is read; its CRC-32 is checked at its end. Messages call it "FILE
    /// (member NAME)". Throws InputError if it is missing, encrypted, compressed by another method than deflate, or
    /// larger by its header than its compressed bytes can hold.
    [[nodiscard]] std::unique_ptr<ByteStream> open(std::string_view name) const;

private:
    std::filesystem::path path_;
    std::vector<ZipMember> members_;
};

/// The members of a zip archive, stored as they are, one after the other; the same content gives the same bytes.
/// Archives below 4 GB: the 64-bit extension is not written.
class ZipWriter {
public:
    /// Messages call the file `path`.
    ZipWriter(OutputStream& out, std::string path) : out_(out), path_(std::move(path)) {}

    /// Begins a member; its bytes, of this number and CRC-32, are written to the stream next. Throws OutputError if the
    /// archive grows to 4 GB.
    void begin_member(const std::string& name, std::uint64_t bytes, std::uint32_t checksum);
    /// Writes `name`.npy: its head (npy_header) or all of its bytes (npy_text), then the numbers. Two passes over them.
    void add_npy(const std::string& name, const std::string& head, const Array::Values& numbers);
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
    std::string path_;
    std::vector<Member> members_;
    std::uint64_t position_ = 0;
};

}  // namespace isogon
