#include "isogon/core/csr_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
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

template <class Value>
void validate_all(const CsrMatrix<Value>& matrix) {
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
CsrMatrix<Value> transpose_any(const CsrMatrix<Value>& matrix) {
    CsrMatrix<Value> result;
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

/// The transpose, computed by ranges of rows. The ranges depend on the matrix only, not on the number of threads, and
/// each has its own positions in every column.
template <class Value>
class PartedTranspose {
public:
    PartedTranspose(const CsrMatrix<Value>& matrix, std::size_t parts, const RunContext& context)
        : matrix_(matrix), context_(context), rows_of_part_(block_count(matrix.rows, parts)) {}

    [[nodiscard]] CsrMatrix<Value> make() {
        CsrMatrix<Value> result;
        result.rows = matrix_.columns;
        result.columns = matrix_.rows;
        count_entries();
        result.offsets = place_parts();
        result.indices.resize(matrix_.indices.size());
        result.values.resize(matrix_.values.size());
        for_each_part([&](Offset* next, Range rows) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                for (Offset k = matrix_.offsets[i]; k < matrix_.offsets[i + 1]; ++k) {
                    const Offset slot = next[matrix_.indices[k]]++;
                    result.indices[slot] = static_cast<Index>(i);
                    result.values[slot] = matrix_.values[k];
                }
            }
        });
        return result;
    }

private:
    [[nodiscard]] std::size_t parts() const { return block_count(matrix_.rows, rows_of_part_); }

    template <class Work>
    void for_each_part(const Work& work) {
        parallel_tasks(context_, parts(), [&](std::size_t part) {
            work(places_.data() + part * matrix_.columns, block_range(part, matrix_.rows, rows_of_part_));
        });
    }

    void count_entries() {
        places_.resize(parts() * matrix_.columns);
        for_each_part([&](Offset* counts, Range rows) {
            for (Offset k = matrix_.offsets[rows.begin]; k < matrix_.offsets[rows.end]; ++k) {
                ++counts[matrix_.indices[k]];
            }
        });
    }

    /// Counts become the places of the first entries; returns where columns begin.
    [[nodiscard]] std::vector<Offset> place_parts() {
        std::vector<Offset> offsets(std::size_t{matrix_.columns} + 1);
        for (std::size_t column = 0; column < matrix_.columns; ++column) {
            Offset place = offsets[column];
            for (std::size_t part = 0; part < parts(); ++part) {
                const Offset count = std::exchange(places_[part * matrix_.columns + column], place);
                place += count;
            }
            offsets[column + 1] = place;
        }
        return offsets;
    }

    const CsrMatrix<Value>& matrix_;
    const RunContext& context_;
    std::size_t rows_of_part_;
    std::vector<Offset> places_{};  ///< places for each column, part by part
};

template <class Value>
CsrMatrix<Value> transpose_in_parts(const CsrMatrix<Value>& matrix, const RunContext& context) {
    constexpr std::size_t most_parts = 16;
    constexpr std::size_t entries_of_count = 8;  // least entries of a part for each of its counts
    const std::size_t worth = matrix.indices.size() / entries_of_count / std::max<std::size_t>(matrix.columns, 1);
    const std::size_t parts = std::min<std::size_t>({most_parts, matrix.rows, worth});
    return parts < 2 ? transpose_any(matrix) : PartedTranspose(matrix, parts, context).make();
}

}  // namespace

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

void validate(const CsrMatrix<float>& matrix) {
    validate_all(matrix);
}

void validate(const CsrMatrix<double>& matrix) {
    validate_all(matrix);
}

CsrMatrix<float> transpose(const CsrMatrix<float>& matrix) {
    return transpose_any(matrix);
}

CsrMatrix<double> transpose(const CsrMatrix<double>& matrix) {
    return transpose_any(matrix);
}

CsrMatrix<float> transpose(const CsrMatrix<float>& matrix, const RunContext& context) {
    return transpose_in_parts(matrix, context);
}

CsrMatrix<double> transpose(const CsrMatrix<double>& matrix, const RunContext& context) {
    return transpose_in_parts(matrix, context);
}

}  // namespace isogon
