#include "io/matrix_formats.hpp"

#include <cmath>
#include <limits>
#include <map>

#include "core/random.hpp"
#include "io/files.hpp"

namespace isogon::matrix_entries_test {
namespace {

using namespace test;

class MatrixEntriesTest : public ::testing::Test {
protected:
    CsrMatrix<double> assembled(MatrixEntries entries) const {
        return assemble(std::move(entries), stream_, {[](Offset k) { return "line " + std::to_string(k + 10); }, 1});
    }
    [[nodiscard]] const ByteStream& stream() const { return stream_; }

private:
    TemporaryFolder folder_;
    ByteStream stream_{folder_.file("x.mtx", "anything")};
};

/// Entry by entry.
std::map<std::pair<Index, Index>, double> as_map(const CsrMatrix<double>& matrix) {
    std::map<std::pair<Index, Index>, double> all;
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Offset k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
            all[{i, matrix.indices[k]}] = matrix.values[k];
        }
    }
    return all;
}

TEST_F(MatrixEntriesTest, AnyOrderMakesTheSameRowsWithoutZeros) {
    Random draw(7, RandomStream::Test, 0);
    for (const bool symmetric : {false, true}) {
        MatrixEntries entries{.rows = 30, .columns = 30, .symmetric = symmetric};
        std::map<std::pair<Index, Index>, double> truth;
        std::map<std::pair<Index, Index>, double> wanted;
        for (int k = 0; k < 300; ++k) {
            const auto row = static_cast<Index>(draw.uniform(0, 30));
            const auto column = static_cast<Index>(draw.uniform(0, 30));
            const double value = std::floor(draw.uniform(0, 4)) - 1.0;
            const bool known = truth.contains({row, column}) || (symmetric && truth.contains({column, row}));
            if (known) {
                continue;
            }
            truth[{row, column}] = value;
            entries.row.push_back(row);
            entries.column.push_back(column);
            entries.values.push_back(value);
            if (value != 0.0) {
                wanted[{row, column}] = value;
                if (symmetric) {
                    wanted[{column, row}] = value;
                }
            }
        }
        const CsrMatrix<double> matrix = assembled(entries);
        validate(matrix);
        EXPECT_EQ(as_map(matrix), wanted);
    }
}

TEST_F(MatrixEntriesTest, APatternIsOfOnes) {
    const auto matrix = assembled({.rows = 2, .columns = 3, .row = {1, 0}, .column = {0, 2}});
    EXPECT_EQ(as_map(matrix), (std::map<std::pair<Index, Index>, double>{{{0, 2}, 1.0}, {{1, 0}, 1.0}}));
}

TEST_F(MatrixEntriesTest, TheFirstThatIsThereTwiceIsNamed) {
    expect_input_error(
        [&] {
            assembled({.rows = 3,
                       .columns = 3,
                       .row = {2, 1, 0, 1, 2},
                       .column = {2, 1, 0, 1, 2},
                       .values = {1, 2, 3, 4, 5}});
        },
        {"x.mtx", "line 13", "row 2, column 2", "line 11"});
    // Zeros count, and so does the mirror image.
    expect_input_error(
        [&] {
            assembled({.rows = 2, .columns = 2, .row = {0, 0}, .column = {1, 1}, .values = {0, 0}});
        },
        {"line 11", "line 10"});
    expect_input_error(
        [&] {
            assembled({.rows = 2, .columns = 2, .row = {0, 1}, .column = {1, 0}, .values = {1, 1}, .symmetric = true});
        },
        {"line 11", "row 2, column 1", "symmetric"});
}

TEST_F(MatrixEntriesTest, NanAndInfinityAreNamed) {
    for (const auto& [value, word] : {std::pair(std::numeric_limits<double>::quiet_NaN(), "NaN"),
                                      std::pair(-std::numeric_limits<double>::infinity(), "infinite")}) {
        const double bad = value;
        expect_input_error(
            [&] {
                assembled({.rows = 1, .columns = 2, .row = {0, 0}, .column = {0, 1}, .values = {1, bad}});
            },
            {"line 11", word});
    }
}

TEST_F(MatrixEntriesTest, SidesMustBeBelievable) {
    EXPECT_NO_THROW(require_believable_sides(stream(), 1'000'000, 1, 0));
    EXPECT_NO_THROW(require_believable_sides(stream(), 2'000'000, 4'000'000'000, 40'000'000));
    expect_input_error([&] { require_believable_sides(stream(), 4'000'000'000, 3, 10); }, {"4000000000 x 3", "empty"});
    expect_input_error([&] { require_believable_sides(stream(), 3, 1ULL << 40U, ~0ULL); }, {"4294967295"});
    expect_input_error([&] { require_believable_sides(stream(), 0, 3, 0); }, {"0 x 3", "no numbers"});
}

}  // namespace
}  // namespace isogon::matrix_entries_test
