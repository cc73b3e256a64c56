#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>
#include <string>
#include <vector>

#include "isogon/core/sha256.hpp"
#include "isogon/io/file_set.hpp"
#include "unit/io/files.hpp"

namespace isogon::file_set_test {

namespace {

using namespace test;

std::vector<std::string> names_in(const TemporaryFolder& folder, const std::string& pattern) {
    std::vector<std::string> names;
    for (const std::string& path : expand_pattern((folder / pattern).string())) {
        names.push_back(fs::path(path).lexically_relative(folder.path()).string());
    }
    return names;
}

using Names = std::vector<std::string>;

TEST(FilePattern, MeansWhatTheShellMeans) {
    const TemporaryFolder folder;
    for (const char* name : {"b.npy", "a.npy", "a10.npy", "a2.npy", "c.csv", ".hidden.npy"}) {
        static_cast<void>(folder.file(name, "x"));
    }
    EXPECT_EQ(names_in(folder, "*.npy"), (Names{"a.npy", "a10.npy", "a2.npy", "b.npy"}));
    EXPECT_EQ(names_in(folder, "a?.npy"), Names{"a2.npy"});
    EXPECT_EQ(names_in(folder, "[bc].*"), (Names{"b.npy", "c.csv"}));
    EXPECT_EQ(names_in(folder, ".h*"), Names{".hidden.npy"});
}

TEST(FilePattern, FoldersMayBePatternsToo) {
    const TemporaryFolder folder;
    for (const char* name : {"y", "x"}) {
        fs::create_directory(folder / name);
        static_cast<void>(folder.file(std::string(name) + "/p.npy", "x"));
    }
    EXPECT_EQ(names_in(folder, "*/p.npy"), (Names{"x/p.npy", "y/p.npy"}));
}

TEST(FilePattern, SortsByBytesInAnyLanguage) {
    const TemporaryFolder folder;
    const Names sorted{"B.npy", "a.npy", "\xc3\xa4.npy"};
    for (const std::string& name : sorted) {
        static_cast<void>(folder.file(name, "x"));
    }
    EXPECT_EQ(names_in(folder, "*.npy"), sorted);
}

TEST(FilePattern, APlainNameStaysAsItIs) {
    const TemporaryFolder folder;
    EXPECT_EQ(expand_pattern("nowhere.npy"), Names{"nowhere.npy"});
    // A file may really be called so, and another may match.
    static_cast<void>(folder.file("a[1].npy", "x"));
    static_cast<void>(folder.file("a1.npy", "x"));
    EXPECT_EQ(names_in(folder, "a[1].npy"), Names{"a[1].npy"});
}

TEST(FilePattern, WithoutAFileItIsRefused) {
    const TemporaryFolder folder;
    expect_input_error([&] { return expand_pattern((folder / "*.npy").string()); }, {"*.npy", "no file matches"});
}

std::string numbered(std::size_t i) {
    return "part-" + std::to_string(i) + ".npy";
}

TEST(NumberedNames, EveryNameLeftOutOfASeriesIsFound) {
    constexpr std::size_t count = 12;
    for (std::size_t left_out = 1; left_out + 1 < count; ++left_out) {
        Names names;
        for (std::size_t i = count; i-- > 0;) {  // in any order
            if (i != left_out) {
                names.push_back(numbered(i));
            }
        }
        EXPECT_EQ(missing_names(names), Names{numbered(left_out)});
    }
}

TEST(NumberedNames, AWholeSeriesLacksNothing) {
    EXPECT_EQ(missing_names({"part-9.npy", "part-10.npy", "part-11.npy"}), Names{});
    EXPECT_EQ(missing_names({"a.npy", "b.npy"}), Names{});
    EXPECT_EQ(missing_names({"part-3.npy"}), Names{});
    EXPECT_EQ(missing_names({}), Names{});
}

TEST(NumberedNames, ZerosInFrontAreKept) {
    EXPECT_EQ(missing_names({"x007.npy", "x008.npy", "x010.npy"}), Names{"x009.npy"});
}

TEST(NumberedNames, NamesThatSayHowManyTheyAreAreCounted) {
    EXPECT_EQ(missing_names({"x-00000-of-00004.npy", "x-00001-of-00004.npy", "x-00002-of-00004.npy"}),
              Names{"x-00003-of-00004.npy"});
    // Counted from 1 where the last has the number of all.
    EXPECT_EQ(missing_names({"x-2-of-3.npy", "x-3-of-3.npy"}), Names{"x-1-of-3.npy"});
    EXPECT_EQ(missing_names({"x-0-of-2.npy", "x-1-of-2.npy"}), Names{});
}

TEST(NumberedNames, SeveralSeriesAreLookedAtEachByItself) {
    EXPECT_EQ(missing_names({"a1.npy", "a3.npy", "a4.npy", "b6.npy", "b7.npy", "b9.npy"}), (Names{"a2.npy", "b8.npy"}));
}

TEST(NumberedNames, NumbersThatCountNothingAreLeftAlone) {
    EXPECT_EQ(missing_names({"user-3.npy", "user-2715.npy", "user-88.npy"}), Names{});
    EXPECT_EQ(missing_names({"2026-10-30.npy", "2026-10-31.npy", "2026-11-02.npy"}), Names{});
    EXPECT_EQ(missing_names({"x-123456789012345678901.npy", "x-123456789012345678903.npy"}), Names{});
}

TEST(NumberedNames, NotMoreThanAskedForAreNamed) {
    Names names;
    for (std::size_t i = 0; i < 60; i += i % 3 == 0 ? 1 : 2) {
        names.push_back(numbered(i));
    }
    EXPECT_EQ(missing_names(names, 3).size(), 3U);
}

TEST(FileDigest, IsTheDigestOfTheBytes) {
    const TemporaryFolder folder;
    std::string bytes;
    for (const std::size_t length : {1U, 64U, 999999U, 1000000U, 2500001U}) {
        while (bytes.size() < length) {
            bytes += static_cast<char>(bytes.size() * 31 / 7);
        }
        bytes.resize(length);
        Sha256 digest;
        digest.add(bytes);
        EXPECT_EQ(file_digest(folder.file("x", bytes)), digest.hex()) << length;
    }
}

TEST(FileDigest, WhatCannotBeReadIsReported) {
    const TemporaryFolder folder;
    expect_input_error([&] { return file_digest(folder / "none"); }, {"none", "does not exist"});
    expect_input_error([&] { return file_digest(folder.path()); }, {"is a folder"});
}

TEST(FileText, IsAllBytesOfARegularFile) {
    const TemporaryFolder folder;
    const std::string bytes(300000, '\0');
    EXPECT_EQ(file_text(folder.file("x", bytes + "end")), bytes + "end");
    expect_input_error([&] { return file_text(folder / "none"); }, {"none", "does not exist"});
    expect_input_error([&] { return file_text(folder.path()); }, {"is a folder"});
    expect_input_error([&] { return file_text("/dev/zero"); }, {"/dev/zero", "is not a regular file"});
}

TEST(FileDigest, CanBeStopped) {
    const TemporaryFolder folder;
    std::stop_source source;
    source.request_stop();
    RunContext context;
    context.stop = source.get_token();
    EXPECT_THROW(static_cast<void>(file_digest(folder.file("x", "y"), context)), Interruption);
}

}  // namespace

}  // namespace isogon::file_set_test
