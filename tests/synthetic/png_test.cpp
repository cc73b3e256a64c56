#include "synthetic/png.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/random.hpp"
#include "isogon/core/error.hpp"

namespace isogon::png_test {
namespace {

/// Images of 2 x 3 pixels; each pixel encodes its image and position.
Points numbered(Index count) {
    Points images(count, 6);
    for (Index i = 0; i < count; ++i) {
        for (Index k = 0; k < 6; ++k) {
            images[i][k] = static_cast<float>(10 * (i + 1) + k);
        }
    }
    return images;
}

TEST(ContactSheet, PutsEveryPixelInItsPlace) {
    const Points images = numbered(5);
    const Sheet sheet = contact_sheet(images.view(), 2, 3, 2);
    ASSERT_EQ(sheet.height, 6U);
    ASSERT_EQ(sheet.width, 6U);
    ASSERT_EQ(sheet.pixels.size(), 36U);
    for (Index row = 0; row < sheet.height; ++row) {
        for (Index column = 0; column < sheet.width; ++column) {
            const Index image = row / 2 * 2 + column / 3;
            const Index expected = image < 5 ? 10 * (image + 1) + row % 2 * 3 + column % 3 : 0;
            EXPECT_EQ(sheet.pixels[row * sheet.width + column], expected);
        }
    }
}

TEST(ContactSheet, IsNoWiderThanItsImages) {
    const Points images = numbered(2);
    const Sheet sheet = contact_sheet(images.view(), 2, 3, 100);
    EXPECT_EQ(sheet.height, 2U);
    EXPECT_EQ(sheet.width, 6U);
}

TEST(ContactSheet, FollowsTheStride) {
    const Points images = numbered(4);
    const Sheet sheet = contact_sheet(PointsView(images.view().data, 2, 6, 12), 2, 3, 1);
    EXPECT_EQ(sheet.pixels[0], 10);
    EXPECT_EQ(sheet.pixels[6], 30);
}

TEST(ContactSheet, RoundsAndCutsValues) {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    const std::vector<float> values{-3.0F, 0.4F, 0.6F, 254.7F, 1e9F, infinite, -infinite, std::nanf("")};
    const Sheet sheet = contact_sheet(PointsView(values.data(), 1, 8), 1, 8, 1);
    EXPECT_EQ(sheet.pixels, (std::vector<std::uint8_t>{0, 0, 1, 255, 255, 255, 0, 0}));
}

TEST(ContactSheet, RefusesWhatIsNoSheet) {
    const Points images = numbered(2);
    EXPECT_THROW((void)contact_sheet(images.view(), 2, 3, 0), InvalidArgument);
    EXPECT_THROW((void)contact_sheet(images.view(), 2, 2, 1), InvalidArgument);
    EXPECT_THROW((void)contact_sheet(images.view(), 0, 6, 1), InvalidArgument);
    EXPECT_THROW((void)contact_sheet(PointsView(), 2, 3, 1), InvalidArgument);
    // Sides whose product only matches when it wraps round 32 bits.
    EXPECT_THROW((void)contact_sheet(images.view(), 0x80000003U, 2, 1), InvalidArgument);
    // A view of more rows than fit: refused before a pixel is read.
    EXPECT_THROW((void)contact_sheet(PointsView(images.view().data, 4000000000U, 6, 0), 6, 1, 1), InvalidArgument);
}

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
