#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

// Optimized product quantization (Ge, He, Ke, Sun, PAMI 2014).
namespace isogon {

/// Rows of which a sum of d x d products is made at a time, all beside each other.
inline constexpr std::size_t product_rows_at_once = 4096;

/// The columns of part m of d, cut into as many parts as codes have bytes: the first d mod `parts` are longer by one.
[[nodiscard]] Range columns_of_part(Index m, Index parts, Index dimension);

struct ProductQuantizer {
    Points rotation;   ///< R, d x d, orthogonal
    Points centroids;  ///< codewords x d
};

/// R and the codewords by turns: codewords are the means of the parts of x R that are nearest to them; R is the
/// rotation that takes x nearest to its codewords (orthogonal Procrustes). Neither step raises the mean square error.
[[nodiscard]] ProductQuantizer learn_product_quantizer(const PointsView& sample, Index parts, int rounds,
                                                       std::uint64_t seed, const RunContext& context);

/// x R for every row x, the same bits whatever the other rows are. O(n d^2) time.
[[nodiscard]] Points rotated(const PointsView& points, const Points& rotation, const RunContext& context);

/// The nearest codeword of each part of each row of x R, row by row.
[[nodiscard]] std::vector<std::uint8_t> nearest_codewords(const PointsView& rotated_points, const Points& centroids,
                                                          Index parts, const RunContext& context);

/// The codewords, one after the other: an approximation of x R.
[[nodiscard]] Points codewords_of(const std::vector<std::uint8_t>& codes, const Points& centroids, Index parts);

}  // namespace isogon
