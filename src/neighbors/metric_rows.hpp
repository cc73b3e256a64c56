#pragma once
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

// Rows as prepared for metrics that are no function of products.
namespace isogon {

/// A search: neighbours of `rows` among `points`.
struct SearchedPoints {
    PointsView rows;
    PointsView points;
    Metric metric = Metric::Cosine;
    bool among_themselves = true;  ///< row i is point i, which is none of its own neighbours
};

/// Rows less their means, each times the power of two that brings its largest number between 1/2 and 1: their cosines
/// are correlations. Zeros for a row of equal numbers. States its memory, a copy of the rows.
[[nodiscard]] Points centred_rows(const PointsView& points, const RunContext& context);

/// Component by component the median of up to `most` rows, evenly spread: a few rows far away do not move it, as they
/// would a mean, and with it every length about it. 0 without rows.
[[nodiscard]] std::vector<float> median_of_rows(const PointsView& points, Index most);

/// Throws InputError, which names the first row and column at fault, unless all numbers are 0 or 1, as hamming and
/// jaccard need them; does nothing for other metrics.
void require_rows_for(Metric metric, const PointsView& points, const char* source);

/// Whether a row may have nearest points. Zero vectors by cosine, rows of equal numbers by correlation and rows without
/// ones by jaccard have none: they are as far from all points that have a direction.
[[nodiscard]] bool has_direction(std::span<const float> row, Metric metric);

/// One distance, as Metric defines it, in float64. Throws InvalidArgument for Metric::Precomputed. O(D).
[[nodiscard]] double distance_between(std::span<const float> x, std::span<const float> y, Metric metric);

}  // namespace isogon
