#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>
#include <string>
#include <vector>

#include "core/sha256.hpp"
#include "io/file_set.hpp"
#include "io/files.hpp"

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
