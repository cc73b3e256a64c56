#include "isogon/decomposition/relu_factors.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "isogon/linalg/small_eigen.hpp"
#include "isogon/linalg/wide_arithmetic.hpp"

namespace isogon {

namespace {

struct Roots {
    DenseMatrix root;     ///< A^(1/2)
    DenseMatrix inverse;  ///< its pseudo-inverse
};

/// Of a symmetric A without negative eigenvalues but for rounding.
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

/// Every column of W as long as that of H^T: what is short in one and long in the other is not lost as rounding.
ReluFactors equally_long(ReluFactors factors, const RunContext& context) {
    const std::vector<double> left = column_lengths(factors.left, context);
    const std::vector<double> right = column_lengths(factors.right, context);
    for (Index k = 0; k < factors.rank(); ++k) {
        const bool there = left[k] > 0.0 && right[k] > 0.0;
        const double factor = there ? std::sqrt(right[k]) / std::sqrt(left[k]) : 0.0;
        for (Index i = 0; i < factors.left.rows; ++i) {
            factors.left.at(i, k) *= factor;
        }
        for (Index i = 0; i < factors.right.rows; ++i) {
            factors.right.at(i, k) *= there ? 1.0 / factor : 0.0;
        }
    }
    return factors;
}

/// Component of largest magnitude of every column of W positive.
void fix_signs(ReluFactors& factors) {
    for (Index k = 0; k < factors.rank(); ++k) {
        double largest = 0.0;
        for (Index i = 0; i < factors.left.rows; ++i) {
            const double value = factors.left.at(i, k);
            largest = std::abs(value) > std::abs(largest) ? value : largest;
        }
        if (largest < 0.0) {
            for (WideVectors* block : {&factors.left, &factors.right}) {
                for (Index i = 0; i < block->rows; ++i) {
                    block->at(i, k) = -block->at(i, k);
                }
            }
        }
    }
}

}  // namespace

ReluFactors balanced(const ReluFactors& given, const RunContext& context) {
    const ReluFactors factors = equally_long(given, context);
    // With A = W^T W, B = H H^T and A^(1/2) B A^(1/2) = Q D^2 Q^T: L's singular values are D, and
    // W A^(-1/2) Q D^(1/2) and H^T A^(1/2) Q D^(-1/2) are its balanced factors.
    const Roots a = roots_of(cross_product(factors.left, factors.left, context));
    const DenseMatrix b = cross_product(factors.right, factors.right, context);
    const SmallEigen eigen = symmetric_eigen(product(product(a.root, b), a.root), SpectrumOrder::Largest);
    const double smallest = eigen.values.empty() ? 0.0 : 1e-30 * std::max(eigen.values[0], 0.0);
    DenseMatrix left = product(a.inverse, eigen.vectors);
    DenseMatrix right = product(a.root, eigen.vectors);
    for (std::size_t k = 0; k < left.columns; ++k) {
        const double root = eigen.values[k] > smallest ? std::pow(eigen.values[k], 0.25) : 0.0;
        for (std::size_t i = 0; i < left.rows; ++i) {
            left(i, k) *= root;
            right(i, k) *= root > 0.0 ? 1.0 / root : 0.0;
        }
    }
    ReluFactors result{combination(factors.left, left, context), combination(factors.right, right, context)};
    fix_signs(result);
    return result;
}

}  // namespace isogon
