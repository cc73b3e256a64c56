#include "io/files.hpp"
#include "io/matrix_file.hpp"
#include "io/matrix_formats.hpp"

namespace isogon::svmlight_test {
namespace {

using namespace test;

CsrMatrix<double> read(const std::string& text) {
    const TemporaryFolder folder;
    return read_matrix(folder.file("x.svm", text));
}

/// (row, column, value) of each entry.
std::vector<std::vector<double>> entries(const CsrMatrix<double>& matrix) {
    std::vector<std::vector<double>> list;
    for (Index i = 0; i < matrix.rows; ++i) {
        for (std::size_t k = 0; k < matrix.row_indices(i).size(); ++k) {
            list.push_back({double(i), double(matrix.row_indices(i)[k]), matrix.row_values(i)[k]});
        }
    }
    return list;
}

TEST(Svmlight, HasARowALineWithColumnsFromOne) {
    const auto matrix = read("# made by hand\n+1 3:0.5 1:-2 # a row\n\n-1\r\n2.5 qid:7 4:1e3 2:0\n");
    EXPECT_EQ(matrix.rows, 3U);
    EXPECT_EQ(matrix.columns, 4U);
    EXPECT_EQ(entries(matrix), (std::vector<std::vector<double>>{{0, 0, -2}, {0, 2, 0.5}, {2, 3, 1000}}));
    EXPECT_EQ(entries(read("1,3 0:1 2:2\n")), (std::vector<std::vector<double>>{{0, 0, 1}, {0, 2, 2}})) << "from zero";
}

TEST(Svmlight, IsDescribedAsItIsRead) {
    const TemporaryFolder folder;
    const fs::path path = folder.file("x", "1 1:2 7:3\n0\n1 2:1\n");
    const MatrixInfo info = describe_matrix(path, {.format = MatrixFormat::Svmlight});
    EXPECT_EQ((std::vector<std::uint64_t>{info.rows, info.columns, info.entries}),
              (std::vector<std::uint64_t>{3, 7, 3}));
    EXPECT_EQ(read_matrix(path, {.format = MatrixFormat::Svmlight}).columns, 7U);
    EXPECT_TRUE(is_matrix_file(folder.file("x.libsvm", "1 1:1\n")));
    EXPECT_THROW(require_writable_matrix(folder / "y.svm"), OutputError);
}

TEST(Svmlight, WhatCannotBeReadIsNamed) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
        {"1 1:1\ncat 1:1\n", {"line 2", "cat"}},
        {"1 1:1\n1:1\n", {"line 2", "1:1"}},
        {"1 1:1\n1 x:1\n", {"line 2", "x:1"}},
        {"1 1:\n", {"line 1", "17:0.5"}},
        {"1 1\n", {"line 1", "17:0.5"}},
        {"1 -1:2\n", {"line 1", "-1:2"}},
        {"1 99999999999:2\n", {"line 1"}},
        {"1 2:1\n1 1:1 2:3 1:4\n", {"line 2", "column 1", "already"}},
        {"1 1:nan\n", {"line 1", "NaN"}},
        {"1 1:1\n1 1:inf\n", {"line 2", "infinite"}},
        {"# nothing\n", {"no rows"}},
        {"1\n2\n", {"holds no numbers"}},
        {"1 4000000000:1\n", {"nearly all empty"}},
    };
    for (const auto& [text, said] : cases) {
        expect_input_error([&, bytes = text] { read(bytes); }, said);
    }
}

}  // namespace
}  // namespace isogon::svmlight_test
