#pragma once
#include <cstdint>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

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

}  // namespace isogon
