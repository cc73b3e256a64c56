#include "isogon/io/dataset.hpp"

#include <sys/resource.h>

#include <cmath>
#include <limits>
#include <new>

#include "io/files.hpp"
#include "io/npy_bytes.hpp"
#include "support/sanitizers.hpp"

namespace isogon::dataset_test {
namespace {

using namespace test;

TEST(Dataset, TheSamePointsFromEveryFormat) {
    const TemporaryFolder folder;
    const std::string two = packed<std::int32_t>({2});
    const std::vector<fs::path> files = {
        folder.file("x.npy", npy("<f4", "(2, 2)", packed<float>({1, 2, 3, 4}))),
        folder.file("f.npy", npy(">f8", "(2, 2)", packed<double>({1, 3, 2, 4}, std::endian::big), true)),
        folder.file("x.csv", "1,2\n3,4\n"),
        folder.file("x.tsv", "1\t2\n3\t4\n"),
        folder.file("x.idx", std::string("\0\0\x08\x02\0\0\0\x02\0\0\0\x02\x01\x02\x03\x04", 16)),
        folder.file("x.fvecs", two + packed<float>({1, 2}) + two + packed<float>({3, 4})),
        folder.file("x.bvecs", two + "\x01\x02" + two + "\x03\x04"),
        folder.file("x.ivecs", two + packed<std::int32_t>({1, 2}) + two + packed<std::int32_t>({3, 4})),
        folder.file("x.vec", "2 2\na 1 2\nb 3 4\n"),
        folder.file("x.bin", "2 2\na " + packed<float>({1, 2}) + "\nb " + packed<float>({3, 4}) + "\n"),
        folder.file("nameless", "1,2\n3,4\n"),
    };
    for (const fs::path& path : files) {
        const fs::path zipped = folder.file(path.filename().string() + ".gz", gzip(bytes_of(path)));
        for (const fs::path& either : {path, zipped}) {
            const Dataset data = read_points(either);
            EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2, 3, 4})) << either;
            EXPECT_EQ(data.points.count, 2U) << either;
            EXPECT_NE(data.storage, nullptr) << either;
            EXPECT_EQ(data.mapped, path.filename() == "x.npy" && either == path) << either;
            const FileInfo info = describe_file(either);
            EXPECT_EQ(info.shape, (std::vector<std::uint64_t>{2, 2})) << either;
            EXPECT_EQ(info.gzip, either == zipped) << either;
            EXPECT_EQ(info.file_bytes, fs::file_size(either)) << either;
            EXPECT_EQ(info.has_words, !data.words.empty()) << either;
            EXPECT_EQ(info.fortran_order, path.filename() == "f.npy") << either;
        }
    }
}

TEST(Dataset, GzipIsKnownByItsBytesWhateverTheName) {
    const TemporaryFolder folder;
    EXPECT_EQ(flat(read_points(folder.file("x.csv", gzip("1,2\n"))).points), (std::vector<float>{1, 2}));
}

TEST(Dataset, NanAndInfinityAreReadAsTheyAre) {
    const TemporaryFolder folder;
    const Dataset text = read_points(folder.file("x.csv", "nan,inf,-inf\n"));
    EXPECT_TRUE(std::isnan(text.points[0][0]));
    EXPECT_EQ(text.points[0][1], INFINITY);
    const Dataset wide = read_points(folder.file("x.npy", npy("<f8", "(2,)", packed<double>({NAN, -INFINITY}))));
    EXPECT_TRUE(std::isnan(wide.points[0][0]));
    EXPECT_EQ(wide.points[1][0], -INFINITY);
}

