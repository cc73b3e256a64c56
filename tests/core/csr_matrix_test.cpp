#include "isogon/core/csr_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/random.hpp"
#include "isogon/core/error.hpp"

namespace isogon::csr_matrix_test {
namespace {

// 0 1 0 2
// 0 0 0 0
// 3 0 4 0
CsrMatrix<float> sample() {
    return {.rows = 3, .columns = 4, .offsets = {0, 2, 2, 4}, .indices = {1, 3, 0, 2}, .values = {1, 2, 3, 4}};
}

std::vector<float> dense(const CsrMatrix<float>& matrix) {
    std::vector<float> result(std::size_t{matrix.rows} * matrix.columns);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (std::size_t k = 0; k < matrix.row_indices(i).size(); ++k) {
            result[std::size_t{i} * matrix.columns + matrix.row_indices(i)[k]] = matrix.row_values(i)[k];
        }
    }
    return result;
}

CsrMatrix<float> random_matrix(Index rows, Index columns) {
    Random random(5, RandomStream::Test, 0);
    CsrMatrix<float> matrix{.rows = rows, .columns = columns};
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < columns; ++j) {
            if (random.uniform() < 0.2) {
                matrix.indices.push_back(j);
                matrix.values.push_back(static_cast<float>(random.normal()));
            }
        }
        matrix.offsets.push_back(matrix.indices.size());
    }
    return matrix;
}

TEST(CsrMatrix, RowsHoldTheirEntries) {
    const CsrMatrix<float> matrix = sample();
    EXPECT_EQ(matrix.entries(), 4U);
    EXPECT_EQ(dense(matrix), (std::vector<float>{0, 1, 0, 2, 0, 0, 0, 0, 3, 0, 4, 0}));
    EXPECT_TRUE(matrix.row_indices(1).empty());
}

TEST(CsrMatrix, WellFormedOnesPass) {
    EXPECT_NO_THROW(validate(sample()));
    EXPECT_NO_THROW(validate(CsrMatrix<float>{}));
    EXPECT_NO_THROW(validate(CsrMatrix<float>{.rows = 2, .columns = 0, .offsets = {0, 0, 0}}));
}

TEST(CsrMatrix, EveryKindOfDamageIsRefused) {
    const auto damaged = [](auto damage) {
        CsrMatrix<float> matrix = sample();
        damage(matrix);
        return matrix;
    };
    EXPECT_THROW(validate(damaged([](auto& matrix) { matrix.offsets.clear(); })), InvalidArgument);
    EXPECT_THROW(validate(damaged([](auto& matrix) { matrix.offsets.pop_back(); })), InvalidArgument);
    EXPECT_THROW(validate(damaged([](auto& matrix) { matrix.offsets[0] = 1; })), InvalidArgument);
    EXPECT_THROW(validate(damaged([](auto& matrix) { matrix.offsets[3] = 5; })), InvalidArgument);
    EXPECT_THROW(validate(damaged([](auto& matrix) { matrix.offsets[1] = 4; })), InvalidArgument);
    EXPECT_THROW(validate(damaged([](auto& matrix) { matrix.offsets[1] = 1000; })), InvalidArgument);
    EXPECT_THROW(validate(damaged([](auto& matrix) { matrix.values.pop_back(); })), InvalidArgument);
    EXPECT_THROW(validate(damaged([](auto& matrix) { matrix.indices[3] = 4; })), InvalidArgument);
    EXPECT_THROW(validate(damaged([](auto& matrix) { matrix.indices[1] = 1; })), InvalidArgument);
    EXPECT_THROW(validate(damaged([](auto& matrix) { matrix.indices[1] = 0; })), InvalidArgument);
    EXPECT_THROW(validate(damaged([](auto& matrix) { matrix.values[2] = std::numeric_limits<float>::quiet_NaN(); })),
                 InvalidArgument);
}

TEST(CsrMatrix, ARefusalNamesTheRow) {
    CsrMatrix<float> matrix = sample();
    matrix.indices[3] = 9;
    try {
        validate(matrix);
        FAIL() << "a column outside the matrix was taken";
    } catch (const InvalidArgument& error) {
        EXPECT_NE(std::string(error.what()).find("row 2"), std::string::npos) << error.what();
    }
}

TEST(Transpose, SwapsRowsAndColumns) {
    const CsrMatrix<float> matrix = random_matrix(23, 31);
    const CsrMatrix<float> swapped = transpose(matrix);
    ASSERT_EQ(swapped.rows, 31U);
    ASSERT_EQ(swapped.columns, 23U);
    EXPECT_NO_THROW(validate(swapped));
    const auto before = dense(matrix);
    const auto after = dense(swapped);
    for (std::size_t i = 0; i < 23; ++i) {
        for (std::size_t j = 0; j < 31; ++j) {
            EXPECT_EQ(after[j * 23 + i], before[i * 31 + j]);
        }
    }
}

TEST(Transpose, OfAnEmptyMatrixIsEmpty) {
    const CsrMatrix<float> swapped = transpose(CsrMatrix<float>{.rows = 0, .columns = 3, .offsets = {0}});
    EXPECT_EQ(swapped.rows, 3U);
    EXPECT_NO_THROW(validate(swapped));
}

TEST(Transpose, InPartsIsTheSameOnAnyNumberOfThreads) {
    for (const Index rows : {40U, 170U, 501U}) {
        CsrMatrix<float> matrix = random_matrix(rows, 7);
        for (Index i = 0; i < rows; ++i) {  // rows that are not sorted, as those of neighbour lists
            std::reverse(matrix.indices.begin() + static_cast<std::ptrdiff_t>(matrix.offsets[i]),
                         matrix.indices.begin() + static_cast<std::ptrdiff_t>(matrix.offsets[i + 1]));
        }
        const CsrMatrix<float> expected = transpose(matrix);
        for (const int threads : {1, 3}) {
            const CsrMatrix<float> made = transpose(matrix, RunContext{.threads = threads});
            EXPECT_EQ(made.rows, 7U);
            EXPECT_EQ(made.columns, rows);
            EXPECT_EQ(made.offsets, expected.offsets);
            EXPECT_EQ(made.indices, expected.indices);
            EXPECT_EQ(made.values, expected.values);
        }
    }
    EXPECT_EQ(transpose(CsrMatrix<double>{.rows = 0, .columns = 3, .offsets = {0}}, RunContext{}).rows, 3U);
}

TEST(CsrMatrix, WidthIsChangedAndNothingElse) {
    const CsrMatrix<float> matrix = random_matrix(30, 20);
    const CsrMatrix<double> wide = widen(matrix);
    EXPECT_EQ(wide.rows, 30U);
    EXPECT_EQ(wide.columns, 20U);
    EXPECT_EQ(wide.offsets, matrix.offsets);
    EXPECT_EQ(wide.indices, matrix.indices);
    EXPECT_EQ(wide.values, std::vector<double>(matrix.values.begin(), matrix.values.end()));
    EXPECT_EQ(dense(narrow(wide)), dense(matrix));
}

}  // namespace
}  // namespace isogon::csr_matrix_test
