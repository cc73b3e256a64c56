#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/linalg/multi_vector.hpp"
#include "isogon/methods/embedding.hpp"
#include "methods/spectral_neighbors.hpp"

namespace isogon {

/// An option about how edges are found or weighted, and whether the user set it.
struct EdgeOption {
    std::string name{};
    std::string value{};
    bool asked_for = false;
};

/// For methods whose edges may come from outside. If `extras` has affinities: throws InvalidArgument if it has
/// neighbours too, or if the user set one of `options`, which would have no effect; InputError as require_affinities()
/// does (graph/given_affinities.hpp). O(entries).
void require_given_edges(const FitExtras& extras, Index points, const std::vector<EdgeOption>& options);

/// The number of neighbours for a perplexity: three times as many, beyond which weights are negligible. At most n - 1.
[[nodiscard]] int neighbors_of_perplexity(double perplexity, Index points);

/// The perplexity for that many neighbours; not above 1 for three and fewer, whose weights are then equal.
[[nodiscard]] double perplexity_of_neighbors(int neighbors);

/// The given perplexity, else `usual`, limited to the largest that the number of points allows. Throws InvalidArgument
/// naming the largest that fits, (n - 1) / 3, for one that is above it. No value: too few points for any above 1.
[[nodiscard]] std::optional<double> fitting_perplexity(const std::optional<double>& given, double usual, Index points);

/// t-SNE's P: (p_j|i + p_i|j) / 2n over the graph of the wanted neighbours, so that the weights sum to 1; without a
/// perplexity, all neighbours have the same weight. Seconds go to "neighbors" and "affinities". Throws Interruption.
[[nodiscard]] CsrMatrix<float> neighbor_affinities(const PointsView& points, const NeighborsWanted& wanted,
                                                   const std::optional<double>& perplexity, Summary& summary,
                                                   const RunContext& context);

/// With larger coordinates the sum of the Cauchy kernel over all pairs may be lost in rounding; maps are some tens
/// wide, some hundreds for millions of points.
constexpr double largest_start = 1e6;

/// Throws InvalidArgument unless a given start has a row of `dimension` numbers for each point, with absolute values of
/// at most `largest`; InputError if a number is not finite, or if all rows are equal, for which forces have no
/// direction.
void require_start(const PointsView& start, Index points, int dimension, double largest);

/// A given start, unchanged.
[[nodiscard]] MultiVector<double> given_start(const PointsView& start);

/// The directions of largest variance, scaled so small that all pairs interact (Kobak and Berens, "The art of using
/// t-SNE for single-cell transcriptomics", Nature Communications 2019), with a hundredth of noise, which separates
/// equal points and gives rank-deficient data every dimension. The standard deviation of the first number is 1e-4.
[[nodiscard]] MultiVector<double> pca_start(const PointsView& x, Index dimension, std::uint64_t seed,
                                            const RunContext& context);

/// Normal numbers of standard deviation 1e-4.
[[nodiscard]] MultiVector<double> random_start(Index points, Index dimension, std::uint64_t seed);

/// A start for forces with a range of 1 and no exaggeration: centred, with a largest coordinate of 5, and normal noise
/// of standard deviation 1e-4, which separates equal rows.
[[nodiscard]] MultiVector<double> widened(MultiVector<double> start, std::uint64_t seed);

/// A start for force layouts: the eigenvectors of the graph's normalised Laplacian, D^-1 (D - W), that follow the
/// constant one (Belkin and Niyogi, Neural Computation 2003; UMAP begins there). Solved to a hundredth only, because
/// the layout changes it anyway. Counts the components. Empty, with a warning, for a graph in several components, whose
/// first eigenvectors only separate these, for no more points than dimensions, and where the solver does not converge.
/// Throws Interruption.
[[nodiscard]] std::optional<MultiVector<double>> spectral_start(const CsrMatrix<double>& weights, Index dimension,
                                                                std::uint64_t seed, Summary& summary,
                                                                const RunContext& context);

/// Outputs of a force layout as float32 coordinates.
[[nodiscard]] Points to_coordinates(const MultiVector<double>& y);

/// New points of such a layout are mixtures of their 10 nearest fitted points, strongly regularised towards their mean,
/// because a map of clusters allows no extrapolation.
[[nodiscard]] BarycentricMap mixture_of_nearest(const Points& coordinates);

/// Three significant digits, for messages.
[[nodiscard]] std::string rounded(double value);

}  // namespace isogon
