#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/linalg/wide_vectors.hpp"
#include "isogon/methods/embedding.hpp"
#include "methods/spectral_neighbors.hpp"

namespace isogon {

/// An option that says how edges are found or weighed, and whether it was asked for.
struct EdgeOption {
    std::string name{};
    std::string value{};
    bool asked_for = false;
};

/// For methods whose edges may come from outside. If `extras` has affinities: throws InvalidArgument if it has
/// neighbours too, or if one of `options` was asked for, which would change nothing; InputError as
/// require_affinities() does (graph/given_affinities.hpp). O(entries).
void require_given_edges(const FitExtras& extras, Index points, const std::vector<EdgeOption>& options);

/// How many neighbours a perplexity takes: three times as many, beyond which weights are nothing. At most n - 1.
[[nodiscard]] int neighbors_of_perplexity(double perplexity, Index points);

/// The perplexity that takes so many; not above 1 of three and fewer, which are then all alike.
[[nodiscard]] double perplexity_of_neighbors(int neighbors);

/// The perplexity that is given, or else `usual`, or what so many points have if that is less. Throws InvalidArgument
/// naming the largest that fits, (n - 1) / 3, for one that is above it. No value: too few points for any above 1.
[[nodiscard]] std::optional<double> fitting_perplexity(const std::optional<double>& given, double usual, Index points);

/// t-SNE's P: (p_j|i + p_i|j) / 2n over the graph of the wanted neighbours, so that all weights together are 1; without
/// a perplexity, all neighbours alike. Seconds go to "neighbors" and "affinities". Throws Interruption.
[[nodiscard]] CsrMatrix<float> neighbor_affinities(const PointsView& points, const NeighborsWanted& wanted,
                                                   const std::optional<double>& perplexity, Summary& summary,
                                                   const RunContext& context);

/// Farther apart, a sum of all closeness by the Cauchy kernel may be rounded away; maps are some tens across, some
/// hundreds for millions of points.
constexpr double largest_start = 1e6;

/// Throws InvalidArgument unless a start from outside, if there is one, has a row of `dimension` numbers for each of so
/// many points, all numbers at most `largest` in size; InputError if one is not finite, or if all rows are equal: there
/// is no direction then for forces to have.
void require_start(const PointsView& start, Index points, int dimension, double largest);

/// A start from outside as it is.
[[nodiscard]] WideVectors given_start(const PointsView& start);

/// The directions of most variance, so small that all outputs still feel each other (Kobak and Berens, "The art of
/// using t-SNE for single-cell transcriptomics", Nature Communications 2019), and a hundredth of noise, by which equal
/// points part and flat data gets every dimension. The standard deviation of the first number is 1e-4.
[[nodiscard]] WideVectors pca_start(const PointsView& x, Index dimension, std::uint64_t seed,
                                    const RunContext& context);

/// Normal numbers of standard deviation 1e-4.
[[nodiscard]] WideVectors random_start(Index points, Index dimension, std::uint64_t seed);

/// A start for forces that act over a distance of 1 from the beginning: its mean at the origin, 5 from there to its
/// farthest number, and normal noise of standard deviation 1e-4, by which equal rows part.
[[nodiscard]] WideVectors widened(WideVectors start, std::uint64_t seed);

/// A start for outputs that forces move: the smoothest functions on a graph of weights, those eigenvectors of its
/// normalised Laplacian, D^-1 (D - W), that follow the constant one (Belkin and Niyogi, Neural Computation 2003; UMAP
/// begins there). Only roughly: what is wrong by a hundredth, forces put right. The number of components is counted.
/// Nothing, and a warning why, where there are none: of a graph in several parts, whose first eigenvectors only tell
/// these apart, of no more points than dimensions, or where the solver did not get that near. Throws Interruption.
[[nodiscard]] std::optional<WideVectors> spectral_start(const CsrMatrix<double>& weights, Index dimension,
                                                        std::uint64_t seed, Summary& summary,
                                                        const RunContext& context);

/// Outputs that forces have moved, as coordinates.
[[nodiscard]] Points to_coordinates(const WideVectors& y);

/// New points of such a layout are mixtures of their 10 nearest fitted ones, drawn towards their mean, as a map of
/// clusters bears no extrapolation.
[[nodiscard]] BarycentricMap mixture_of_nearest(const Points& coordinates);

/// Three digits, which are enough for a sentence.
[[nodiscard]] std::string rounded(double value);

}  // namespace isogon
