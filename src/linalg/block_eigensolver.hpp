#pragma once
#include <cstdint>
#include <vector>

#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

struct BlockEigenOptions {
    Index rank = 1;           ///< eigenpairs wanted
    Index guard = 8;          ///< additional vectors: more make each product dearer and reduce the number of products
    double tolerance = 1e-5;  ///< on |A q - lambda q| / |lambda_1|; float32 products do not reach below some 1e-6
    int max_products = 200;   ///< products of A with a block
    SpectrumOrder order = SpectrumOrder::LargestMagnitude;
    std::uint64_t seed = 0;  ///< seed for the random vectors that fill up a start
};

struct BlockEigenpairs {
    MultiVector<float> vectors;     ///< n x (rank + guard), orthonormal; the first `rank` are the requested ones
    std::vector<double> values;     ///< their eigenvalues, in the requested order
    std::vector<double> residuals;  ///< |A q - lambda q| of each, absolute
    int products = 0;
    bool converged = false;
};

/// Eigenpairs at one end of the spectrum of a symmetric operator, definite or not, by a block Krylov method with thick
/// restart: each cycle extends the basis by products of its newest block and keeps the best rank + guard Ritz vectors.
/// `start` (may be null) is any initial basis, of any number of columns. It ends after max_products at the latest;
/// `converged` tells whether that was enough. Time max_products (product + O(n m^2)), memory 6 blocks of m = rank +
/// guard vectors. Throws InvalidArgument unless 1 <= rank <= n. Source: Stathopoulos and Saad, "Restarting techniques
/// for the (Jacobi-)Davidson symmetric eigenvalue methods", ETNA 1998.
[[nodiscard]] BlockEigenpairs block_eigensolve(const LinearOperator<float>& matrix, const BlockEigenOptions& options,
                                               const MultiVector<float>* start, const RunContext& context);

/// One step for a matrix that changes a little from step to step, at the price of one product: given an orthonormal Q
/// and W = A Q, the `keep` best eigenpairs of the projection of A on the tangent space at Q, that is of Q W^T + W Q^T -
/// Q (Q^T W) Q^T. As accurate as a power step followed by Rayleigh-Ritz, which would cost a second product. residuals
/// hold |W - Q (Q^T W)| by column of Q.
[[nodiscard]] BlockEigenpairs tangent_eigenpairs(const MultiVector<float>& q, const MultiVector<float>& w, Index keep,
                                                 SpectrumOrder order, const RunContext& context);

}  // namespace isogon
