#pragma once
#include <optional>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// Solutions of A x = lambda B x: X^T B X = I.
struct PencilSolution {
    WideVectors vectors{};
    std::vector<double> values{};  ///< ascending
    double largest = 0.0;          ///< magnitude of a value, whether it is among them or not
};

/// The `count` smallest of a few hundred, all found at once: with B = L L^T those of L^-1 A L^-T (Golub and Van Loan,
/// "Matrix computations", 4th edition, section 8.7.2), in which the columns of `deflation`, solutions that are known
/// and not wanted, are moved beyond the other end. Nothing where B is not positive definite, as far as float64 can
/// tell. Some 10 n^3 operations.
[[nodiscard]] std::optional<PencilSolution> solve_pencil(const CsrMatrix<double>& a, const CsrMatrix<double>& b,
                                                         const WideVectors& deflation, Index count);

}  // namespace isogon
