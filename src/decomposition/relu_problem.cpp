#include "decomposition/relu_problem.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "decomposition/residual_kernel.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

std::string place(Index row, Index column) {
    return "row " + std::to_string(row) + ", column " + std::to_string(column);
}

std::string shape(const CsrMatrix<double>& matrix) {
    return std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns);
}

/// The entries of S above zero and in `observed`.
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

ReluFactors scaled(ReluFactors factors, double factor) {
    for (MultiVector<double>* block : {&factors.left, &factors.right}) {
        for (double& value : block->values()) {
            value *= factor;
        }
    }
    return factors;
}

TileCursor::TileCursor(const CsrMatrix<double>& matrix, Index first_row)
    : matrix_(&matrix), rows_(std::min<Index>(panel_width, matrix.rows - first_row)) {
    for (Index i = 0; i < rows_; ++i) {
        next_[i] = matrix.offsets[first_row + i];
        end_[i] = matrix.offsets[first_row + i + 1];
    }
}

CompletionCursor::CompletionCursor(const ReluSide& side, Index first_row) : support(side.s, first_row) {
    if (side.observed) {
        observed.emplace(*side.observed, first_row);
    }
}

namespace {

void add_known(double s, double latent, ReluResiduals& sums) {
    const double output = s - std::max(0.0, latent);
    sums.latent_squares += (s - latent) * (s - latent);
    sums.output_squares += output * output;
}

/// 48 rows of L against those of S.
class RowPanel {
public:
    RowPanel(const ReluSide& side, Index first_row) : cursor_(side, first_row) {}

    void add(EntryTile& tile, Index first_column, ReluResiduals& sums) {
        if (cursor_.observed) {
            keep_observed(tile, first_column);
        }
        cursor_.support.visit(first_column, [&](Index i, Index j, double s) {
            add_known(s, tile.at(i, j), sums);
            tile.at(i, j) = 0.0;
        });
        add_violations(tile.values.data(), violations_);
    }

    /// Adds the violations of all tiles.
    void finish(ReluResiduals& sums) const {
        for (std::size_t i = 0; i < panel_width; ++i) {
            sums.latent_squares += violations_.squares[i];
            sums.output_squares += violations_.squares[i];
            sums.violations += violations_.counts[i];
        }
    }

private:
    void keep_observed(EntryTile& tile, Index first_column) {
        EntryTile kept;
        kept.values.fill(0.0);
        cursor_.observed->visit(first_column,
                                [&](Index i, Index j, double /*value*/) { kept.at(i, j) = tile.at(i, j); });
        tile = kept;
    }

    CompletionCursor cursor_;
    ViolationSums violations_{};
};

}  // namespace

ReluResiduals relu_residuals(const ReluSide& side, const MultiVector<double>& left, const MultiVector<double>& right,
                             const RunContext& context) {
    const PackedRows rows(left, context);
    const PackedRows columns(right, context);
    std::vector<ReluResiduals> partial(rows.panels());
    parallel_tasks(context, partial.size(), [&](std::size_t p) {
        throw_if_cancelled_in_task(context);
        RowPanel panel(side, static_cast<Index>(p * panel_width));
        EntryTile tile;
        for (Index q = 0; q < columns.panels(); ++q) {
            multiply_panels(columns.panel(q), rows.panel(static_cast<Index>(p)), rows.depth(), tile.values.data(),
                            panel_width);
            panel.add(tile, q * static_cast<Index>(panel_width), partial[p]);
        }
        panel.finish(partial[p]);
    });
    ReluResiduals sums;
    for (const ReluResiduals& part : partial) {
        sums.latent_squares += part.latent_squares;
        sums.output_squares += part.output_squares;
        sums.violations += part.violations;
    }
    return sums;
}

double latent_distance(const ReluProblem& problem, const ReluFactors& factors, const RunContext& context) {
    return std::sqrt(relu_residuals(problem.forward, factors.left, factors.right, context).latent_squares);
}

}  // namespace isogon
