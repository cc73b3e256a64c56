#include "decomposition/relu_problem.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

std::string place(Index row, Index column) {
    return "row " + std::to_string(row) + ", column " + std::to_string(column);
}

std::string shape(const CsrMatrix<double>& matrix) {
    return std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns);
}

/// The entries of S above zero, those outside `observed` left out.
CsrMatrix<double> positive_entries(const CsrMatrix<double>& s, const CsrMatrix<double>* observed, double unit) {
    CsrMatrix<double> result{.rows = s.rows, .columns = s.columns};
    for (Index i = 0; i < s.rows; ++i) {
        const auto columns = s.row_indices(i);
        const auto values = s.row_values(i);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (values[k] < 0.0) {
                throw InvalidArgument("S", std::to_string(values[k]) + " at " + place(i, columns[k]),
                                      "nonnegative numbers");
            }
            const double value = values[k] / unit;
            if (value > 0.0 &&
                (observed == nullptr || std::ranges::binary_search(observed->row_indices(i), columns[k]))) {
                result.indices.push_back(columns[k]);
                result.values.push_back(value);
            }
        }
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

/// An entry counts as known if its value is not zero.
CsrMatrix<double> known_entries(const CsrMatrix<double>& observed) {
    CsrMatrix<double> result{.rows = observed.rows, .columns = observed.columns};
    for (Index i = 0; i < observed.rows; ++i) {
        for (std::size_t k = 0; k < observed.row_indices(i).size(); ++k) {
            if (observed.row_values(i)[k] != 0.0) {
                result.indices.push_back(observed.row_indices(i)[k]);
                result.values.push_back(1.0);
            }
        }
        result.offsets.push_back(result.indices.size());
    }
    return result;
}

void require_shapes(const CsrMatrix<double>& s, const CsrMatrix<double>* observed) {
    validate(s);
    if (s.rows == 0 || s.columns == 0) {
        throw InvalidArgument("S", shape(s), "at least one row and one column");
    }
    if (observed != nullptr) {
        validate(*observed);
        if (observed->rows != s.rows || observed->columns != s.columns) {
            throw InvalidArgument("observed", shape(*observed), "the shape of S, " + shape(s));
        }
    }
}

}  // namespace

ReluProblem relu_problem(const CsrMatrix<double>& s, const CsrMatrix<double>* observed, double unit) {
    require_shapes(s, observed);
    ReluProblem problem;
    problem.unit = unit;
    if (observed != nullptr) {
        problem.forward.observed = known_entries(*observed);
        problem.backward.observed = transpose(*problem.forward.observed);
    }
    problem.forward.s = positive_entries(s, observed != nullptr ? &*problem.forward.observed : nullptr, unit);
    if (problem.forward.s.entries() == 0) {
        throw InvalidArgument("S", "no entry above zero", "at least one (max(0, L) = 0 for L = 0)");
    }
    problem.backward.s = transpose(problem.forward.s);
    for (const double value : problem.forward.s.values) {
        problem.squared_norm += value * value;
    }
    if (!std::isfinite(problem.squared_norm)) {
        throw InvalidArgument("S", "a sum of squares beyond float64", "smaller numbers: divide S by its largest");
    }
    return problem;
}

double unit_of(const CsrMatrix<double>& s) {
    double largest = 0.0;
    for (const double value : s.values) {
        largest = std::isfinite(value) ? std::max(largest, value) : largest;
    }
    if (largest == 0.0) {
        return 1.0;
    }
    const int exponent = std::ilogb(largest);
    return std::ldexp(1.0, exponent - (exponent & 1));
}

TileCursor::TileCursor(const CsrMatrix<double>& matrix, Index first_row)
    : matrix_(&matrix), rows_(std::min<Index>(panel_width, matrix.rows - first_row)) {
    for (Index i = 0; i < rows_; ++i) {
        next_[i] = matrix.offsets[first_row + i];
        end_[i] = matrix.offsets[first_row + i + 1];
    }
}

}  // namespace isogon
