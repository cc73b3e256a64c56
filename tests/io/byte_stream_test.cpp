#include <sys/stat.h>

#include <array>
#include <limits>

#include "core/random.hpp"
#include "io/byte_stream.hpp"
#include "io/files.hpp"

namespace isogon::byte_stream_test {

namespace {

using namespace test;

TEST(InputFile, WhatCannotBeReadIsRefusedByNameAndReason) {
    const TemporaryFolder folder;
    expect_input_error([&] { InputFile(folder / "none"); }, {"none", "does not exist"});
    expect_input_error([&] { InputFile(folder.path()); }, {folder.path().string(), "is a folder"});
    expect_input_error([&] { InputFile(folder.file("void", "")); }, {"void", "is empty"});
    expect_input_error([&] { InputFile("/dev/zero"); }, {"/dev/zero", "not a regular file"});
}

TEST(InputFile, APipeDoesNotMakeItWait) {
    const TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    expect_input_error([&] { InputFile(folder / "pipe"); }, {"pipe", "not a regular file"});
}

TEST(InputFile, NoPermissionIsReported) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("secret", "x");
    fs::permissions(path, fs::perms::none);
    // The superuser may read everything, so run as another user, who must be able to enter the folder.
    const bool superuser = ::geteuid() == 0;
    fs::permissions(folder.path(), fs::perms::all);
    ASSERT_TRUE(!superuser || ::seteuid(65534) == 0);
    const std::string message = message_of([&] { InputFile{path}; });
    ASSERT_TRUE(!superuser || ::seteuid(0) == 0);
    expect_holds(message, {"secret", "no permission"});
}

TEST(InputFile, ReadsMapsAndPeeksTheSameBytes) {
    const TemporaryFolder folder;
    InputFile file(folder.file("x", "hello"));
    EXPECT_EQ(file.size(), 5U);
    EXPECT_EQ(file.first_bytes(3), "hel");
    EXPECT_EQ(file.first_bytes(30), "hello");
    std::array<char, 4> buffer{};
    EXPECT_EQ(file.read(buffer), 4U);
    EXPECT_EQ(std::string(buffer.data(), 4), "hell");
    EXPECT_EQ(file.read(buffer), 1U);
    EXPECT_EQ(file.read(buffer), 0U);
    EXPECT_EQ(std::string(file.map().get(), 5), "hello");
}

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

TEST(GzipSource, IsRecognisedByItsFirstBytes) {
    EXPECT_TRUE(is_gzip(gzip("x")));
    EXPECT_FALSE(is_gzip("\x1f\x8b"));
    EXPECT_FALSE(is_gzip("1,2,3"));
}

std::string numbers(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += std::to_string(i) + '\n';
    }
    return text;
}

TEST(ByteStream, PeeksSkipsAndReadsInOrderPlainAndPacked) {
    const TemporaryFolder folder;
    const std::string text = numbers(300000);  // several buffers long
    for (const auto& path : {folder.file("a", text), folder.file("b", gzip(text))}) {
        ByteStream stream(path);
        EXPECT_EQ(stream.peek(5).substr(0, 5), text.substr(0, 5));
        stream.skip(3);
        EXPECT_EQ(stream.position(), 3U);
        const std::string_view wide = stream.peek(700000);
        ASSERT_GE(wide.size(), 700000U);
        EXPECT_EQ(wide, text.substr(3, wide.size()));
        std::string rest(text.size() - 3, '\0');
        stream.read(rest, "the rest");
        EXPECT_EQ(rest, text.substr(3));
        EXPECT_TRUE(stream.at_end());
        EXPECT_EQ(stream.position(), text.size());
        EXPECT_NO_THROW(stream.require_end());
    }
}

TEST(ByteStream, PeekShowsWhatThereIsWhenTheEndComesFirst) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x", "abc"));
    EXPECT_EQ(stream.peek(10), "abc");
    stream.skip(3);
    EXPECT_EQ(stream.peek(1), "");
}

/// Text of the first 16 planes in UTF-16, by the definition.
std::string utf16(const std::u32string& text, bool high_first) {
    std::string bytes;
    const auto add = [&](char32_t unit) {
        bytes += static_cast<char>(high_first ? unit >> 8 : unit & 0xFF);
        bytes += static_cast<char>(high_first ? unit & 0xFF : unit >> 8);
    };
    add(0xFEFF);
    for (const char32_t c : text) {
        if (c < 0x10000) {
            add(c);
        } else {
            add(0xD800 + (c - 0x10000) / 0x400);
            add(0xDC00 + (c - 0x10000) % 0x400);
        }
    }
    return bytes;
}

