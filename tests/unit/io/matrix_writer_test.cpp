#include "isogon/io/matrix_writer.hpp"

#include <limits>

#include "isogon/core/random.hpp"
#include "isogon/io/matrix_file.hpp"
#include "unit/io/file_size_limit.hpp"
#include "unit/io/files.hpp"

namespace isogon::matrix_writer_test {
namespace {

using namespace test;

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
}  // namespace isogon::matrix_writer_test
