#pragma once
#include "isogon/core/points.hpp"
#include "isogon/core/power_of_two_scaling.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/semidefinite/landmark_unfolding.hpp"

namespace isogon {

/// The fewest dimensions that hold 99% of the trace: what a sheet has with noise of a few percent of its size.
[[nodiscard]] Index suggested_dimension(const std::vector<double>& eigenvalues);

/// What a status is to a user.
[[nodiscard]] Termination termination_of(SemidefiniteStatus status, const RunContext& context);

/// Into the summary: suggested_dimension, duality_gap, largest_violation, trace, and shares of it by dimension,
/// spectrum_0, _1, ..., lengths in the unit of the input.
void tell_spectrum(const Unfolding& unfolding, const PowerOfTwoScaling& unit, Summary& summary);

/// The first `dimension` outputs in the unit of the input. Dimensions of less than a millionth of the trace, below
/// which the solver tells nothing, are zero, and warned of.
[[nodiscard]] Points leading_outputs(const Unfolding& unfolding, int dimension, const PowerOfTwoScaling& unit,
                                     Summary& summary);

/// The first `dimension` outputs in the unit of the input, and into the summary how the unfolding ended, its seconds,
/// rounds, gap and spectrum. Empty where there is no unfolding.
[[nodiscard]] Points told(const LandmarkUnfolding& unfolded, int dimension, const PowerOfTwoScaling& unit,
                          const RunContext& context, Summary& summary);

}  // namespace isogon
