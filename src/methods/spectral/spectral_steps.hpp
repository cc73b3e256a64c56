#pragma once
// Steps of a spectral fit before and after its eigenproblem: checks and memory, the choice of landmarks and their
// weights, and the record of the solution.
#include <vector>

#include "core/power_of_two_scaling.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/method.hpp"
#include "methods/spectral/spectral_family.hpp"
#include "methods/spectral_ranks.hpp"

namespace isogon {

/// The ridge of mixtures of landmarks: less follows each point more closely, and its noise. It is Saul's eps of 2022,
/// eq. 14, which weights and llx have too (LandmarkWeightOptions).
inline constexpr double landmark_ridge = 1e-4;

/// Throws InvalidArgument for an extension that spectral methods do not have, and numbers out of bounds.
void require_spectral_landmarks(const LandmarkOptions& options, Index points, Index dimension);

/// States what a run takes, as far as it is known before the search for neighbours, which may take most of the time.
void state_spectral(const SpectralFamily& family, const SpectralRun& run, const RunContext& context);

/// The rows that are landmarks, ascending; those of another fit, where it has chosen the same.
[[nodiscard]] std::vector<Index> landmark_rows(const SpectralRun& run, Summary& summary, const RunContext& context);

/// Weights that sum to one, by which each of this process's points is a mixture of its nearest landmarks, which need no
/// coordinates yet.
[[nodiscard]] CsrMatrix<double> weights_towards(const BarycentricMap& mixtures, const SpectralRun& run,
                                                Summary& summary, const RunContext& context);

/// The same of landmarks that landmark_rows() chose; those of another fit, where it has computed the same. They are
/// kept in `own` otherwise.
[[nodiscard]] const CsrMatrix<double>& landmark_weights(const BarycentricMap& mixtures, const SpectralRun& run,
                                                        CsrMatrix<double>& own, Summary& summary,
                                                        const RunContext& context);

/// How the eigenproblem was solved (by `ranks`, if not null), and its eigenvalues: termination, trace, message,
/// iterations, products, residual, eigenvalue_0, _1, .... A warning where it has not converged.
void record_solution(const SpectralSolution& solution, const SpectralRanks* ranks, Summary& summary);

/// Coordinates that are as long as inputs are, and eigenvalues, their squares, back from the unit in which they were
/// computed.
void restore_lengths(const PowerOfTwoScaling& unit, Embedding& result);

/// Changes of eigenvalues by rounding, as measured against float64 kernels and SVDs: products in float64 leave this
/// share of the largest eigenvalue, products in float32 that share, and values kept in float32 this share of the
/// largest.
inline constexpr double rounding_of_wide_products = 2e-16;
inline constexpr double rounding_of_products = 1e-8;
inline constexpr double rounding_of_values = 1e-7;

/// Warns of eigenvalues of Gram matrices that are below their number of rows times the square of the summary's
/// `mixture_error`, if it has one: directions shorter than what mixtures of landmarks miss of the points may be others.
void warn_of_mixtures(Index points, const LandmarkOptions* landmarks, Summary& summary);

/// Warns of eigenvalues that `rounding` may change by more than a thousandth: a kernel squares what it is made of, and
/// the solver's residual, which is made of the same numbers, cannot tell.
void warn_of_rounding(double rounding, Summary& summary);

}  // namespace isogon
