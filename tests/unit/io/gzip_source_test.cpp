#include "io/gzip_source.hpp"

#include "unit/io/files.hpp"

namespace isogon::gzip_source_test {
namespace {

using namespace test;

std::string unpack(const std::string& packed, std::size_t step) {
    const TemporaryFolder folder;
    InputFile file(folder.file("x.gz", packed));
    GzipSource source(file);
    std::string bytes;
    std::string buffer(step, '\0');
    while (const std::size_t got = source.read(buffer)) {
        bytes.append(buffer, 0, got);
    }
    return bytes;
}

std::string sample() {
    std::string text;
    for (int i = 0; i < 100000; ++i) {
        text += std::to_string(i);
    }
    return text;
}

TEST(GzipSource, UnpacksInStepsOfAnySize) {
    const std::string text = sample();
    for (const std::size_t step : {7UL, 4096UL, 10000000UL}) {
        EXPECT_EQ(unpack(gzip(text), step), text) << step;
    }
}

TEST(GzipSource, JoinsMembers) {
    EXPECT_EQ(unpack(gzip("one ") + gzip("") + gzip("two"), 100), "one two");
}

TEST(GzipSource, EveryTruncationIsFound) {
    const std::string packed = gzip("the quick brown fox");
    for (std::size_t size = 1; size < packed.size(); ++size) {
        expect_input_error([&] { unpack(packed.substr(0, size), 100); }, {"x.gz", "byte ", "truncated"});
    }
}

TEST(GzipSource, AFlippedBitIsFoundOrHarmless) {
    const std::string text = "the quick brown fox";
    const std::string packed = gzip(text);
    int found = 0;
    for (std::size_t at = 0; at < packed.size(); ++at) {
        std::string bad = packed;
        bad[at] = static_cast<char>(bad[at] ^ 0x10);
        try {
            // The header's time and the bits that fill up the last byte of the data may change unharmed.
            EXPECT_EQ(unpack(bad, 100), text) << at;
        } catch (const InputError& error) {
            expect_holds(error.what(), {"x.gz", "byte "});
            ++found;
        }
    }
    EXPECT_GT(found, static_cast<int>(text.size()));
}

TEST(GzipSource, WhatFollowsIsNotIgnored) {
    expect_input_error([] { unpack(gzip("data") + "garbage", 100); }, {"x.gz", "followed by something else"});
    expect_input_error([] { unpack(gzip("data") + gzip("more").substr(0, 12), 100); }, {"x.gz", "truncated"});
}

TEST(GzipSource, IsToldByItsFirstBytes) {
    EXPECT_TRUE(is_gzip(gzip("x")));
    EXPECT_FALSE(is_gzip("\x1f\x8b"));
    EXPECT_FALSE(is_gzip("1,2,3"));
}

}  // namespace
}  // namespace isogon::gzip_source_test
