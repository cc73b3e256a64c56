#include "isogon/io/file_pattern.hpp"

#include <algorithm>

#include "unit/io/files.hpp"

namespace isogon::file_pattern_test {
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

}  // namespace
}  // namespace isogon::file_pattern_test
