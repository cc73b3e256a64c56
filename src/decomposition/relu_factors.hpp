#pragma once
#include <span>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/packed_points.hpp"

namespace isogon {

/// L = W H of rank r, as W (m x r) and the transpose of H (n x r): S ~ max(0, L).
struct ReluFactors {
    MultiVector<double> left;   ///< W
    MultiVector<double> right;  ///< H^T

    [[nodiscard]] Index rank() const { return left.columns(); }
};

/// The same L with W^T W = H H^T diagonal, descending: the singular values of L, so both factors have the same scale.
/// The sign of each column is fixed by the component of W of largest magnitude. Zero singular values give zero
/// columns. O((m + n) r^2) time.
[[nodiscard]] ReluFactors balanced(const ReluFactors& given, const RunContext& context);

enum class Reconstruct {
    Output,  ///< max(0, W H), the approximation of S
    Latent   ///< W H
};

/// Rows of L or of max(0, L), in batches, so that the whole matrix is never stored. A row has the same bits alone and
/// among others.
class Reconstruction {
public:
    /// `columns` selects columns, in that order; empty: all. The factors must outlive this. Memory: a copy of H for
    /// these columns. Throws InvalidArgument for a column out of range.
    Reconstruction(const ReluFactors& factors, std::span<const Index> columns, Reconstruct what,
                   const RunContext& context);

    [[nodiscard]] Index columns() const { return right_.rows(); }
    /// Fills `out` with the listed rows, one after the other, columns() numbers each. O(rows columns r) time. Throws
    /// InvalidArgument for a row out of range, and InputError naming the first row with a number beyond float64.
    void rows(std::span<const Index> rows, std::span<double> out) const;

private:
    const ReluFactors& factors_;
    RunContext context_;
    Reconstruct what_;
    PackedRows right_;
};

}  // namespace isogon
