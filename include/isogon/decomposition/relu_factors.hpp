#pragma once
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/wide_panels.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// L = W H of rank r, as W (m x r) and the transpose of H (n x r): S ~ max(0, L).
struct ReluFactors {
    WideVectors left;   ///< W
    WideVectors right;  ///< H^T

    [[nodiscard]] Index rank() const { return left.columns; }
};

/// The same L with W^T W = H H^T diagonal, descending: the singular values of L, so both factors have the same scale.
/// The sign of each column is fixed by the component of W of largest magnitude. Zero singular values give zero
/// columns. O((m + n) r^2) time.
[[nodiscard]] ReluFactors balanced(const ReluFactors& given, const RunContext& context);

enum class Reconstruct {
    Output,  ///< max(0, W H), what S is compared with
    Latent   ///< W H itself
};

/// Rows of what factors stand for, some at a time, so that the whole is never held. The same bits for a row alone or
/// among others.
class Reconstruction {
public:
    /// `columns`: those wanted, in that order; none: all. The factors must outlive this. Memory: H of the columns once
    /// more. Throws InvalidArgument for a column that is not there.
    Reconstruction(const ReluFactors& factors, std::span<const Index> columns, Reconstruct what,
                   const RunContext& context);

    [[nodiscard]] Index columns() const { return right_.rows(); }
    /// Fills `out` with the rows listed, one after the other, columns() numbers each. O(rows columns r) time. Throws
    /// InvalidArgument for a row that is not there, InputError naming the first row of which a number is beyond
    /// float64.
    void rows(std::span<const Index> rows, std::span<double> out) const;

private:
    const ReluFactors& factors_;
    RunContext context_;
    Reconstruct what_;
    WidePanels right_;
};

}  // namespace isogon
