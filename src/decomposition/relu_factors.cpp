#include "decomposition/relu_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

namespace {

struct Roots {
    DenseMatrix root;     ///< A^(1/2)
    DenseMatrix inverse;  ///< its pseudo-inverse
};

/// Roots of a symmetric A that is positive semidefinite but for rounding.
Roots roots_of(const DenseMatrix& a) {
    const SmallEigen eigen = symmetric_eigen(a, SpectrumOrder::Largest);
    const std::size_t r = a.rows;
    const double smallest = 1e-15 * std::max(eigen.values.empty() ? 0.0 : eigen.values[0], 0.0);
    DenseMatrix scaled(r, r);
    DenseMatrix inverted(r, r);
    DenseMatrix transposed(r, r);
    for (std::size_t k = 0; k < r; ++k) {
        const double root = std::sqrt(std::max(eigen.values[k], 0.0));
        for (std::size_t i = 0; i < r; ++i) {
            scaled(i, k) = eigen.vectors(i, k) * root;
            inverted(i, k) = eigen.values[k] > smallest ? eigen.vectors(i, k) / root : 0.0;
            transposed(k, i) = eigen.vectors(i, k);
        }
    }
    return {product(scaled, transposed), product(inverted, transposed)};
}

/// Scales every column of W and of H^T to the same length, so that the Gram matrices do not lose columns that are
/// short in one factor and long in the other.
ReluFactors equally_long(ReluFactors factors, const RunContext& context) {
    const std::vector<double> left = column_norms(factors.left, context);
    const std::vector<double> right = column_norms(factors.right, context);
    for (Index k = 0; k < factors.rank(); ++k) {
        const bool there = left[k] > 0.0 && right[k] > 0.0;
        const double factor = there ? std::sqrt(right[k]) / std::sqrt(left[k]) : 0.0;
        for (Index i = 0; i < factors.left.rows(); ++i) {
            factors.left.at(i, k) *= factor;
        }
        for (Index i = 0; i < factors.right.rows(); ++i) {
            factors.right.at(i, k) *= there ? 1.0 / factor : 0.0;
        }
    }
    return factors;
}

}  // namespace

ReluFactors balanced(const ReluFactors& given, const RunContext& context) {
    const ReluFactors factors = equally_long(given, context);
    // With A = W^T W, B = H H^T and A^(1/2) B A^(1/2) = Q D^2 Q^T: L's singular values are D, and
    // W A^(-1/2) Q D^(1/2) and H^T A^(1/2) Q D^(-1/2) are its balanced factors.
    const Roots a = roots_of(gram(factors.left, factors.left, context));
    const DenseMatrix b = gram(factors.right, factors.right, context);
    const SmallEigen eigen = symmetric_eigen(product(product(a.root, b), a.root), SpectrumOrder::Largest);
    const double smallest = eigen.values.empty() ? 0.0 : 1e-30 * std::max(eigen.values[0], 0.0);
    DenseMatrix left = product(a.inverse, eigen.vectors);
    DenseMatrix right = product(a.root, eigen.vectors);
    for (std::size_t k = 0; k < left.columns; ++k) {
        const double root = eigen.values[k] > smallest ? std::sqrt(std::sqrt(eigen.values[k])) : 0.0;
        for (std::size_t i = 0; i < left.rows; ++i) {
            left(i, k) *= root;
            right(i, k) *= root > 0.0 ? 1.0 / root : 0.0;
        }
    }
    ReluFactors result{multiply(factors.left, left, context), multiply(factors.right, right, context)};
    fix_signs(result.left, &result.right);
    return result;
}

namespace {

void require_there(std::span<const Index> list, Index count, const char* what) {
    const auto bad = std::find_if(list.begin(), list.end(), [&](Index i) { return i >= count; });
    if (bad != list.end()) {
        throw InvalidArgument(what, std::to_string(*bad),
                              "must be below " + std::to_string(count) + "; they are counted from 0");
    }
}

MultiVector<double> picked(const MultiVector<double>& block, std::span<const Index> rows) {
    MultiVector<double> some(static_cast<Index>(rows.size()), block.columns());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::copy_n(block.row(rows[i]), block.columns(), some.row(i));
    }
    return some;
}

PackedRows panels_of(const ReluFactors& factors, std::span<const Index> columns, const RunContext& context) {
    require_there(columns, factors.right.rows(), "columns");
    return columns.empty() ? PackedRows(factors.right, context) : PackedRows(picked(factors.right, columns), context);
}

}  // namespace

Reconstruction::Reconstruction(const ReluFactors& factors, std::span<const Index> columns, Reconstruct what,
                               const RunContext& context)
    : factors_(factors), context_(context), what_(what), right_(panels_of(factors, columns, context)) {}

void Reconstruction::rows(std::span<const Index> rows, std::span<double> out) const {
    require_there(rows, factors_.left.rows(), "rows");
    const PackedRows left(picked(factors_.left, rows), context_);
    const double least = what_ == Reconstruct::Output ? 0.0 : -std::numeric_limits<double>::infinity();
    const std::size_t width = columns();
    std::vector<char> beyond(rows.size());
    parallel_blocks(context_, left.panels(), 1, [&](Range range) {
        AlignedArray<double> tile(panel_width * panel_width);
        for (std::size_t p = range.begin; p < range.end; ++p) {
            const std::size_t height = std::min(panel_width, rows.size() - p * panel_width);
            for (Index q = 0; q < right_.panels(); ++q) {
                multiply_panels(left.panel(static_cast<Index>(p)), right_.panel(q), left.depth(), tile.data(),
                                panel_width);
                const std::size_t begin = q * panel_width;
                for (std::size_t i = 0; i < height; ++i) {
                    const double* from = tile.data() + i * panel_width;
                    const double* end = from + std::min(panel_width, width - begin);
                    if (!std::all_of(from, end, [](double value) { return std::isfinite(value); })) {
                        beyond[p * panel_width + i] = 1;
                    }
                    std::transform(from, end,
                                   out.begin() + static_cast<std::ptrdiff_t>((p * panel_width + i) * width + begin),
                                   [&](double value) { return std::max(least, value); });
                }
            }
        }
    });
    if (const auto bad = std::find(beyond.begin(), beyond.end(), 1); bad != beyond.end()) {
        throw InputError("W H", "row " + std::to_string(rows[static_cast<std::size_t>(bad - beyond.begin())]),
                         "is beyond the largest number of float64: no fit leaves such factors");
    }
}

}  // namespace isogon
