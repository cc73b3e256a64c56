#include "io/matrix_file.hpp"

#include <limits>

#include "core/random.hpp"
#include "io/files.hpp"
#include "io/zip_bytes.hpp"

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
    EXPECT_FALSE(is_matrix_file("gone.npz"));
    EXPECT_FALSE(is_matrix_file(folder.file("dense.npz", zip({{"x.npy", npy("<f4", "(1, 1)", packed<float>({1}))}}))));
    EXPECT_FALSE(is_matrix_file("gone.npy"));
    EXPECT_FALSE(is_matrix_file("gone"));
    EXPECT_TRUE(is_matrix_file(folder.file("m", market)));
    EXPECT_TRUE(is_matrix_file(folder.file("z", zip(sparse_members("csr")))));
    EXPECT_FALSE(is_matrix_file(folder.file("t", "1,2\n")));
    EXPECT_EQ(matrix_format_from_name("x.npz.gz"), std::nullopt);
    EXPECT_EQ(matrix_format_from_name("x.csv.gz"), MatrixFormat::Dense);
}

CsrMatrix<double> sample() {
    Random draw(3, RandomStream::Test, 0);
    CsrMatrix<double> matrix{.rows = 40, .columns = 30};
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index j = 0; j < matrix.columns; ++j) {
            if (draw.uniform() < 0.2) {
                matrix.indices.push_back(j);
                matrix.values.push_back(draw.uniform(-1.0, 1.0) * 1e-200);
            }
        }
        matrix.offsets.push_back(matrix.indices.size());
    }
    return matrix;
}

TEST(MatrixWriter, WhatIsWrittenIsReadBackToTheBit) {
    const TemporaryFolder folder;
    const CsrMatrix<double> matrix = sample();
    for (const char* name : {"x.mtx", "x.mtx.gz", "x.npz"}) {
        write_matrix(folder / name, matrix);
        const CsrMatrix<double> again = read_matrix(folder / name);
        EXPECT_EQ(again.rows, matrix.rows) << name;
        EXPECT_EQ(again.columns, matrix.columns) << name;
        EXPECT_EQ(again.offsets, matrix.offsets) << name;
        EXPECT_EQ(again.indices, matrix.indices) << name;
        EXPECT_EQ(again.values, matrix.values) << name;
    }
    EXPECT_TRUE(bytes_of(folder / "x.mtx.gz").starts_with("\x1f\x8b"));
    EXPECT_TRUE(bytes_of(folder / "x.npz").starts_with("PK"));
    EXPECT_THROW(write_matrix(folder / "x.csv", matrix), OutputError);
    EXPECT_THROW(require_writable_matrix(folder / "x.npz.gz"), OutputError);
}

TEST(MatrixWriter, AsManyEntriesMustComeAsWerePromised) {
    const TemporaryFolder folder;
    MatrixWriter writer(folder / "x.mtx.gz", 1, 3, {}, 2);
    writer.write_row(std::vector<double>{0, 1, 0});
    EXPECT_THROW(writer.commit(), OutputError);
}

TEST(MatrixWriter, DenseRowsLeaveTheirZerosOut) {
    const TemporaryFolder folder;
    MatrixWriter writer(folder / "x.mtx", 2, 3);
    writer.write_row(std::vector<double>{0, 1.5, 0});
    writer.write_row(std::vector<double>{-2, 0, 0.1});
    writer.commit();
    EXPECT_EQ(bytes_of(folder / "x.mtx"),
              "%%MatrixMarket matrix coordinate real general\n2 3                    3\n1 2 1.5\n2 1 -2\n2 3 0.1\n");
}

TEST(MatrixWriter, RefusesWhatIsNoRowAndLeavesNothing) {
    const TemporaryFolder folder;
    {
        MatrixWriter writer(folder / "x.mtx", 1, 2);
        EXPECT_THROW(writer.commit(), OutputError);
        EXPECT_THROW(writer.write_row(std::vector<double>{1}), InvalidArgument);
        EXPECT_THROW(writer.write_row(std::vector<double>{1, std::numeric_limits<double>::infinity()}),
                     InvalidArgument);
        EXPECT_THROW(writer.write_row(std::vector<Index>{2}, std::vector<double>{1}), InvalidArgument);
        writer.write_row(std::vector<double>{1, 2});
        EXPECT_THROW(writer.write_row(std::vector<double>{1, 2}), InvalidArgument);
    }
    EXPECT_EQ(folder.entries(), 0U);
    EXPECT_THROW(MatrixWriter(folder / "x.mtx", 0, 2), InvalidArgument);
    EXPECT_THROW(MatrixWriter(folder / "x.mtx.gz", 1, 2), OutputError);
    CsrMatrix<double> bad = sample();
    bad.indices[0] = 99;
    EXPECT_THROW(write_matrix(folder / "x.mtx", bad), InvalidArgument);
}

TEST(MatrixWriter, AFullDiskLeavesNothing) {
    const TemporaryFolder folder;
    const FileSizeLimit limit(4096);
    EXPECT_THROW(write_matrix(folder / "x.mtx", sample()), OutputError);
    EXPECT_EQ(folder.entries(), 0U);
}

}  // namespace
}  // namespace isogon::matrix_file_test
