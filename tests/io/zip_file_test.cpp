#include <algorithm>

#include "io/files.hpp"
#include "io/zip_bytes.hpp"
#include "io/zip_file.hpp"

namespace isogon::zip_file_test {

namespace {

using namespace test;

std::string sample() {
    std::string text;
    for (int i = 0; i < 60000; ++i) {
        text += std::to_string(i);
    }
    return text;
}

ZipMember member(std::uint64_t packed, std::uint64_t bytes, std::uint32_t checksum, bool deflate) {
    return {
        .method = static_cast<std::uint16_t>(deflate ? 8 : 0), .checksum = checksum, .packed = packed, .bytes = bytes};
}

/// The content unpacked from `bytes`, which lie behind three others.
std::string unpack(const std::string& bytes, const ZipMember& member, std::size_t step) {
    const TemporaryFolder folder;
    ZipSource source(folder.file("x.npz", "..." + bytes + "..."), "x.npz (member a)", member, 3);
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
        EXPECT_EQ(unpack(packed, member(packed.size(), text.size(), crc32_of(0, text), true), step), text) << step;
        EXPECT_EQ(unpack(text, member(text.size(), text.size(), crc32_of(0, text), false), step), text) << step;
    }
    EXPECT_EQ(unpack(deflated(""), member(deflated("").size(), 0, 0, true), 10), "");
    EXPECT_EQ(unpack("", member(0, 0, 0, false), 10), "");
}

TEST(ZipSource, EveryTruncationIsFound) {
    const std::string text = "the quick brown fox, the quick brown fox";
    const std::string packed = deflated(text);
    for (std::size_t size = 0; size < packed.size(); ++size) {
        const ZipMember cut = member(size, text.size(), crc32_of(0, text), true);
        expect_input_error([&] { unpack(packed, cut, 100); }, {"x.npz (member a)", "byte ", "damaged"});
    }
}

TEST(ZipSource, WrongLengthsAndChecksumsAreFound) {
    const std::string text = "the quick brown fox";
    const std::string packed = deflated(text);
    const std::uint32_t crc = crc32_of(0, text);
    expect_input_error([&] { unpack(packed, member(packed.size(), text.size(), crc + 1, true), 100); }, {"CRC-32"});
    expect_input_error([&] { unpack(text, member(text.size(), text.size(), crc + 1, false), 100); }, {"CRC-32"});
    expect_input_error([&] { unpack(packed, member(packed.size(), text.size() - 1, crc, true), 100); },
                       {"longer than"});
    expect_input_error([&] { unpack(packed, member(packed.size(), text.size() + 1, crc, true), 100); },
                       {"another length"});
    expect_input_error([&] { unpack(packed, member(packed.size() + 1, text.size(), crc, true), 100); },
                       {"another length"});
    expect_input_error([&] { unpack("\xff\xff\xff", member(3, 9, 0, true), 100); }, {"corrupt"});
}

std::string content_of(const ZipFile& zip, const std::string& name) {
    const auto stream = zip.open(name);
    std::vector<char> bytes;
    stream->read(bytes, stream->most_bytes_left(), "all");
    stream->require_end();
    return {bytes.begin(), bytes.end()};
}

std::string first_of(const std::string& bytes) {
    const TemporaryFolder folder(memory_folder());
    const ZipFile zip(folder.file("x.npz", bytes));
    return content_of(zip, zip.members().at(0).name);
}

TEST(ZipFile, ReadsEveryKindThatIsWritten) {
    const TemporaryFolder folder;
    for (const bool deflate : {false, true}) {
        for (const bool wide : {false, true}) {
            for (const std::string comment : {"", "a comment PK\x05\x06 that looks like an end"}) {
                const std::string bytes =
                    zip({{"a.npy", "the quick brown fox"}, {"b", ""}, {"c", std::string(70000, 'c')}},
                        {.deflate = deflate, .wide = wide, .comment = comment});
                const ZipFile file(folder.file("x.npz", bytes));
                ASSERT_EQ(file.members().size(), 3U);
                EXPECT_TRUE(file.has("b"));
                EXPECT_FALSE(file.has("d"));
                EXPECT_EQ(content_of(file, "a.npy"), "the quick brown fox");
                EXPECT_EQ(content_of(file, "c"), std::string(70000, 'c'));
                EXPECT_TRUE(file.open("b")->at_end());
                EXPECT_FALSE(file.open("c")->plain());
                expect_input_error([&] { return file.open("d"); }, {"x.npz", "no member d"});
            }
        }
    }
}

TEST(ZipFile, WhatCannotBeReadIsReported) {
    expect_input_error([] { first_of(zip({{"a", "x"}}, {.flags = 1})); }, {"x.npz", "encrypted"});
    expect_input_error([] { first_of(zip({{"a", "x"}}, {.method = 12})); }, {"member a", "method 12"});
    expect_input_error([] { first_of("not a zip archive at all, but long enough"); }, {"no directory"});
    const std::vector<std::pair<std::string, std::string>> many(1001, {"a", ""});
    expect_input_error([&] { first_of(zip(many)); }, {"1001 members"});
    EXPECT_TRUE(is_zip(zip({{"a", "x"}})));
    EXPECT_FALSE(is_zip("PK"));
}

TEST(ZipFile, LengthsThatLieTakeNoMemory) {
    for (const bool deflate : {false, true}) {
        for (const bool wide : {false, true}) {
            const ZipOptions lie{.deflate = deflate, .wide = wide, .claimed = wide ? 1ULL << 60U : 1ULL << 31U};
            expect_input_error([&] { first_of(zip({{"a", "x"}}, lie)); }, {"member a", "damaged"});
        }
    }
}

TEST(ZipFile, EveryTruncationIsRefused) {
    const std::string bytes = zip({{"a", "the quick brown fox"}}, {.deflate = true, .wide = true});
    for (std::size_t size = 1; size < bytes.size(); ++size) {
        expect_input_error([&] { first_of(bytes.substr(0, size)); }, {"x.npz"});
    }
}

TEST(ZipFile, FlippedBytesAreFoundOrHarmless) {
    for (const bool wide : {false, true}) {
        const std::string bytes = zip({{"a", "the quick brown fox"}}, {.deflate = true, .wide = wide});
        int found = 0;
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            std::string bad = bytes;
            bad[at] = static_cast<char>(bad[at] ^ 0xff);
            try {
                // Times, versions and names may change unharmed.
                EXPECT_EQ(first_of(bad), "the quick brown fox") << at;
            } catch (const InputError& error) {
                expect_holds(error.what(), {"x.npz"});
                ++found;
            } catch (const std::out_of_range&) {
                ++found;  // an archive without members
            }
        }
        EXPECT_GT(found, 30);
    }
}

