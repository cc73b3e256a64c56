#pragma once
#include <cstdint>
#include <vector>

#include "linalg/multi_vector_arithmetic.hpp"

namespace isogon {

/// Blocks of orthonormal columns that are orthogonal to each other; some may have no columns.
using Spans = std::vector<const MultiVector<double>*>;

/// An orthonormal basis of the part of W that is orthogonal to these spans: the j-th vector belongs to the j-th column
/// that `kept` lists. Columns with less than 1e-10 of their length outside the spans and the columns before are
/// dropped. Gram-Schmidt, twice. Throws Interruption.
struct OrthonormalColumns {
    MultiVector<double> basis;
    std::vector<Index> kept;
};
[[nodiscard]] OrthonormalColumns orthonormal_beyond(const Spans& spans, const MultiVector<double>& w,
                                                    const RunContext& context);

/// `columns` orthonormal vectors that are orthogonal to these spans: from `first`, then random ones.
[[nodiscard]] MultiVector<double> filled_up(const Spans& spans, const MultiVector<double>& first, Index columns,
                                            const RunContext& context);

struct LanczosOptions {
    Index rank = 1;           ///< eigenpairs wanted
    double share = 1e-6;      ///< share of the largest eigenvalue: convergence of smaller ones is not required
    double tolerance = 1e-7;  ///< on |A v - value v| / value
    int max_products = 300;   ///< products of A with a block of 48 vectors
    double least_gain = 0.0;  ///< share by which a product must raise the sum of the wanted eigenvalues; 0: any
};

struct LanczosPairs {
    MultiVector<double> vectors;    ///< orthonormal
    std::vector<double> values;     ///< descending; at least one, at most `rank`; none below the share
    std::vector<double> residuals;  ///< |A v - value v| / value
    MultiVector<double> rest;       ///< the remaining Ritz vectors
    int products = 0;
};

/// The largest eigenpairs of a positive semidefinite operator in the complement of the orthonormal `locked`, which it
/// must map into itself, by a block Lanczos method with thick restart and full reorthogonalisation, in float64. The
/// residual of each pair is relative to its own eigenvalue. It ends after max_products at the latest. `start` (may
/// have no columns) is an initial basis. Throws Interruption. Source: Wu and Simon, "Thick-restart Lanczos method for
/// large symmetric eigenvalue problems", SIMAX 2000.
[[nodiscard]] LanczosPairs block_lanczos(const LinearOperator<double>& matrix, const MultiVector<double>& locked,
                                         const MultiVector<double>& start, const LanczosOptions& options,
                                         const RunContext& context);

/// Peak number of vectors of the size of the operator.
[[nodiscard]] std::uint64_t lanczos_vectors(Index rank);

}  // namespace isogon