TEST(ByteStream, ReadsUtf16AsUtf8) {
    const TemporaryFolder folder;
    std::u32string text = U"a,\u00e9,\u20ac,\U0001F600\r\n";
    std::string utf8 = "a,\xc3\xa9,\xe2\x82\xac,\xf0\x9f\x98\x80\r\n";
    for (int doubled = 0; doubled < 16; ++doubled) {  // more than a buffer
        text += text;
        utf8 += utf8;
    }
    for (const bool high_first : {false, true}) {
        ByteStream stream(folder.file("x.csv", utf16(text, high_first)));
        EXPECT_GE(stream.most_bytes_left(), utf8.size());
        std::string read(utf8.size(), ' ');
        stream.read(read, "the text");
        EXPECT_TRUE(read == utf8);
        EXPECT_TRUE(stream.at_end());
        const std::string whole = utf16(U"abc", high_first);
        const std::string half = high_first ? std::string("\xD8\x00", 2) : std::string("\x00\xD8", 2);
        const auto read_to_end = [&](const std::string& bytes) {
            ByteStream(folder.file("y.csv", bytes)).peek(bytes.size());
        };
        expect_input_error([&] { read_to_end(whole.substr(0, 7)); }, {"y.csv", "byte 7", "truncated"});
        expect_input_error([&] { read_to_end(whole + half); }, {"y.csv", "byte 8", "surrogate"});
        expect_input_error([&] { read_to_end(whole + half + whole.substr(2)); }, {"y.csv", "byte 8", "surrogate"});
    }
    ByteStream other(folder.file("x.fvecs", std::string("\xFF\xFE\0\0rest", 8)));
    EXPECT_EQ(other.peek(8), std::string("\xFF\xFE\0\0rest", 8));
}

TEST(ByteStream, ReadingPastTheEndSaysWhatWasCut) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x", "abc"));
    std::vector<char> bytes;
    expect_input_error([&] { stream.read(bytes, 4, "the fourth byte"); },
                       {"x", "byte 3", "the fourth byte", "truncated"});
}

TEST(ByteStream, ReadsIntoAVectorThatGrows) {
    const TemporaryFolder folder;
    const std::string text(40000000, 'x');
    ByteStream stream(folder.file("x", gzip(text)));
    std::vector<char> bytes;
    stream.read(bytes, text.size(), "all");
    EXPECT_EQ(std::string_view(bytes.data(), bytes.size()), text);
}

TEST(ByteStream, BytesLeftOverAreAnError) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x", "abc"));
    stream.peek(1);
    stream.skip(2);
    expect_input_error([&] { stream.require_end(); }, {"x", "byte 2", "more bytes follow"});
}

TEST(ByteStream, PromisesAreHeldAgainstTheSizeOfTheFile) {
    const TemporaryFolder folder;
    const ByteStream plain(folder.file("x", "abc"));
    EXPECT_NO_THROW(plain.require_bytes(3, "a set"));
    expect_input_error([&] { plain.require_bytes(4, "a set"); }, {"x", "a set", "4 bytes", "has only 3"});
    const std::string packed = gzip("abc");
    const ByteStream zipped(folder.file("y", packed));
    EXPECT_NO_THROW(zipped.require_bytes(1032 * packed.size(), "a set"));
    expect_input_error([&] { zipped.require_bytes(std::numeric_limits<std::uint64_t>::max(), "a set"); },
                       {"y", "cannot unpack to more than"});
}

TEST(ByteStream, ANameThatEndsInGzMustTellTheTruth) {
    const TemporaryFolder folder;
    expect_input_error([&] { ByteStream(folder.file("x.gz", "plain")); }, {"x.gz", "not in gzip format"});
    expect_input_error([&] { ByteStream(folder.file("y.gz", gzip(""))); }, {"y.gz", "empty once unpacked"});
    EXPECT_TRUE(ByteStream(folder.file("z", gzip("text"))).gzip());
}

TEST(ByteStream, APartHasANameAndAnEndOfItsOwn) {
    struct Letters final : ByteSource {
        int left = 10;
        std::size_t read(std::span<char> buffer) override {
            const std::size_t count = std::min<std::size_t>(buffer.size(), static_cast<std::size_t>(left));
            std::fill_n(buffer.begin(), count, 'x');
            left -= static_cast<int>(count);
            return count;
        }
    };
    const TemporaryFolder folder;
    ByteStream stream(folder.file("whole", "0123456789abcdef"), "whole (part)", std::make_unique<Letters>(), 10);
    EXPECT_EQ(stream.source(), "whole (part)");
    EXPECT_FALSE(stream.gzip() || stream.plain());
    EXPECT_EQ(stream.most_bytes_left(), 10U);
    std::string bytes(10, '?');
    stream.read(bytes, "all");
    EXPECT_EQ(bytes, std::string(10, 'x'));
    stream.require_end();
    expect_input_error([&] { stream.require_bytes(1, "more"); }, {"whole (part)", "more needs 1"});
    EXPECT_EQ(most_inflated_bytes(2), 2064U);
    EXPECT_EQ(most_inflated_bytes(~0ULL), ~0ULL);
}

/// Bytes that do not pack, so that the packer's buffer overflows.
std::string noise(std::size_t size) {
    std::string bytes;
    for (std::uint64_t i = 0; i < size; ++i) {
        bytes += static_cast<char>(Random(3, RandomStream::Test, i).bits());
    }
    return bytes;
}

void write(const fs::path& path, const std::string& bytes, std::size_t step) {
    OutputStream out(path, false);
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        out.write(std::string_view(bytes).substr(at, step));
    }
    out.commit();
}

TEST(OutputStream, PacksWhatIsNamedGzAndOnlyThat) {
    const TemporaryFolder folder;
    const std::string bytes = noise(500000);
    for (const char* name : {"x", "x.gz"}) {
        write(folder / name, bytes, 1 + 70000);
        ByteStream back(folder / name);
        EXPECT_EQ(back.gzip(), std::string(name) == "x.gz");
        std::string read(bytes.size(), '\0');
        back.read(read, "all");
        EXPECT_EQ(read, bytes);
        EXPECT_NO_THROW(back.require_end());
    }
}

}  // namespace

}  // namespace isogon::byte_stream_test
