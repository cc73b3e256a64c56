#include "isogon/synthetic/png.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/core/random.hpp"

namespace isogon::png_test {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::uint32_t big_endian(const Bytes& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t k = at; k < at + 4; ++k) {
        value = value << 8U | bytes.at(k);
    }
    return value;
}

struct Decoded {
    std::uint32_t height = 0;
    std::uint32_t width = 0;
    std::vector<std::string> chunks;
    Bytes pixels;
};

/// Reads what encode_png may write: 8 bits, grey, filter 0. Checks every CRC.
Decoded decode(const Bytes& file) {
    Decoded image;
    Bytes packed;
    const Bytes signature{137, 80, 78, 71, 13, 10, 26, 10};
    EXPECT_TRUE(std::equal(signature.begin(), signature.end(), file.begin()));
    for (std::size_t at = signature.size(); at < file.size();) {
        const std::uint32_t size = big_endian(file, at);
        const std::string type(file.begin() + static_cast<std::ptrdiff_t>(at) + 4,
                               file.begin() + static_cast<std::ptrdiff_t>(at) + 8);
        const std::uint8_t* data = file.data() + at + 8;
        EXPECT_EQ(big_endian(file, at + 8 + size), crc32(0, file.data() + at + 4, size + 4)) << type;
        if (type == "IHDR") {
            EXPECT_EQ(size, 13U);
            image.width = big_endian(file, at + 8);
            image.height = big_endian(file, at + 12);
            EXPECT_EQ(Bytes(data + 8, data + 13), (Bytes{8, 0, 0, 0, 0}));
        } else if (type == "IDAT") {
            packed.insert(packed.end(), data, data + size);
        }
        image.chunks.push_back(type);
        at += 12 + size;
    }
    Bytes rows(std::size_t{image.height} * (image.width + 1));
    uLongf size = rows.size();
    EXPECT_EQ(uncompress(rows.data(), &size, packed.data(), packed.size()), Z_OK);
    EXPECT_EQ(size, rows.size());
    for (std::size_t begin = 0; begin < rows.size(); begin += image.width + 1) {
        EXPECT_EQ(rows[begin], 0) << "filter";
        image.pixels.insert(image.pixels.end(), rows.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
                            rows.begin() + static_cast<std::ptrdiff_t>(begin + image.width) + 1);
    }
    return image;
}

Bytes random_pixels(std::size_t count) {
    Random random(1, RandomStream::Test, count);
    Bytes pixels(count);
    std::ranges::generate(pixels, [&] { return static_cast<std::uint8_t>(random.below(256)); });
    return pixels;
}

TEST(Png, DecodesToWhatWasEncoded) {
    for (const auto& [height, width] : {std::pair{1U, 1U}, {1U, 40U}, {40U, 1U}, {28U, 31U}}) {
        const Bytes pixels = random_pixels(std::size_t{height} * width);
        const Decoded image = decode(encode_png(pixels, height, width));
        EXPECT_EQ(image.height, height);
        EXPECT_EQ(image.width, width);
        EXPECT_EQ(image.pixels, pixels);
        EXPECT_EQ(image.chunks, (std::vector<std::string>{"IHDR", "IDAT", "IEND"}));
    }
}

TEST(Png, CutsLongDataIntoChunks) {
    const Bytes pixels = random_pixels(std::size_t{1500} * 1500);
    const Decoded image = decode(encode_png(pixels, 1500, 1500));
    EXPECT_EQ(image.pixels, pixels);
    EXPECT_GT(std::ranges::count(image.chunks, "IDAT"), 1);
}

TEST(Png, CompressesWhatRepeats) {
    const Bytes pixels(std::size_t{500} * 500, 7);
    EXPECT_LT(encode_png(pixels, 500, 500).size(), pixels.size() / 100);
}

TEST(Png, RefusesSidesThatDoNotFit) {
    const Bytes pixels(6);
    EXPECT_THROW((void)encode_png(pixels, 2, 2), InvalidArgument);
    EXPECT_THROW((void)encode_png(pixels, 0, 6), InvalidArgument);
    EXPECT_THROW((void)encode_png({}, 0, 0), InvalidArgument);
    EXPECT_THROW((void)encode_png({}, 3, 0), InvalidArgument);
    EXPECT_THROW((void)encode_png(pixels, 0x80000003U, 2), InvalidArgument);
}

}  // namespace
}  // namespace isogon::png_test