TEST(Dataset, LabelsFromEveryFormat) {
    const TemporaryFolder folder;
    const std::string one = packed<std::int32_t>({1});
    const std::vector<fs::path> files = {
        folder.file("a.npy", npy("<i8", "(3,)", packed<std::int64_t>({1, 2, 3}))),
        folder.file("b.npy", npy("|u1", "(3, 1)", "\x01\x02\x03")),
        folder.file("x-idx1-ubyte", std::string("\0\0\x08\x01\0\0\0\x03\x01\x02\x03", 11)),
        folder.file("x.ivecs", one + packed<std::int32_t>({1}) + one + packed<std::int32_t>({2}) + one +
                                   packed<std::int32_t>({3})),
        folder.file("x.txt", "1\n2\n3\n"),
        folder.file("x.csv", "label\n1\n2\n3\n"),
    };
    for (const fs::path& path : files) {
        EXPECT_EQ(read_labels(path), (std::vector<std::int64_t>{1, 2, 3})) << path;
    }
    EXPECT_EQ(read_named_labels(folder.file("classes.txt", "class 1\nclass 2\nclass 1\n")).values,
              (std::vector<std::int64_t>{0, 1, 0}));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(read_labels(folder.file("f.npy", npy("<f4", "(3,)", packed<float>({1, nan, -2})))),
              (std::vector<std::int64_t>{1, -1, -2}));
    expect_input_error(
        [&] {
            return read_labels(folder.file("c.npy", npy("<f4", "(2,)", packed<float>({1, 0.5F}))));
        },
        {"c.npy", "row 1", "0.5", "whole number"});
    expect_input_error([&] { return read_labels(folder.file("x.vec", "a 1\n")); }, {"x.vec", "no labels"});
}

/// Within its life this process may have no more than `bytes` of memory.
class MemoryLimit {
public:
    explicit MemoryLimit(rlim_t bytes) {
        ::getrlimit(RLIMIT_AS, &before_);
        rlimit limit = before_;
        limit.rlim_cur = bytes;
        ::setrlimit(RLIMIT_AS, &limit);
    }
    ~MemoryLimit() { ::setrlimit(RLIMIT_AS, &before_); }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
    rlimit before_{};
};

TEST(Dataset, AFileTooLargeForTheMemoryIsAMatterOfMemoryNotOfTheFile) {
    if (support::under_a_sanitizer()) {
        GTEST_SKIP() << "sanitizers take more addresses than this test allows";
    }
    const TemporaryFolder folder;
    const fs::path path = folder.file("x.npy", npy("<f8", "(1000000, 1000)", ""));
    fs::resize_file(path, fs::file_size(path) + 8000000000ULL);  // a hole: it takes no disk
    const MemoryLimit limit(2000000000);
    EXPECT_THROW((void)read_points(path), std::bad_alloc);
}

TEST(Dataset, RowsOfTextAreCountedWithinALimitOfMemory) {
    const TemporaryFolder folder;
    constexpr std::uint64_t limit = 1000000;
    std::string numbers;
    std::string words = "word,x\n";
    std::string vectors;
    std::string line;
    for (int i = 0; i < 100000; ++i) {
        numbers += "1,2,3,4\n";
        words += "w" + std::to_string(i) + ",1\n";
        vectors += "w 1 2 3 4\n";
        line += "1,2,3,4,";
    }
    const fs::path many = folder.file("x.csv.gz", gzip(numbers));  // 1.6 MB of numbers, none of which is kept
    EXPECT_EQ(describe_file(many, {.memory_limit = limit}).shape, (std::vector<std::uint64_t>{100000, 4}));
    for (const auto& [name, text] :
         {std::pair<std::string, std::string>("words.csv", words), {"x.vec", vectors}, {"line.csv", line + "1"}}) {
        const fs::path path = folder.file(name + ".gz", gzip(text));
        EXPECT_NO_THROW(static_cast<void>(describe_file(path)));
        try {
            static_cast<void>(describe_file(path, {.memory_limit = limit}));
            ADD_FAILURE() << name;
        } catch (const LimitExceeded& error) {
            EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
        }
    }
}

TEST(Dataset, TheFileIsNamedForWhateverIsWrongWithIt) {
    const TemporaryFolder folder;
    expect_input_error([&] { return read_points(folder / "none.npy"); }, {"none.npy", "does not exist"});
    expect_input_error([&] { return read_points(folder.file("x.npy", "1,2\n3,4\n")); }, {"x.npy", "is not .npy"});
    expect_input_error([&] { return read_points(folder.file("x", "\x01\x02")); }, {"x", "format"});
    expect_input_error([&] { return describe_file(folder.file("y.csv", "1,2\n3\n")); }, {"y.csv, line 2"});
}

}  // namespace
}  // namespace isogon::dataset_test
