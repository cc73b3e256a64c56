#pragma once
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/semidefinite/landmark_unfolding.hpp"
#include "methods/unit_of_length.hpp"

namespace isogon {

/// The fewest dimensions that hold 99% of the trace: what a sheet has with noise of a few percent of its size.
[[nodiscard]] Index suggested_dimension(const std::vector<double>& eigenvalues);

/// The first `dimension` outputs in the unit of the input, and into the summary how the unfolding ended, its seconds,
/// rounds, gap and spectrum. Dimensions of less than a millionth of the trace, below which the solver tells nothing,
/// are zero, and warned of. Empty where there is no unfolding.
[[nodiscard]] Points told(const LandmarkUnfolding& unfolded, int dimension, const UnitOfLength& unit,
                          const RunContext& context, Summary& summary);

}  // namespace isogon
