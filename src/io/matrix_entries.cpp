#include "io/matrix_formats.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace isogon {

namespace {

constexpr std::uint64_t most_bare_sides = 1'000'000;
constexpr std::uint64_t most_sides_an_entry = 100;

bool mirrored(const MatrixEntries& entries, Offset k) {
    return entries.symmetric && entries.row[k] != entries.column[k];
}

/// Row i of the result holds column i of the matrix, in the order of the file.
CsrMatrix<double> by_column(const MatrixEntries& entries) {
    CsrMatrix<double> result{.rows = entries.columns, .columns = entries.rows};
    result.offsets.assign(std::size_t{entries.columns} + 1, 0);
    for (Offset k = 0; k < entries.count(); ++k) {
        ++result.offsets[entries.column[k] + 1];
        if (mirrored(entries, k)) {
            ++result.offsets[entries.row[k] + 1];
        }
    }
    std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
    result.indices.resize(result.offsets.back());
    result.values.resize(result.offsets.back());
    std::vector<Offset> next(result.offsets.begin(), result.offsets.end() - 1);
    const auto put = [&](Index row, Index column, double value) {
        const Offset slot = next[column]++;
        result.indices[slot] = row;
        result.values[slot] = value;
    };
    for (Offset k = 0; k < entries.count(); ++k) {
        put(entries.row[k], entries.column[k], entries.value(k));
        if (mirrored(entries, k)) {
            put(entries.column[k], entries.row[k], entries.value(k));
        }
    }
    return result;
}

bool has_duplicates(const CsrMatrix<double>& columns) {
    std::vector<Index> last_seen(columns.columns, std::numeric_limits<Index>::max());
    for (Index j = 0; j < columns.rows; ++j) {
        for (const Index i : columns.row_indices(j)) {
            if (last_seen[i] == j) {
                return true;
            }
            last_seen[i] = j;
        }
    }
    return false;
}

/// Finds the duplicate once it is known that there is one: sorts all entries, so that equal positions are adjacent.
[[noreturn]] void fail_at_duplicate(const MatrixEntries& entries, const ByteStream& stream, const EntryNames& names) {
    const auto key = [&](Offset k) {
        const auto pair = std::minmax(entries.row[k], entries.column[k]);
        return entries.symmetric ? std::pair(pair.second, pair.first) : std::pair(entries.row[k], entries.column[k]);
    };
    std::vector<Offset> order(entries.count());
    std::iota(order.begin(), order.end(), Offset{0});
    std::sort(order.begin(), order.end(),
              [&](Offset a, Offset b) { return std::pair(key(a), a) < std::pair(key(b), b); });
    Offset second = entries.count();
    Offset first = 0;
    for (std::size_t k = 1; k < order.size(); ++k) {
        if (key(order[k]) == key(order[k - 1]) && order[k] < second) {
            first = order[k - 1];
            second = order[k];
        }
    }
    const auto [row, column] = key(second);
    stream.fail(names.place(second), "the entry of row " + std::to_string(std::uint64_t{row} + names.first) +
                                         ", column " + std::to_string(std::uint64_t{column} + names.first) +
                                         " is there already, at " + names.place(first) +
                                         (entries.symmetric ? " (a symmetric matrix has one of each pair)" : "") +
                                         "; keep one of them, or their sum");
}

void require_finite(const MatrixEntries& entries, const ByteStream& stream, const EntryNames& names) {
    const auto bad =
        std::find_if(entries.values.begin(), entries.values.end(), [](double value) { return !std::isfinite(value); });
    if (bad != entries.values.end()) {
        stream.fail(names.place(static_cast<Offset>(bad - entries.values.begin())),
                    std::string(std::isnan(*bad) ? "the value is NaN" : "the value is infinite") +
                        "; leave the entry out, or put a number there");
    }
}

void drop_zeros(CsrMatrix<double>& matrix) {
    Offset kept = 0;
    Offset begin = 0;
    for (Index i = 0; i < matrix.rows; ++i) {
        const Offset end = matrix.offsets[i + 1];
        for (Offset k = begin; k < end; ++k) {
            if (matrix.values[k] != 0.0) {
                matrix.indices[kept] = matrix.indices[k];
                matrix.values[kept++] = matrix.values[k];
            }
        }
        matrix.offsets[i + 1] = kept;
        begin = end;
    }
    matrix.indices.resize(kept);
    matrix.values.resize(kept);
}

}  // namespace

void require_believable_sides(const ByteStream& stream, std::uint64_t rows, std::uint64_t columns,
                              std::uint64_t entries) {
    constexpr std::uint64_t most_index = std::numeric_limits<Index>::max();
    const std::string matrix = "a matrix of " + std::to_string(rows) + " x " + std::to_string(columns);
    const std::uint64_t most =
        entries > most_index ? most_index : std::min(most_index, most_bare_sides + most_sides_an_entry * entries);
    if (rows == 0 || columns == 0) {
        stream.fail("", matrix + " holds no numbers");
    }
    if (std::max(rows, columns) > most) {
        stream.fail("", matrix + " with " + std::to_string(entries) +
                            " entries is nearly all empty rows or columns, or its head is damaged: of such, at most " +
                            std::to_string(most) + " are read; leave the empty ones out");
    }
}

CsrMatrix<double> assemble(MatrixEntries&& entries, const ByteStream& stream, const EntryNames& names) {
    require_finite(entries, stream, names);
    CsrMatrix<double> columns = by_column(entries);
    if (has_duplicates(columns)) {
        fail_at_duplicate(entries, stream, names);
    }
    entries = {};
    CsrMatrix<double> matrix = transpose(columns);
    drop_zeros(matrix);
    return matrix;
}

}  // namespace isogon
