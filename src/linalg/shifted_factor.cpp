#include "linalg/shifted_factor.hpp"

#include <optional>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/linalg/panel_cholesky.hpp"
#include "isogon/linalg/sparse_factor.hpp"

namespace isogon {

namespace {

/// States the memory of a factor. False if there is not enough: the factor is optional, and the run continues without
/// it.
bool has_room(const char* what, std::uint64_t bytes, const RunContext& context) {
    if (context.memory_limit && bytes > *context.memory_limit) {
        return false;
    }
    require_memory(context, {{what, bytes}}, "raise the limit");
    return true;
}

class SparseSolver : public Preconditioner {
public:
    explicit SparseSolver(SparseFactor&& factor) : factor_(std::move(factor)) {}
    void apply(MultiVector<double>& residuals, const RunContext& context) const override {
        factor_.solve(residuals, context);
    }

private:
    SparseFactor factor_;
};

class DenseSolver : public Preconditioner {
public:
    explicit DenseSolver(DenseFactor&& factor) : factor_(std::move(factor)) {}
    void apply(MultiVector<double>& residuals, const RunContext& context) const override {
        factor_.solve(residuals, context);
    }

private:
    DenseFactor factor_;
};

PanelMatrix to_panels(const CsrMatrix<double>& matrix, const RunContext& context) {
    PanelMatrix panels(matrix.rows);
    constexpr std::size_t rows_in_block = 256;
    parallel_blocks(context, matrix.rows, rows_in_block, [&](Range rows) {
        for (std::size_t row = rows.begin; row < rows.end; ++row) {
            const auto i = static_cast<Index>(row);
            for (std::size_t k = 0; k < matrix.row_indices(i).size() && matrix.row_indices(i)[k] <= i; ++k) {
                panels.at(i, matrix.row_indices(i)[k]) = static_cast<float>(matrix.row_values(i)[k]);
            }
        }
    });
    return panels;
}

bool affordable(Index size, const RunContext& context) {
    constexpr Index most_rows = 40000;  // a minute or two of elimination
    return size <= most_rows && has_room("the dense factor", PanelMatrix::bytes(size), context);
}

}  // namespace

ShiftedFactor sparse_factor(const CsrMatrix<double>& shifted, double most_operations, const RunContext& context) {
    throw_if_cancelled(context);
    if (!has_room("the order of elimination", SparseFactor::order_bytes(shifted), context)) {
        return {};
    }
    SparseFactor factor(shifted);
    if (factor.operations() > most_operations || !has_room("the sparse factor", factor.bytes(), context) ||
        !factor.compute(context)) {
        return {};
    }
    return {std::make_unique<SparseSolver>(std::move(factor)), EigenMethod::SparseFactor};
}

ShiftedFactor dense_factor(const CsrMatrix<double>& shifted, const RunContext& context) {
    if (!affordable(shifted.rows, context)) {
        return {};
    }
    std::optional<DenseFactor> factor = DenseFactor::make(to_panels(shifted, context), context);
    if (!factor) {
        return {};
    }
    return {std::make_unique<DenseSolver>(std::move(*factor)), EigenMethod::DenseFactor};
}

}  // namespace isogon
