#include "isogon/core/csr_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

[[noreturn]] void reject(const std::string& place, const std::string& bound) {
    throw InvalidArgument("sparse matrix", place, bound);
}

template <class Value>
void validate_row(const CsrMatrix<Value>& matrix, Index i) {
    const std::string place = "row " + std::to_string(i);
    const auto columns = matrix.row_indices(i);
    const auto values = matrix.row_values(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (columns[k] >= matrix.columns) {
            reject(place, "column " + std::to_string(columns[k]) + " is not below " + std::to_string(matrix.columns));
        }
        if (k > 0 && columns[k] <= columns[k - 1]) {
            reject(place, "columns must ascend without repeats");
        }
        if (!std::isfinite(values[k])) {
            reject(place, "values must be finite");
        }
    }
}

/// The transpose, computed by ranges of rows. The ranges depend on the matrix only, not on the number of threads, and
/// each has its own positions in every column.
template <class Value>
CsrMatrix<Value> transposed(const CsrMatrix<Value>& matrix, std::size_t most_parts, const RunContext& context) {
    const std::size_t columns = matrix.columns;
    const std::size_t rows_of_part = std::max<std::size_t>(block_count(matrix.rows, most_parts), 1);
    const std::size_t parts = block_count(matrix.rows, rows_of_part);
    std::vector<Offset> places(parts * columns);  // of each column, part by part: counts, then where entries go
    const auto for_each_part = [&](const auto& work) {
        parallel_tasks(context, parts, [&](std::size_t part) {
            work(places.data() + part * columns, block_range(part, matrix.rows, rows_of_part));
        });
    };
    for_each_part([&](Offset* counts, Range rows) {
        for (Offset k = matrix.offsets[rows.begin]; k < matrix.offsets[rows.end]; ++k) {
            ++counts[matrix.indices[k]];
        }
    });
    CsrMatrix<Value> result{.rows = matrix.columns, .columns = matrix.rows};
    result.offsets.assign(columns + 1, 0);
    for (std::size_t column = 0; column < columns; ++column) {
        Offset place = result.offsets[column];
        for (std::size_t part = 0; part < parts; ++part) {
            place += std::exchange(places[part * columns + column], place);
        }
        result.offsets[column + 1] = place;
    }
    result.indices.resize(matrix.indices.size());
    result.values.resize(matrix.values.size());
    for_each_part([&](Offset* next, Range rows) {
        for (std::size_t i = rows.begin; i < rows.end; ++i) {
            for (Offset k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
                const Offset slot = next[matrix.indices[k]]++;
                result.indices[slot] = static_cast<Index>(i);
                result.values[slot] = matrix.values[k];
            }
        }
    });
    return result;
}

}  // namespace

template <class Value>
void validate(const CsrMatrix<Value>& matrix) {
    if (matrix.offsets.size() != std::size_t{matrix.rows} + 1 || matrix.offsets.front() != 0) {
        reject("offsets", "there must be rows + 1 of them, the first 0");
    }
    if (matrix.offsets.back() != matrix.indices.size() || matrix.indices.size() != matrix.values.size()) {
        reject("offsets", "the last must equal the number of indices and of values");
    }
    for (Index i = 0; i < matrix.rows; ++i) {
        if (matrix.offsets[i] > matrix.offsets[i + 1]) {
            reject("row " + std::to_string(i), "offsets must not descend");
        }
    }
    for (Index i = 0; i < matrix.rows; ++i) {
        validate_row(matrix, i);
    }
}

CsrMatrix<double> rows_of(const CsrMatrix<double>& matrix, std::span<const Index> chosen) {
    CsrMatrix<double> rows{.rows = static_cast<Index>(chosen.size()), .columns = matrix.columns};
    for (const Index i : chosen) {
        const auto columns = matrix.row_indices(i);
        const auto values = matrix.row_values(i);
        rows.indices.insert(rows.indices.end(), columns.begin(), columns.end());
        rows.values.insert(rows.values.end(), values.begin(), values.end());
        rows.offsets.push_back(rows.indices.size());
    }
    return rows;
}

CsrMatrix<float> narrow(CsrMatrix<double> matrix) {
    CsrMatrix<float> result{matrix.rows, matrix.columns, std::move(matrix.offsets), std::move(matrix.indices),
                            std::vector<float>(matrix.values.size())};
    std::transform(matrix.values.begin(), matrix.values.end(), result.values.begin(),
                   [](double value) { return static_cast<float>(value); });
    return result;
}

CsrMatrix<double> widen(CsrMatrix<float> matrix) {
    return {matrix.rows,
            matrix.columns,
            std::move(matrix.offsets),
            std::move(matrix.indices),
            {matrix.values.begin(), matrix.values.end()}};
}

template <class Value>
CsrMatrix<Value> transpose(const CsrMatrix<Value>& matrix) {
    return transposed(matrix, 1, {.threads = 1});
}

template <class Value>
CsrMatrix<Value> transpose(const CsrMatrix<Value>& matrix, const RunContext& context) {
    constexpr std::size_t most_parts = 16;
    constexpr std::size_t entries_of_count = 8;  // least entries of a part for each of its counts
    const std::size_t worth = matrix.indices.size() / entries_of_count / std::max<std::size_t>(matrix.columns, 1);
    const std::size_t parts = std::min<std::size_t>({most_parts, matrix.rows, worth});
    return parts < 2 ? transpose(matrix) : transposed(matrix, parts, context);
}

template void validate(const CsrMatrix<float>& matrix);
template void validate(const CsrMatrix<double>& matrix);
template CsrMatrix<float> transpose(const CsrMatrix<float>& matrix);
template CsrMatrix<double> transpose(const CsrMatrix<double>& matrix);
template CsrMatrix<float> transpose(const CsrMatrix<float>& matrix, const RunContext& context);
template CsrMatrix<double> transpose(const CsrMatrix<double>& matrix, const RunContext& context);

}  // namespace isogon
