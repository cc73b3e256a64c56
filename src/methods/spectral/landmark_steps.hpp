#pragma once
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/summary.hpp"
#include "methods/spectral/spectral_family.hpp"

namespace isogon {

/// The rows that are landmarks, ascending; those of another fit, where it has chosen the same.
[[nodiscard]] std::vector<Index> landmark_rows(const SpectralRun& run, Summary& summary, const RunContext& context);

/// Weights that sum to one, by which each of this process's points is a mixture of its nearest landmarks.
[[nodiscard]] CsrMatrix<double> weights_towards(const PointsView& landmarks, Index neighbors, double ridge,
                                                const SpectralRun& run, Summary& summary, const RunContext& context);

/// Z of all points by the options of the landmarks; that of another fit, where it has computed the same. It is kept in
/// `own` otherwise.
[[nodiscard]] const CsrMatrix<double>& landmark_weights(const PointsView& landmarks, Index neighbors,
                                                        const SpectralRun& run, CsrMatrix<double>& own,
                                                        Summary& summary, const RunContext& context);

}  // namespace isogon
