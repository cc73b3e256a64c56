#pragma once
#include "figure.hpp"

namespace isogon::cli {

/// The figures and the table of L. K. Saul, "A geometrical connection between sparse and low-rank matrices and its
/// application to manifold learning", Transactions on Machine Learning Research, 2022; figure 10 is a drawing.
[[nodiscard]] ChartDocument tsm_example_figure(FigureContext& shop);        ///< 1
[[nodiscard]] ChartDocument tsm_angles_figure(FigureContext& shop);         ///< 2
[[nodiscard]] ChartDocument tsm_deviation_figure(FigureContext& shop);      ///< 3
[[nodiscard]] ChartDocument tsm_jaccard_figure(FigureContext& shop);        ///< 4
[[nodiscard]] ChartDocument tsm_analogies_figure(FigureContext& shop);      ///< 5
[[nodiscard]] ChartDocument tsm_llx_deviation_figure(FigureContext& shop);  ///< 6
[[nodiscard]] ChartDocument tsm_llx_jaccard_figure(FigureContext& shop);    ///< 7
[[nodiscard]] ChartDocument tsm_loss_figure(FigureContext& shop);           ///< 8
[[nodiscard]] ChartDocument tsm_isomap_figure(FigureContext& shop);         ///< 9
[[nodiscard]] ChartDocument tsm_spectrum_figure(FigureContext& shop);       ///< 11
[[nodiscard]] ChartDocument tsm_examples_table(FigureContext& shop);        ///< table 1

}  // namespace isogon::cli
