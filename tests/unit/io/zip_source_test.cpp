#include "io/zip_source.hpp"

#include "unit/io/files.hpp"
#include "unit/io/zip_bytes.hpp"

namespace isogon::zip_source_test {
namespace {

using namespace test;

std::string sample() {
    std::string text;
    for (int i = 0; i < 60000; ++i) {
        text += std::to_string(i);
    }
    return text;
}

std::uint32_t crc32_of(const std::string& bytes) {
    return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// What comes of `bytes`, which lie behind three others.
std::string unpack(const std::string& bytes, const ZipExtent& extent, std::size_t step) {
    const TemporaryFolder folder;
    ZipSource source(folder.file("x.npz", "..." + bytes + "..."), "x.npz (member a)", extent);
    std::string all;
    std::string buffer(step, '\0');
    while (const std::size_t got = source.read(buffer)) {
        all.append(buffer, 0, got);
    }
    return all;
}

TEST(ZipSource, UnpacksInStepsOfAnySize) {
    const std::string text = sample();
    const std::string packed = deflated(text);
    for (const std::size_t step : {7UL, 4096UL, 10000000UL}) {
        EXPECT_EQ(unpack(packed, {3, packed.size(), text.size(), crc32_of(text), true}, step), text) << step;
        EXPECT_EQ(unpack(text, {3, text.size(), text.size(), crc32_of(text), false}, step), text) << step;
    }
    EXPECT_EQ(unpack(deflated(""), {3, deflated("").size(), 0, 0, true}, 10), "");
    EXPECT_EQ(unpack("", {3, 0, 0, 0, false}, 10), "");
}

TEST(ZipSource, EveryTruncationIsFound) {
    const std::string text = "the quick brown fox, the quick brown fox";
    const std::string packed = deflated(text);
    for (std::size_t size = 0; size < packed.size(); ++size) {
        const ZipExtent extent{3, size, text.size(), crc32_of(text), true};
        expect_input_error([&] { unpack(packed, extent, 100); }, {"x.npz (member a)", "byte ", "damaged"});
    }
}

TEST(ZipSource, WrongLengthsAndChecksumsAreFound) {
    const std::string text = "the quick brown fox";
    const std::string packed = deflated(text);
    const std::uint32_t crc = crc32_of(text);
    expect_input_error([&] { unpack(packed, {3, packed.size(), text.size(), crc + 1, true}, 100); }, {"CRC-32"});
    expect_input_error([&] { unpack(text, {3, text.size(), text.size(), crc + 1, false}, 100); }, {"CRC-32"});
    expect_input_error([&] { unpack(packed, {3, packed.size(), text.size() - 1, crc, true}, 100); }, {"longer than"});
    expect_input_error(
        [&] {
            unpack(packed, {3, packed.size(), text.size() + 1, crc, true}, 100);
        },
        {"another length"});
    expect_input_error(
        [&] {
            unpack(packed, {3, packed.size() + 1, text.size(), crc, true}, 100);
        },
        {"another length"});
    expect_input_error([&] { unpack("\xff\xff\xff", {3, 3, 9, 0, true}, 100); }, {"corrupt"});
}

}  // namespace
}  // namespace isogon::zip_source_test
