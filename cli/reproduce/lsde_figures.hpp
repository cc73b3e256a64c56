#pragma once
#include "figure.hpp"

namespace isogon::cli {

/// The cases of K. Q. Weinberger, B. D. Packer and L. K. Saul, "Nonlinear dimensionality reduction by semidefinite
/// programming and kernel matrix factorization", AISTATS 2005, of which the text that is at hand has lost most numbers.
[[nodiscard]] ChartDocument lsde_roll_figure(FigureContext& shop);    ///< a Swiss roll of 20,000 points
[[nodiscard]] ChartDocument lsde_object_figure(FigureContext& shop);  ///< a rotating object: a ring
[[nodiscard]] ChartDocument lsde_digits_figure(FigureContext& shop);  ///< 11,000 digits: 1-nn error by dimension

}  // namespace isogon::cli
