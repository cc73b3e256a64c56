#pragma once
#include <cstdint>

#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/decompose.hpp"
#include "isogon/decomposition/relu_factors.hpp"

namespace isogon {

/// The best approximation of rank r of the matrix that is S on its support and -shift off it (shift 0: of S itself).
/// This matrix is sparse but for a constant, so no product visits more than S. O(entries r) a product.
[[nodiscard]] ReluFactors shifted_start(const ReluProblem& problem, Index rank, double shift, std::uint64_t seed,
                                        const RunContext& context);

/// The same pushed below zero: its first component, which for a sparse S is of one sign nearly everywhere, is
/// lengthened until no more entries off the support are above zero than S has on it. What counts then is no more than
/// twice S, as gauss_newton needs it; without this a tenth of a 1% dense matrix would. A pass over all entries for each
/// lengthening.
[[nodiscard]] ReluFactors sparse_start(const ReluProblem& problem, Index rank, std::uint64_t seed,
                                       const RunContext& context);

/// The mean of the entries of S above zero: with this shift, 0 lies in the middle between both kinds of entries.
[[nodiscard]] double mean_positive_entry(const ReluProblem& problem);

/// Normal W and H, scaled so that |max(0, W H)| = |S|.
[[nodiscard]] ReluFactors random_start(const ReluProblem& problem, Index rank, std::uint64_t seed,
                                       const RunContext& context);

/// Rows and columns of S as points on a sphere: L_ij = c_i (cos(u_i, v_j) - tau_i), the form that similarities of
/// directions have (Saul 2022b, eq. 2), of rank r for points in r - 1 dimensions. The points are the rows of `factors`
/// without their first column, which for a sparse S is what holds zeros below zero; tau_i is such that row i has as
/// many entries above zero as S has there, and c_i fits these to S by least squares. On a sphere a plane cuts any point
/// off from all others, so every row can have its own entries above zero: where S has few in a row, L begins with the
/// pattern of S or near it. From points that lie one within the hull of others, as those of `factors` do, no small step
/// of any algorithm leads there: what S wants of a point inside costs more at its neighbours than leaving that row zero
/// does.
///
/// `factors` have at least two columns, and are balanced (relu_factors.hpp). Unknown entries do not count; empty rows
/// and columns become zero. m n r multiplications, 48 n numbers a thread. Throws Interruption.
[[nodiscard]] ReluFactors spherical_start(const ReluProblem& problem, const ReluFactors& factors,
                                          const RunContext& context);
/// Besides the factors.
[[nodiscard]] std::uint64_t spherical_start_bytes(Index columns, const RunContext& context);

/// Where L begins, as the options say: `start`, `rank` and `seed`. Auto makes the sparse start and, of at least two
/// columns, the spherical one from it, and takes the one with the smaller |Z - L|: two more passes over all entries.
/// Throws Interruption.
[[nodiscard]] ReluFactors chosen_start(const ReluProblem& problem, const DecomposeOptions& options,
                                       const RunContext& context);

}  // namespace isogon
