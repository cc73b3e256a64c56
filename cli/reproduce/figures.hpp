#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "isogon/report/chart.hpp"
#include "reproduce/figure_context.hpp"

namespace isogon::cli {

/// A figure or table of a source, as this program makes it.
struct Figure {
    std::string name;                ///< "tsm-3": its name on the command line
    std::string title;               ///< what it shows
    std::string source;              ///< "Saul 2022, figure 3, left"
    std::vector<std::string> needs;  ///< files of the data folder (data_files)
    std::string takes;               ///< run time as measured on two fast cores (docs/reproduction.md): "9 min"
    std::string quick;               ///< what --quick reduces: "points"; empty: nothing
    bool has_dimensions = false;     ///< over the dimension, so that --dims applies
    /// Makes our results and the published ones; the caller adds title, origin, citation and the note on --quick. The
    /// required files must exist. Throws Interruption, and what its steps throw.
    ChartDocument (*make)(FigureContext&) = nullptr;
};

/// All figures, ordered by source.
[[nodiscard]] const std::vector<Figure>& figures();

/// Throws UsageError listing the known names.
[[nodiscard]] const Figure& find_figure(std::string_view name);

/// The figures and the table of L. K. Saul, "A geometrical connection between sparse and low-rank matrices and its
/// application to manifold learning", Transactions on Machine Learning Research, 2022; figure 10 is a drawing.
[[nodiscard]] ChartDocument tsm_example_figure(FigureContext& context);        ///< 1
[[nodiscard]] ChartDocument tsm_angles_figure(FigureContext& context);         ///< 2
[[nodiscard]] ChartDocument tsm_deviation_figure(FigureContext& context);      ///< 3
[[nodiscard]] ChartDocument tsm_jaccard_figure(FigureContext& context);        ///< 4
[[nodiscard]] ChartDocument tsm_analogies_figure(FigureContext& context);      ///< 5
[[nodiscard]] ChartDocument tsm_llx_deviation_figure(FigureContext& context);  ///< 6
[[nodiscard]] ChartDocument tsm_llx_jaccard_figure(FigureContext& context);    ///< 7
[[nodiscard]] ChartDocument tsm_loss_figure(FigureContext& context);           ///< 8
[[nodiscard]] ChartDocument tsm_isomap_figure(FigureContext& context);         ///< 9
[[nodiscard]] ChartDocument tsm_spectrum_figure(FigureContext& context);       ///< 11
[[nodiscard]] ChartDocument tsm_examples_table(FigureContext& context);        ///< table 1

/// The experiments of M. Vladymyrov and M. A. Carreira-Perpinan, "Locally linear landmarks for large-scale manifold
/// learning", ECML 2013; the available slides show the curves without numbers.
[[nodiscard]] ChartDocument lll_landmarks_figure(
    FigureContext& context);                                             ///< error and time by the number of landmarks
[[nodiscard]] ChartDocument lll_roll_figure(FigureContext& context);     ///< choosing sigma and k on a Swiss roll
[[nodiscard]] ChartDocument lll_classes_figure(FigureContext& context);  ///< choosing them by 1-nn errors on digits

/// The experiments of K. Q. Weinberger, B. D. Packer and L. K. Saul, "Nonlinear dimensionality reduction by
/// semidefinite programming and kernel matrix factorization", AISTATS 2005; most numbers are missing in the available
/// text.
[[nodiscard]] ChartDocument lsde_roll_figure(FigureContext& context);    ///< a Swiss roll of 20,000 points
[[nodiscard]] ChartDocument lsde_object_figure(FigureContext& context);  ///< a rotating object: a ring
[[nodiscard]] ChartDocument lsde_digits_figure(FigureContext& context);  ///< 11,000 digits: 1-nn error by dimension

/// Figures of A. Draganov and S. Dohn, "Unexplainable Explanations: Towards Interpreting tSNE and UMAP Embeddings",
/// 2023.
[[nodiscard]] ChartDocument forces_pca_figure(FigureContext& context);  ///< 2: PCA by gradient descent
[[nodiscard]] ChartDocument forces_maps_figure(
    FigureContext& context);  ///< 3: PCA and LLE with two kernels, t-SNE, UMAP

/// The full citation of the paper of a source ("Saul 2022, figure 3"); "" for an unknown one.
[[nodiscard]] std::string citation_of(std::string_view source);

}  // namespace isogon::cli

namespace isogon::cli::definitions {

// Definitions of terms, as notes of several figures.
inline constexpr const char* deviation =
    "Mean angular deviation: how far angles of outputs are off those of inputs, over pairs of inputs whose cosine is "
    "above the threshold tau, each point's pair with itself counted.";
inline constexpr const char* jaccard =
    "Jaccard index: pairs whose cosine is above the threshold tau among inputs and among outputs, over those that are "
    "in either; 1: "
    "the same pairs. Each point's pair with itself counts.";
inline constexpr const char* variants =
    "tsm: thresholded similarity matching, the paper's method; svd: the linear projection that keeps most; faithful: "
    "isogon's own.";
inline constexpr const char* analogies =
    "(a, b) c: a is to b as c is to which word? The answer is the word nearest to b - a + c by cosine, these three "
    "left "
    "out.";
inline constexpr const char* llx =
    "LLX, locally linear extension: outputs of points that were not fitted are those that are rebuilt best from their "
    "neighbours' by the weights that rebuild the inputs (eqs. 14 and 15).";
inline constexpr const char* isomap =
    "Isomap: distances are lengths of shortest paths through a graph, here that of the pairs above tau; coordinates "
    "come of the eigenvectors of the Gram matrix that belongs to these distances.";
inline constexpr const char* extensions =
    "LLL: the eigenproblem of all points among mixtures of landmarks, each point mixed of its K_Z nearest. LE(Z): that "
    "of the landmarks alone, all others mixed by the same weights Z. LE(Nys.): that of the landmarks alone, all others "
    "by Nystrom's formula.";
inline constexpr const char* lsde =
    "lsde: landmark semidefinite embedding, which pulls points apart as far as distances between neighbours allow, all "
    "of them being mixtures of some landmarks. Share of the trace: an eigenvalue of the outputs' Gram matrix over the "
    "sum of all.";
inline constexpr const char* nearest_label = "1-nn error: the share of digits whose nearest one has another label.";

}  // namespace isogon::cli::definitions
