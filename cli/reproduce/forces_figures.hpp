#pragma once
#include "figure.hpp"

namespace isogon::cli {

/// Figures of A. Draganov and S. Dohn, "Unexplainable Explanations: Towards Interpreting tSNE and UMAP Embeddings",
/// 2023.
[[nodiscard]] ChartDocument forces_pca_figure(FigureContext& shop);   ///< 2: PCA by gradient descent
[[nodiscard]] ChartDocument forces_maps_figure(FigureContext& shop);  ///< 3: PCA and LLE with two kernels, t-SNE, UMAP

}  // namespace isogon::cli
