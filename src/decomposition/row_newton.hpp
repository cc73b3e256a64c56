#pragma once
#include "decomposition/relu_problem.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/decomposition/relu_factors.hpp"

namespace isogon {

/// Rows after a step, and what is left: the sum of (s - w . h)^2 over the support and max(0, w . h)^2 off it.
struct RowStep {
    WideVectors rows;
    double squares = 0.0;
};

/// One Newton step for every row w of factors.left, on its own: with the right factor fixed, the sum above is convex in
/// w and, as long as no entry crosses zero, quadratic; the step goes to its minimum, or a half, a quarter or an eighth
/// of the way, or nowhere, whichever leaves least. So the sum never rises. Where block updates divide by H H^T of all
/// n columns, this divides by that of the columns that count, which for a sparse S are few; and unlike the steps of
/// GaussNewton it never holds the entries that count of more than 48 rows a thread.
///
/// Ranks are multiples of 8 (filled up with zeros). Three products of all entries, 6 m n r operations, and r^2 for each
/// entry that counts; 4 bytes for each of these of 48 rows on every thread. Throws Interruption.
[[nodiscard]] RowStep row_newton_step(const ReluSide& side, const ReluFactors& factors, const RunContext& context);

}  // namespace isogon
