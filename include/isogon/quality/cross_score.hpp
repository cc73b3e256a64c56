#pragma once
#include <cstdint>
#include <optional>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

struct CrossScoreOptions {
    std::optional<double> threshold{};  ///< cosine tau; empty: chosen for a sparsity of 99% of the fitted inputs
    int neighbors = 10;                 ///< k of recall@k; at most the number of fitted points
    std::uint64_t seed = 0;             ///< of the sample that the threshold is chosen from
};

[[nodiscard]] const OptionTable<CrossScoreOptions>& cross_score_option_table();

/// Measures of the placement of new points among fitted ones: pairs are (placed, fitted), m n of them.
struct CrossScore {
    double mean_angular_deviation_degrees = 0.0;  ///< over pairs with cos(x_i, f_j) > tau; 0 without any
    double jaccard = 0.0;                         ///< of the pairs above tau in inputs and outputs; 1 without any
    double norm_deviation_mean = 0.0;             ///< of | |y|/|x| - 1 | over placed points that are not zero
    double norm_deviation_max = 0.0;
    double recall = 0.0;  ///< share of the k fitted points nearest by cosine to x that are among the k nearest to y,
                          ///< over placed points that are not zero (1 without any)
    Index points = 0;     ///< m, placed
    Index fitted = 0;     ///< n
    double threshold = 0.0;
    Index isolated = 0;      ///< placed points, not zero vectors, with no fitted point above tau
    Index zero_vectors = 0;  ///< of x: they are in no pair, and have no neighbours by angle
    int neighbors = 0;
    Summary summary;
};

/// Compares outputs y (m x d) of inputs x (m x D) that were not fitted with the fitted inputs (n x D) and their outputs
/// (n x d), row by row in the same order. The measures are those of score() over another set of pairs: there is no
/// diagonal, and fitted points are not compared with each other, nor placed ones. If the fitted points themselves are
/// placed at their own outputs, deviation and Jaccard index are those of score(). Ties in nearness go to the smaller
/// index.
///
/// Cosines are float32; angles of pairs closer than 18 degrees are taken from distances, to all digits. The numbers do
/// not depend on the count of threads. The summary holds seconds by phase ("norms", "threshold" when it is chosen,
/// "pairs"), and a warning when more than a tenth of the placed points are isolated. After an interruption
/// summary.termination gives the reason; measures that were computed before keep their values, all others are 0.
///
/// Throws InvalidArgument for options out of bounds, neighbors > n, no points, no dimensions, other counts or
/// dimensions; InputError for values that are not finite, and as choose_threshold when it chooses; LimitExceeded.
/// Time O(m n (D + d)), memory O((m + n) (D + d)) and 384 n bytes a thread, stated first; nothing m x n is ever held.
[[nodiscard]] CrossScore cross_score(const PointsView& x, const PointsView& y, const PointsView& fitted_x,
                                     const PointsView& fitted_y, const CrossScoreOptions& options = {},
                                     const RunContext& context = {});

}  // namespace isogon
