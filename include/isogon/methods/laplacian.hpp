#pragma once
#include <cstdint>
#include <optional>

#include "isogon/graph/components.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

/// How distances become weights: graph/affinities.hpp.
enum class AffinityKind { Gaussian, SelfTuning, Perplexity, Connectivity };

struct LaplacianOptions {
    int dimension = 16;                 ///< d, numbers for each point; more follow finer structure
    int neighbors = 12;                 ///< k of the graph, in points: more join what is apart, and blur what is fine
    Metric metric = Metric::Euclidean;  ///< of the search and of the distances that become weights
    AffinityKind affinity = AffinityKind::Gaussian;  ///< the paper's heat kernel
    /// Width of the Gaussian exp(-(d / sigma)^2), in the unit of the input's distances. Empty: the median distance to
    /// the k-th neighbour, so that edges of every length count.
    std::optional<double> sigma{};
    double perplexity = 5.0;  ///< of that affinity: how many neighbours weigh, in effect; above 1 and below k
    /// Error: components have no common coordinates, so that a graph of several is usually a mistake.
    ComponentPolicy components = ComponentPolicy::Error;
    double tolerance = 1e-8;  ///< on residuals: |A x - lambda B x| as a share of |lambda B x|; below float32's rounding
    int iterations = 300;     ///< of the eigensolver, at most; a graph in one piece needs far fewer
    std::uint64_t seed = 0;   ///< of the eigensolver's start, landmarks and approximate neighbours
};

[[nodiscard]] const OptionTable<LaplacianOptions>& laplacian_option_table();

/// Laplacian eigenmaps (Belkin and Niyogi, "Laplacian eigenmaps for dimensionality reduction and data representation",
/// Neural Computation 2003): min tr(X^T L X) subject to X^T D X = I and X^T D 1 = 0, where L = D - W is the Laplacian
/// of a symmetrised neighbour graph weighted by distance and D its degrees. Neighbours that are near stay near; large
/// distances and all lengths are given up. `landmarks`: by locally linear landmarks or a baseline (null: exact).
///
/// Time of the neighbours, and some hundred products with a sparse matrix; memory 30 n k bytes and 20 blocks of n d
/// float64. Summary: eigenvalues, residual, sigma, components.
/// Throws InvalidArgument (an option out of bounds; a sigma by which rows vanish), InputError (NaN; a graph in several
/// components, unless `components` says what to do), LimitExceeded.
[[nodiscard]] Embedding laplacian_eigenmaps(const PointsView& x, const LaplacianOptions& options = {},
                                            const RunContext& context = {}, const FitExtras& extras = {},
                                            const LandmarkOptions* landmarks = nullptr);

[[nodiscard]] Method laplacian_method();

}  // namespace isogon
