#include "linalg/multi_vector_arithmetic.hpp"

#include <cmath>

namespace isogon {

namespace {

struct Pass {
    Orthonormal result;
    double condition = 1.0;  ///< longest over shortest direction that was kept, squared
};

/// W = (W V s^-1) (s V^T) from W^T W = V s^2 V^T.
Pass orthonormalize_once(const MultiVector<float>& w, double smallest, const RunContext& context) {
    const SmallEigen eigen = symmetric_eigen(gram(w, w, context), SpectrumOrder::Largest);
    std::size_t kept = 0;
    const double floor = eigen.values.empty() ? 0.0 : eigen.values[0] * smallest * smallest;
    while (kept < eigen.values.size() && eigen.values[kept] > floor && eigen.values[kept] > 0.0) {
        ++kept;
    }
    DenseMatrix to_basis(w.columns(), kept);
    DenseMatrix factor(kept, w.columns());
    for (std::size_t j = 0; j < kept; ++j) {
        const double length = std::sqrt(eigen.values[j]);
        for (std::size_t i = 0; i < w.columns(); ++i) {
            to_basis(i, j) = eigen.vectors(i, j) / length;
            factor(j, i) = eigen.vectors(i, j) * length;
        }
    }
    const double condition = kept > 0 ? eigen.values[0] / eigen.values[kept - 1] : 1.0;
    return {{multiply(w, to_basis, context), std::move(factor)}, condition};
}

}  // namespace

Orthonormal orthonormalize(const MultiVector<float>& w, const RunContext& context, double smallest) {
    // The error after a pass is float32 rounding times the condition number before it: the last pass must begin with
    // one near 1.
    constexpr double nearly_orthonormal = 2.0;
    constexpr int most_passes = 5;
    Orthonormal result = orthonormalize_once(w, smallest, context).result;
    for (int pass = 1; pass < most_passes; ++pass) {
        Pass next = orthonormalize_once(result.basis, 1e-3, context);
        next.result.factor = product(next.result.factor, result.factor);
        result = std::move(next.result);
        if (next.condition < nearly_orthonormal) {
            break;
        }
    }
    return result;
}

void remove_components(const MultiVector<float>& q, MultiVector<float>& w, DenseMatrix& coefficients,
                       const RunContext& context) {
    coefficients = DenseMatrix(q.columns(), w.columns());
    for (int pass = 0; pass < 2; ++pass) {
        const DenseMatrix c = gram(q, w, context);
        const MultiVector<float> part = multiply(q, c, context);
        for (std::size_t k = 0; k < c.values.size(); ++k) {
            coefficients.values[k] += c.values[k];
        }
        axpy(-1.0, part, w, context);
    }
}

}  // namespace isogon
