#pragma once
#include <cstdint>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// Classical objectives with a second kernel on the outputs (Draganov and Dohn 2023, section 5):
///     constant - sum_ij a_ij k_ij + repulsion sum_{i != j} k_ij^2,   k_ij = 1 / (1 + |y_i - y_j|^2).
/// Its gradient by y_i is the one form of all such methods,
///     -4 sum_j (a_ij - 2 repulsion k_ij) k'_ij (y_i - y_j),   k' = -k^2.
struct TwoKernelObjective {
    CsrMatrix<double> attractions{};  ///< a: symmetric, no diagonal; below 0 where a pair is pushed apart
    double repulsion = 1.0;
    double constant = 0.0;

    /// The objective at y (n x d), whose gradient goes to `gradient`. Pairs one by one: n^2 (2 d + 3) multiplications
    /// and n^2 divisions, and the attractions' entries d; the same bits for any number of threads. Throws Interruption.
    double gradient(const MultiVector<double>& y, MultiVector<double>& gradient, const RunContext& context) const;
};

/// PCA with two kernels, sum_{i != j} (k_x - k_y)^2 (their eq. 6 but for its factor 4), for an input kernel that is 0
/// but where `input_kernel` has an entry: symmetric, without a diagonal.
[[nodiscard]] TwoKernelObjective pca_with_two_kernels(CsrMatrix<double> input_kernel);

/// LLE with two kernels, tr(M K_y) + 1/n sum_ij k_y^2, M = (I - W)^T (I - W) for weights W (n x n) without a diagonal:
/// attractions w_ij + w_ji - [W^T W]_ij. The gradient that lemma 4 prints is, with c = -4, that of k_y in the place of
/// k_y^2: its -1/n has no factor 2 k. Maps by that are much the same (bench/forces-claims).
/// As many operations and entries as W^T W has. Throws InvalidArgument unless W is square; Interruption.
[[nodiscard]] TwoKernelObjective lle_with_two_kernels(const CsrMatrix<double>& weights, const RunContext& context);

}  // namespace isogon
