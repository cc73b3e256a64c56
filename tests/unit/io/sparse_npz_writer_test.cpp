#include "io/sparse_npz_writer.hpp"

#include "io/array_reader.hpp"
#include "io/npy.hpp"
#include "io/sparse_npz.hpp"
#include "io/zip_file.hpp"
#include "unit/io/file_size_limit.hpp"
#include "unit/io/files.hpp"

namespace isogon::sparse_npz_writer_test {
namespace {

using namespace test;

CsrMatrix<double> sample() {
    return {.rows = 4,
            .columns = 70000,
            .offsets = {0, 2, 2, 3, 5},
            .indices = {0, 69999, 5, 1, 2},
            .values = {1e-300, -0.1, 3, 4, 1e300}};
}

TEST(SparseNpzWriter, WhatIsWrittenIsReadBackToTheBit) {
    const TemporaryFolder folder;
    write_sparse_npz(folder / "x.npz", sample(), {});
    const SparseNpzHead head = read_sparse_npz_head(folder / "x.npz");
    EXPECT_EQ(head.format, "csr");
    EXPECT_EQ(head.scalar, "float64");
    const CsrMatrix<double> again = read_sparse_npz(folder / "x.npz");
    EXPECT_EQ(again.rows, sample().rows);
    EXPECT_EQ(again.columns, sample().columns);
    EXPECT_EQ(again.offsets, sample().offsets);
    EXPECT_EQ(again.indices, sample().indices);
    EXPECT_EQ(again.values, sample().values);
}

TEST(SparseNpzWriter, SidesBeyondInt32AreWideNumbers) {
    const TemporaryFolder folder;
    const CsrMatrix<double> wide{
        .rows = 1, .columns = 4000000000U, .offsets = {0, 1}, .indices = {3999999999U}, .values = {2}};
    write_sparse_npz(folder / "x.npz", wide, {});
    const ZipFile zip(folder / "x.npz");  // read_sparse_npz() refuses a matrix that is nearly all empty columns
    const auto indices = zip.open("indices.npy");
    const ArrayLayout layout = read_npy_header(*indices);
    EXPECT_EQ(layout.scalar, ScalarType::Int64);
    EXPECT_EQ(read_integers(*indices, layout), (std::vector<std::int64_t>{3999999999}));
}

TEST(SparseNpzWriter, TheSameMatrixGivesTheSameBytesAndNothingIsOverwrittenUnasked) {
    const TemporaryFolder folder;
    write_sparse_npz(folder / "x.npz", sample(), {});
    write_sparse_npz(folder / "y.npz", sample(), {});
    EXPECT_EQ(bytes_of(folder / "x.npz"), bytes_of(folder / "y.npz"));
    EXPECT_THROW(write_sparse_npz(folder / "x.npz", sample(), {}), OutputError);
}

TEST(SparseNpzWriter, AFullDiskLeavesNothing) {
    const TemporaryFolder folder;
    const FileSizeLimit limit(400);
    EXPECT_THROW(write_sparse_npz(folder / "x.npz", sample(), {}), OutputError);
    EXPECT_EQ(folder.entries(), 0U);
}

}  // namespace
}  // namespace isogon::sparse_npz_writer_test
