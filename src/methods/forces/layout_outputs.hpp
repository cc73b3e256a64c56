#pragma once
// Outputs of force layouts: where they begin, and how new points get theirs afterwards.
#include <cstdint>
#include <optional>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/methods/method.hpp"
#include "linalg/multi_vector.hpp"
#include "methods/input_points.hpp"

namespace isogon {

/// With larger coordinates the sum of the Cauchy kernel over all pairs may be lost in rounding; maps are some tens
/// wide, some hundreds for millions of points.
constexpr double largest_start = 1e6;

/// Throws InvalidArgument unless a given start has a row of `dimension` numbers for each point, with absolute values of
/// at most `largest`; InputError if a number is not finite, or if all rows are equal, for which forces have no
/// direction. With StartRows::Some rows may be NaN throughout.
void require_start(const PointsView& start, Index points, int dimension, double largest,
                   StartRows rows = StartRows::All);

/// A given start, unchanged.
[[nodiscard]] MultiVector<double> given_start(const PointsView& start);

/// The directions of largest variance, scaled so small that all pairs interact (Kobak and Berens, "The art of using
/// t-SNE for single-cell transcriptomics", Nature Communications 2019), with a hundredth of noise, which separates
/// equal points and gives rank-deficient data, and dimensions beyond that of the points, some extent. The standard
/// deviation of the first number is 1e-4.
[[nodiscard]] MultiVector<double> pca_start(const PointsView& x, Index dimension, std::uint64_t seed,
                                            const RunContext& context);

/// Normal numbers of standard deviation 1e-4.
[[nodiscard]] MultiVector<double> random_start(Index points, Index dimension, std::uint64_t seed);

/// A start for forces with a range of 1 and no exaggeration: centred, with a largest coordinate of 5, and normal
/// noise of standard deviation 1e-4, which separates equal rows.
[[nodiscard]] MultiVector<double> widened(MultiVector<double> start, std::uint64_t seed);

/// A start for force layouts: the eigenvectors of the graph's normalised Laplacian, D^-1 (D - W), that follow the
/// constant one (Belkin and Niyogi, Neural Computation 2003; UMAP begins there). Solved to a hundredth only, because
/// the layout changes it anyway. Counts the components. Empty, with a warning, for a graph in several components, whose
/// first eigenvectors only separate these, for no more points than dimensions, and where the solver does not converge.
/// Throws Interruption.
[[nodiscard]] std::optional<MultiVector<double>> spectral_start(const CsrMatrix<double>& weights, Index dimension,
                                                                std::uint64_t seed, Summary& summary,
                                                                const RunContext& context);

/// New points of a force layout are mixtures of their 10 nearest fitted points, strongly regularised towards their
/// mean, because a map of clusters allows no extrapolation.
[[nodiscard]] BarycentricMap mixture_of_nearest(const Points& coordinates);

}  // namespace isogon
