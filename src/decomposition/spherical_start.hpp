#pragma once
#include <cstdint>

#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/relu_factors.hpp"

namespace isogon {

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

}  // namespace isogon
