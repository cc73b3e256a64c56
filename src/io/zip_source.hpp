#pragma once
#include <zlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/byte_source.hpp"
#include "io/input_file.hpp"

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

}  // namespace isogon
