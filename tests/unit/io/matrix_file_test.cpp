#include "isogon/io/matrix_file.hpp"

#include "unit/io/files.hpp"
#include "unit/io/zip_bytes.hpp"

namespace isogon::matrix_file_test {
namespace {

using namespace test;

const std::string market = "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1\n1 3 2\n2 3 3\n";
const std::string market_half = "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n1 1 1\n3 1 2\n";

TEST(MatrixFile, TheSameMatrixComesOfEveryFormat) {
    const TemporaryFolder folder;
    const std::string dense = npy("<f4", "(2, 3)", packed<float>({1, 0, 2, 0, 0, 3}));
    const CsrMatrix<double> wanted = read_matrix(folder.file("x.mtx", market));
    EXPECT_EQ(wanted.values, (std::vector<double>{1, 2, 3}));
    for (const auto& [name, bytes] :
         std::vector<std::pair<std::string, std::string>>{{"y.mtx.gz", gzip(market)},
                                                          {"y.npz", zip(sparse_members("csr"))},
                                                          {"y.npy", dense},
                                                          {"y.npy.gz", gzip(dense)},
                                                          {"y.csv", "1,0,2\n0,0,3\n"},
                                                          {"market", market},
                                                          {"zip", zip(sparse_members("coo"))},
                                                          {"dense", dense}}) {
        const CsrMatrix<double> matrix = read_matrix(folder.file(name, bytes));
        EXPECT_EQ(matrix.offsets, wanted.offsets) << name;
        EXPECT_EQ(matrix.indices, wanted.indices) << name;
        EXPECT_EQ(matrix.values, wanted.values) << name;
        const MatrixInfo info = describe_matrix(folder / name);
        EXPECT_EQ(info.rows * 10 + info.columns, 23U) << name;
        EXPECT_EQ(info.gzip, name.ends_with(".gz")) << name;
        EXPECT_EQ(info.file_bytes, fs::file_size(folder / name)) << name;
        EXPECT_GE(info.reading_bytes, 36U) << name;
    }
}

TEST(MatrixFile, WhatIsSaidComesBeforeTheName) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("x.csv", market);
    EXPECT_EQ(read_matrix(path, {.format = MatrixFormat::MatrixMarket}).entries(), 3U);
    const fs::path table = folder.file("y.mtx", "1,0\n");
    EXPECT_EQ(read_matrix(table, {.points = {.format = Format::Csv}}).entries(), 1U);
    expect_input_error([&] { return read_matrix(table); }, {"y.mtx", "%%MatrixMarket"});
    expect_input_error([&] { return read_matrix(folder / "gone.npz"); }, {"gone.npz", "does not exist"});
}

TEST(MatrixFile, IsDescribedWithoutItsEntries) {
    const TemporaryFolder folder;
    const MatrixInfo half = describe_matrix(folder.file("x.mtx", market_half));
    EXPECT_EQ(half.format, "mtx");
    EXPECT_EQ(half.scalar, "integer");
    EXPECT_TRUE(half.symmetric);
    EXPECT_EQ(half.entries, 2U);
    const MatrixInfo npz = describe_matrix(folder.file("x.npz", zip(sparse_members("csr"))));
    EXPECT_EQ(npz.format, "npz");
    EXPECT_EQ(npz.scalar, "float64");
    EXPECT_EQ(describe_matrix(folder.file("x.tsv", "1\t2\n")).format, "tsv");
}

TEST(MatrixFile, SparseFilesAreKnown) {
    const TemporaryFolder folder;
    EXPECT_TRUE(is_matrix_file("gone.mtx"));
    EXPECT_TRUE(is_matrix_file("gone.MTX.gz"));
    EXPECT_TRUE(is_matrix_file("gone.npz"));
    EXPECT_FALSE(is_matrix_file("gone.npy"));
    EXPECT_FALSE(is_matrix_file("gone"));
    EXPECT_TRUE(is_matrix_file(folder.file("m", market)));
    EXPECT_TRUE(is_matrix_file(folder.file("z", zip(sparse_members("csr")))));
    EXPECT_FALSE(is_matrix_file(folder.file("t", "1,2\n")));
    EXPECT_EQ(matrix_format_from_name("x.npz.gz"), std::nullopt);
    EXPECT_EQ(matrix_format_from_name("x.csv.gz"), MatrixFormat::Dense);
}

}  // namespace
}  // namespace isogon::matrix_file_test
