#include "core/gzip_packer.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "core/random.hpp"

namespace isogon::gzip_packer_test {
namespace {

std::string packed(std::string_view bytes, std::size_t piece) {
    std::string result;
    GzipPacker packer([&](std::string_view some) { result += some; });
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        packer.write(bytes.substr(at, piece));
    }
    packer.finish();
    return result;
}

/// By zlib itself, which looks at the sum of checks.
std::string unpacked(std::string gzip, std::size_t expected) {
    std::string bytes(expected + 1, '\0');
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(gzip.data());
    stream.avail_in = static_cast<uInt>(gzip.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_out = static_cast<uInt>(bytes.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    bytes.resize(stream.total_out);
    inflateEnd(&stream);
    return bytes;
}

/// Bytes that do not pack, so that the packer's buffer overflows.
std::string noise(std::size_t count) {
    std::string bytes;
    for (std::uint64_t i = 0; i < count; ++i) {
        bytes += static_cast<char>(Random(3, RandomStream::Test, i).bits());
    }
    return bytes;
}

TEST(GzipPacker, RoundTrips) {
    for (const std::string& bytes : {std::string(), std::string("a"), std::string(200000, 'b'), noise(300000)}) {
        EXPECT_EQ(unpacked(packed(bytes, 65536), bytes.size()), bytes);
    }
}

TEST(GzipPacker, IsTheSameWhateverThePieces) {
    const std::string bytes = noise(5000) + std::string(5000, 'c');
    EXPECT_EQ(packed(bytes, 1), packed(bytes, 10000));
}

TEST(GzipPacker, PacksWhatRepeats) {
    EXPECT_LT(packed(std::string(1000000, 'd'), 65536).size(), 2000U);
}

}  // namespace
}  // namespace isogon::gzip_packer_test