TEST(ZipWriter, WhatIsWrittenIsReadBack) {
    const TemporaryFolder folder;
    const std::vector<std::pair<std::string, std::string>> members = {
        {"a.npy", "one"}, {"empty", ""}, {"long.npy", std::string(300000, 'x')}};
    OutputStream out(folder / "x.npz", false);
    ZipWriter writer(out, "x.npz");
    for (const auto& [name, bytes] : members) {
        writer.begin_member(name, bytes.size(), crc32_of(0, bytes));
        out.write(bytes);
    }
    writer.finish();
    out.commit();
    const ZipFile file(folder / "x.npz");
    ASSERT_EQ(file.members().size(), members.size());
    for (const auto& [name, bytes] : members) {
        EXPECT_EQ(content_of(file, name), bytes) << name;
    }
}

TEST(ZipWriter, FourGigabytesAreTooMany) {
    const TemporaryFolder folder;
    OutputStream out(folder / "x.npz", false);
    ZipWriter writer(out, "x.npz");
    expect_holds(message_of<OutputError>([&] { writer.begin_member("W.npy", 1ULL << 32U, 0); }),
                 {"x.npz", "W.npy", "4 GB"});
    expect_holds(message_of<OutputError>([&] { writer.begin_member("W.npy", (1ULL << 32U) - 50, 0); }), {"4 GB"});
}

}  // namespace

}  // namespace isogon::zip_file_test
