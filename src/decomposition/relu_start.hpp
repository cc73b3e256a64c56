#pragma once
#include <cstdint>

#include "decomposition/completion.hpp"
#include "decomposition/decompose.hpp"
#include "decomposition/relu_factors.hpp"
#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// The unitary factor U V^T of a matrix Z = U Sigma V^T, and the sum of its singular values.
struct PolarFactor {
    TileArray unitary;
    double nuclear_norm = 0.0;
    int steps = 0;
};

/// Singular values above this share of a bound on the largest are mapped to 1.
inline constexpr double least_polar_share = 1e-5;
/// The largest error of that.
inline constexpr double polar_tolerance = 1e-7;

/// Newton-Schulz iteration X (3 - X^T X) / 2. It consists of matrix products only, so it runs on all threads at the
/// speed of these. Each step first scales X by the largest factor that keeps all singular values in the region of
/// convergence (Chen and Chow 2014); the smallest then grow by 2.6 a step. Singular values between `least_polar_share`
/// and 1 times the bound (the fourth root of the sum of their fourth powers) end within `polar_tolerance` of 1,
/// smaller ones between 0 and 1. The nuclear norm is then too small by at most that share of the bound for each of
/// these. Padding entries in the last panels must be zero. About sixteen steps of 1.5 m n min(m, n) multiplications;
/// memory: three times Z, and a square of the shorter side. Throws Interruption.
[[nodiscard]] PolarFactor polar_factor(const TileArray& z, const RunContext& context);

/// Three projected subgradient steps on the nuclear norm of Z from a random start, then truncation to rank r
/// (Seraghiti et al. 2023). A step is Z - step U V^T, completed again, and is accepted if the norm decreased. The step
/// length is then multiplied by 1.2, else by 0.7. The first step length is 1 in the units of S, as published: the only
/// constant here that depends on the units. For comparison with published results only: stores dense arrays
/// (nuclear_start_bytes), and four polar factors take some 100 m n min(m, n) multiplications. Throws Interruption.
[[nodiscard]] ReluFactors nuclear_start(const ReluProblem& problem, Index rank, std::uint64_t seed,
                                        const RunContext& context);
[[nodiscard]] std::uint64_t nuclear_start_bytes(Index rows, Index columns);

/// The best approximation of rank r of the matrix that is S on its support and -shift off it (shift 0: S itself). The
/// matrix is sparse plus a constant, so a product reads only the entries of S. O(entries r) a product.
[[nodiscard]] ReluFactors shifted_start(const ReluProblem& problem, Index rank, double shift, std::uint64_t seed,
                                        const RunContext& context);

/// The same with fewer entries above zero. The first component, which for a sparse S has one sign nearly everywhere,
/// is multiplied by 1.5 until the number of violations is at most the number of entries of S. The active set is then
/// at most twice S, as Gauss-Newton requires; without this it would have a tenth of all entries of a 1% dense matrix.
/// A pass over all entries for each multiplication.
[[nodiscard]] ReluFactors sparse_start(const ReluProblem& problem, Index rank, std::uint64_t seed,
                                       const RunContext& context);

/// The mean of the entries of S above zero. With this shift, 0 lies halfway between the mean of the support and the
/// value off it.
[[nodiscard]] double mean_positive_entry(const ReluProblem& problem);

/// Normally distributed W and H, scaled so that |max(0, W H)| = |S| in expectation.
[[nodiscard]] ReluFactors random_start(const ReluProblem& problem, Index rank, std::uint64_t seed,
                                       const RunContext& context);

/// Rows and columns of S as points on a sphere: L_ij = c_i (cos(u_i, v_j) - tau_i), the form of thresholded cosine
/// similarities (Saul 2022b, eq. 2), of rank r for points in r - 1 dimensions. The points are the rows of `factors`
/// without their first column, which for a sparse S is the component that keeps zeros below zero. tau_i gives row i as
/// many entries above zero as S has there; c_i fits them to S by least squares.
///
/// On a sphere a plane can separate any point from all others, so every row can have its own positive entries: where a
/// row of S has few entries, L begins near the pattern of S. The points of `factors` lie partly in the convex hull of
/// others, and no small step of any algorithm leaves that configuration: fitting an entry of an interior point costs
/// more at its neighbours than a zero row costs.
///
/// `factors` have at least two columns and are balanced (relu_factors.hpp). Unknown entries do not count; empty rows
/// and columns become zero. m n r multiplications, 48 n numbers a thread. Throws Interruption.
[[nodiscard]] ReluFactors spherical_start(const ReluProblem& problem, const ReluFactors& factors,
                                          const RunContext& context);
/// Bytes besides the factors.
[[nodiscard]] std::uint64_t spherical_start_bytes(Index columns, const RunContext& context);

/// The start that the options select by `start`, `rank` and `seed`. Auto computes the sparse start and, with at least
/// two columns, the spherical start from it, and returns the one with the smaller |Z - L|: two more passes over all
/// entries. Throws Interruption.
[[nodiscard]] ReluFactors chosen_start(const ReluProblem& problem, const DecomposeOptions& options,
                                       const RunContext& context);

}  // namespace isogon
