#include "isogon/core/sparse_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

[[noreturn]] void reject(const std::string& place, const std::string& bound) {
    throw InvalidArgument("sparse matrix", place, bound);
}

template <class Value>
void validate_row(const BasicSparseMatrix<Value>& matrix, Index i) {
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

template <class Value>
void validate_all(const BasicSparseMatrix<Value>& matrix) {
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

template <class Value>
BasicSparseMatrix<Value> transpose_any(const BasicSparseMatrix<Value>& matrix) {
    BasicSparseMatrix<Value> result;
    result.rows = matrix.columns;
    result.columns = matrix.rows;
    result.offsets.assign(std::size_t{matrix.columns} + 1, 0);
    result.indices.resize(matrix.indices.size());
    result.values.resize(matrix.values.size());
    for (const Index column : matrix.indices) {
        ++result.offsets[column + 1];
    }
    std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
    std::vector<Offset> next(result.offsets.begin(), result.offsets.end() - 1);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Offset k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
            const Offset slot = next[matrix.indices[k]]++;
            result.indices[slot] = i;
            result.values[slot] = matrix.values[k];
        }
    }
    return result;
}

}  // namespace

SparseMatrix narrow(WideSparseMatrix matrix) {
    SparseMatrix result{matrix.rows, matrix.columns, std::move(matrix.offsets), std::move(matrix.indices),
                        std::vector<float>(matrix.values.size())};
    std::transform(matrix.values.begin(), matrix.values.end(), result.values.begin(),
                   [](double value) { return static_cast<float>(value); });
    return result;
}

WideSparseMatrix widen(SparseMatrix matrix) {
    return {matrix.rows,
            matrix.columns,
            std::move(matrix.offsets),
            std::move(matrix.indices),
            {matrix.values.begin(), matrix.values.end()}};
}

void validate(const SparseMatrix& matrix) {
    validate_all(matrix);
}

void validate(const WideSparseMatrix& matrix) {
    validate_all(matrix);
}

SparseMatrix transpose(const SparseMatrix& matrix) {
    return transpose_any(matrix);
}

WideSparseMatrix transpose(const WideSparseMatrix& matrix) {
    return transpose_any(matrix);
}

}  // namespace isogon
