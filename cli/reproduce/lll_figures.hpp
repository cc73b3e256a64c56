#pragma once
#include "figure.hpp"

namespace isogon::cli {

/// The experiments of M. Vladymyrov and M. A. Carreira-Perpinan, "Locally linear landmarks for large-scale manifold
/// learning", ECML 2013, whose curves the slides that are at hand show without numbers.
[[nodiscard]] ChartDocument lll_landmarks_figure(FigureContext& shop);  ///< error and time by the number of landmarks
[[nodiscard]] ChartDocument lll_roll_figure(FigureContext& shop);       ///< choosing sigma and k on a Swiss roll
[[nodiscard]] ChartDocument lll_classes_figure(FigureContext& shop);    ///< choosing them by 1-nn errors on digits

}  // namespace isogon::cli
