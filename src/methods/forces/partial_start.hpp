#pragma once
#include <cstdint>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// Throws InvalidArgument for a `hold` above 0 without a start.
void require_start_to_hold(const PointsView& start, double hold);

/// A given start, as it is, if each row has a place. Else rows of NaN get one: the weighted mean of their neighbours in
/// the graph, first those that have neighbours with a place, then their neighbours; where no path leads to a place,
/// that of a row drawn at random. Noise of 1e-4 of the start's standard deviation separates those that get the same.
/// Counts the rows that had a place. O(entries).
[[nodiscard]] MultiVector<double> completed_start(const PointsView& start, const CsrMatrix<float>& graph,
                                                  std::uint64_t seed, Summary& summary);
[[nodiscard]] MultiVector<double> completed_start(const PointsView& start, const CsrMatrix<double>& graph,
                                                  std::uint64_t seed, Summary& summary);

}  // namespace isogon
