#include "semidefinite/centred_basis.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "isogon/linalg/symmetric_eigen.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

namespace {

void take_off_means(WideVectors& x) {
    std::vector<double> means(x.columns, 0.0);
    for (Index i = 0; i < x.rows; ++i) {
        std::transform(means.begin(), means.end(), x.row(i), means.begin(), std::plus<>());
    }
    for (double& mean : means) {
        mean /= x.rows;
    }
    for (Index i = 0; i < x.rows; ++i) {
        std::transform(x.row(i), x.row(i) + x.columns, means.begin(), x.row(i), std::minus<>());
    }
}

}  // namespace

/// X V |.|^-1 for the eigenvectors V of X^T X but the last; and once more, so that it is orthonormal to rounding.
WideVectors centred_basis(const WideVectors& q, const RunContext& context) {
    WideVectors basis = q;
    for (int turn = 0; turn < 2; ++turn) {
        take_off_means(basis);
        SmallEigen eigen = symmetric_eigen(cross_product(basis, basis, context), SpectrumOrder::Largest);
        const std::size_t kept = turn == 0 ? eigen.values.size() - 1 : eigen.values.size();
        DenseMatrix turned(eigen.vectors.rows, kept);
        for (std::size_t k = 0; k < kept; ++k) {
            for (std::size_t l = 0; l < turned.rows; ++l) {
                turned(l, k) = eigen.vectors(l, k) / std::sqrt(eigen.values[k]);
            }
        }
        basis = combination(basis, turned, context);
    }
    return basis;
}

}  // namespace isogon
