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

/// Where the bytes of a zip member lie, and what they should be once unpacked.
struct ZipExtent {
    std::uint64_t begin = 0;   ///< byte of the archive at which they begin
    std::uint64_t packed = 0;  ///< how many there are
    std::uint64_t bytes = 0;   ///< how many they unpack to
    std::uint32_t checksum = 0;
    bool deflated = false;
};

/// What a member of a zip archive unpacks to. read() throws InputError when the data is corrupt, ends early, is longer
/// than promised, or has another CRC-32 than it should.
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
    std::uint64_t taken_ = 0;  ///< packed bytes that came so far
    std::uint64_t given_ = 0;  ///< unpacked ones
    std::uint32_t checksum_ = 0;
    bool ended_ = false;  ///< of deflated data: its own end was seen
};

/// One file within a zip archive, as the directory at its end tells of it.
struct ZipMember {
    std::string name;
    std::uint16_t method = 0;        ///< 0: stored, 8: deflated
    std::uint32_t checksum = 0;      ///< CRC-32 of the bytes unpacked
    std::uint64_t packed = 0;        ///< bytes in the archive
    std::uint64_t bytes = 0;         ///< bytes unpacked
    std::uint64_t header_begin = 0;  ///< byte of the header that stands before its data
};

/// True if these are the first bytes of a zip archive.
[[nodiscard]] bool is_zip(std::string_view first_bytes);

/// A zip archive (PKWARE's APPNOTE 6.3), with its 64-bit extension: what numpy writes as .npz. Nothing is allocated on
/// the word of a header that the size of the file does not bear out.
class ZipFile {
public:
    /// Reads the directory. Throws InputError for anything but a whole archive of at most 1,000 members on one disk.
    explicit ZipFile(const std::filesystem::path& path);

    [[nodiscard]] const std::vector<ZipMember>& members() const { return members_; }
    [[nodiscard]] bool has(std::string_view name) const;
    /// The member of that name, unpacked as it is read; its end, read, checks its CRC-32. Messages call it
    /// "FILE (member NAME)". Throws InputError if it is missing, encrypted, packed by another method than deflate, or
    /// promises more than its packed bytes can hold.
    [[nodiscard]] std::unique_ptr<ByteStream> open(std::string_view name) const;

private:
    std::filesystem::path path_;
    std::vector<ZipMember> members_;
};

}  // namespace isogon
