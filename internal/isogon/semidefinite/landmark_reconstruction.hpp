#pragma once
#include <cstdint>
#include <span>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

/// All points as combinations of the landmarks: Q, n x m, such that x ~ Q x_landmarks (Weinberger, Packer and Saul,
/// "Nonlinear dimensionality reduction by semidefinite programming and kernel matrix factorization", AISTATS 2005,
/// section 3.1). `weights` W reconstruct points from their neighbours, rows summing to one
/// (graph/barycentric_weights.hpp). With landmarks fixed, the others minimise |(I - W) x|^2: Q has the identity in the
/// rows of landmarks, and -Phi_uu^-1 Phi_ul in those of the unknown, Phi = (I - W)^T (I - W). Rows of Q sum to one.
///
/// By a sparse factor of Phi_uu, in float64, all m right-hand sides in parallel; never a dense n x n. Memory
/// landmark_reconstruction_bytes() and that of the factor, which is stated once its pattern is known; time that of its
/// elimination: seconds for 20,000 points on a sheet, minutes where points fill many dimensions. The same bits for any
/// number of threads. Throws InvalidArgument (landmarks that are not ascending rows of W; W not square), InputError
/// with the number of points that no chain of weights connects to a landmark, LimitExceeded; Interruption when the
/// context ends the run.
[[nodiscard]] MultiVector<double> landmark_reconstruction(const CsrMatrix<double>& weights,
                                                          std::span<const Index> landmarks,
                                                          const RunContext& context = {});

/// Bytes besides the inputs, with the returned matrix, without the factor.
[[nodiscard]] std::uint64_t landmark_reconstruction_bytes(const CsrMatrix<double>& weights, Index landmarks);

}  // namespace isogon
