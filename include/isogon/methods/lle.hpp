#pragma once
#include <cstdint>

#include "isogon/graph/components.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

struct LleOptions {
    int dimension = 16;  ///< d, numbers for each point; should be below k, the most that neighbours of a point span
    int neighbors = 12;  ///< k, in points: more rebuild a point from farther away
    Metric metric = Metric::Euclidean;  ///< of the search alone; weights rebuild the points themselves
    double ridge = 1e-3;  ///< of the weights, as a share of the trace of a point's Gram matrix; scikit-learn's default
    /// Error: components have no common coordinates, so that a graph of several is usually a mistake.
    ComponentPolicy components = ComponentPolicy::Error;
    double tolerance = 1e-8;  ///< on residuals: |A x - lambda x| as a share of |lambda x|; below float32's rounding
    int iterations = 300;     ///< of the eigensolver, at most
    std::uint64_t seed = 0;   ///< of the eigensolver's start, landmarks and approximate neighbours
};

[[nodiscard]] const OptionTable<LleOptions>& lle_option_table();

/// Locally linear embedding (Roweis and Saul, "Nonlinear dimensionality reduction by locally linear embedding", Science
/// 2000): weights that sum to one and rebuild every point from its neighbours; then min tr(X^T (I - W)^T (I - W) X)
/// subject to X^T X = I and X^T 1 = 0: coordinates that the same weights rebuild best. `landmarks`: by locally linear
/// landmarks, or mixtures of landmarks alone (null: exact).
///
/// Time of the neighbours, n (k^2 D + k^3 / 3) for the weights, and some thousand products with sparse matrices; memory
/// 24 n k bytes and 20 blocks of n d float64; where float32 factors serve, n^2 / 2 floats more. Summary: eigenvalues,
/// residual. Throws InvalidArgument (an option out of bounds), InputError (NaN; neighbours that do not
/// join all points, unless `components` says what to do), LimitExceeded.
[[nodiscard]] Embedding locally_linear_embedding(const PointsView& x, const LleOptions& options = {},
                                                 const RunContext& context = {}, const FitExtras& extras = {},
                                                 const LandmarkOptions* landmarks = nullptr);

[[nodiscard]] Method lle_method();

}  // namespace isogon
