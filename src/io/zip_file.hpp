#pragma once
#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_stream.hpp"

namespace isogon {

/// The position of a zip member in its archive, with the expected size and CRC-32 of its uncompressed bytes.
struct ZipExtent {
    std::uint64_t begin = 0;   ///< position of the first byte in the archive
    std::uint64_t packed = 0;  ///< compressed bytes
    std::uint64_t bytes = 0;   ///< uncompressed bytes
    std::uint32_t checksum = 0;
    bool deflated = false;
};

/// The uncompressed bytes of a member of a zip archive. read() throws InputError if the data are corrupt, end early, or
/// disagree with the directory in length or CRC-32.
class ZipSource final : public ByteSource {
public:
    /// `name` is what messages call the member.
    ZipSource(const std::filesystem::path& path, std::string name, const ZipExtent& extent);
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
    ZipExtent extent_;
    std::vector<char> input_;
    z_stream stream_{};
    std::uint64_t taken_ = 0;  ///< compressed bytes that were read
    std::uint64_t given_ = 0;  ///< uncompressed bytes that were returned
    std::uint32_t checksum_ = 0;
    bool ended_ = false;  ///< deflated data: the end of the stream was reached
};

/// One file within a zip archive, from the directory at the end of the archive.
struct ZipMember {
    std::string name;
    std::uint16_t method = 0;        ///< 0: stored, 8: deflated
    std::uint32_t checksum = 0;      ///< CRC-32 of the bytes unpacked
    std::uint64_t packed = 0;        ///< bytes in the archive
    std::uint64_t bytes = 0;         ///< bytes unpacked
    std::uint64_t header_begin = 0;  ///< byte of the header that precedes its data
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

}  // namespace isogon
