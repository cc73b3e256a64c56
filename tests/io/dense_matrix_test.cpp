#include "io/matrix_formats.hpp"

#include "io/files.hpp"
#include "io/npy_bytes.hpp"

namespace isogon::dense_matrix_test {
namespace {

using namespace test;

CsrMatrix<double> read(const std::string& name, const std::string& bytes, Format format,
                       const ReadOptions& options = {}) {
    const TemporaryFolder folder;
    const fs::path path = folder.file(name, bytes);
    ByteStream stream(path);
    const CsrMatrix<double> matrix = read_dense_matrix(stream, path, format, options);
    validate(matrix);
    return matrix;
}

/// Entries as "row column value".
std::vector<std::vector<double>> entries(const CsrMatrix<double>& matrix) {
    std::vector<std::vector<double>> list;
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Offset k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
            list.push_back({double(i), double(matrix.indices[k]), matrix.values[k]});
        }
    }
    return list;
}

using Entries = std::vector<std::vector<double>>;

TEST(DenseMatrix, NpyKeepsFloat64AndDropsZeros) {
    const auto matrix = read("x.npy", npy("<f8", "(2, 3)", packed<double>({0, 0.1, 0, 1e300, 0, -2})), Format::Npy);
    EXPECT_EQ((std::pair{matrix.rows, matrix.columns}), (std::pair{2U, 3U}));
    EXPECT_EQ(entries(matrix), (Entries{{0, 1, 0.1}, {1, 0, 1e300}, {1, 2, -2}}));
    const auto turned =
        read("x.npy", npy("<f8", "(2, 3)", packed<double>({0, 1e300, 0.1, 0, 0, -2}), true), Format::Npy);
    EXPECT_EQ(entries(turned), entries(matrix));
    EXPECT_EQ((std::pair{turned.rows, turned.columns}), (std::pair{2U, 3U}));
}

TEST(DenseMatrix, TablesAreReadAsFloat64) {
    const Entries wanted{{0, 0, 0.1}, {1, 1, 1e300}};
    EXPECT_EQ(entries(read("x.csv", "0.1,0\n0,1e300\n", Format::Csv)), wanted);
    EXPECT_EQ(entries(read("x.tsv", "a\tb\n0.1\t0\n0\t1e300\n", Format::Tsv)), wanted);
    EXPECT_EQ(entries(read("x.csv", "0.1,7,0\n0,8,1e300\n", Format::Csv, {.label_column = "1"})), wanted);
}

TEST(DenseMatrix, OtherFormatsAreReadAsPoints) {
    EXPECT_EQ(
        entries(read("x-idx2-ubyte", std::string("\0\0\x08\x02\0\0\0\x02\0\0\0\x02\x01\0\0\x04", 16), Format::Idx)),
        (Entries{{0, 0, 1}, {1, 1, 4}}));
    EXPECT_EQ(entries(read("x.fvecs", packed<std::int32_t>({2}) + packed<float>({0, 2.5F}), Format::Fvecs)),
              (Entries{{0, 1, 2.5}}));
}

TEST(DenseMatrix, BadNumbersAreNamedByPlace) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    expect_input_error(
        [&] {
            read("x.npy", npy("<f8", "(2, 2)", packed<double>({0, 1, nan, 0})), Format::Npy);
        },
        {"x.npy", "row 1, column 0", "NaN"});
    expect_input_error(
        [&] {
            read("x.npy", npy("<f8", "(2, 2)", packed<double>({0, 1, nan, 0}), true), Format::Npy);
        },
        {"x.npy", "row 0, column 1", "NaN"});
    expect_input_error([] { read("x.csv", "1,2\n3,inf\n", Format::Csv); }, {"line 2, column 2", "infinite"});
    expect_input_error([] { read("x.csv", "1,2\n3,1e999\n", Format::Csv); }, {"line 2, column 2", "float64"});
    expect_input_error([] { read("x.csv", "1,2\n3,x\n", Format::Csv); }, {"line 2, column 2", "\"x\""});
    expect_input_error([] { read("x.csv", "1,2\n3\n", Format::Csv); }, {"line 2", "1 columns"});
    expect_input_error([] { read("x.csv", "a,b\n", Format::Csv); }, {"no records"});
    expect_input_error([] { read("x.csv", "0,1,2\n4,0.5,9\n", Format::Csv); }, {"line 1", "names", ".npy"});
    expect_input_error([] { read("x.csv", "\n\n", Format::Csv); }, {"blank"});
    expect_input_error([] { read("x.npy", npy("<f8", "(9, 9)", packed<double>({0, 1})), Format::Npy); }, {"truncated"});
    expect_input_error(
        [] {
            read("x.npy", npy("<f8", "(2, 1, 1)", packed<double>({0, 1}), true), Format::Npy);
        },
        {"3 axes"});
}

}  // namespace
}  // namespace isogon::dense_matrix_test
