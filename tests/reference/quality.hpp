#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <vector>

#include "isogon/core/points.hpp"

/// Section 9 of the mathematics page in float64, pair by pair, as short as the formulas.
namespace isogon::reference {

double dot(const Points& p, Index i, Index j);

double squared_distance(const Points& p, Index i, Index j);

bool is_zero(const Points& p, Index i);

/// Cosine; 0 where a zero vector takes part.
double cosine(const Points& p, Index i, Index j);

/// Kahan's formula, 2 atan2(|u - v|, |u + v|), good to all digits at any angle.
double degrees(const Points& p, Index i, Index j);

/// A threshold near `requested` that none of the cosines comes near enough for float32 to fall on the other side.
double clear_threshold(std::vector<double> cosines, double requested);

struct Angles {
    double deviation = 0.0;
    double jaccard = 1.0;
    double deviation_without_self = 0.0;
    double jaccard_without_self = 1.0;
    double sparsity = 1.0;
    Index isolated = 0;
};

Angles angles(const Points& x, const Points& y, double threshold);

/// All other points by nearness, ties by index: what a row's ranks are.
std::vector<Index> order_from(const Points& p, Index i, bool by_cosine);

double recall(const Points& x, const Points& y, Index k, bool by_cosine = true);

/// For k < n / 2. Continuity is trustworthiness(y, x).
double trustworthiness(const Points& x, const Points& y, Index k, bool by_cosine);

double knn_accuracy(const Points& y, const std::vector<std::int64_t>& labels, Index k, bool by_cosine);

}  // namespace isogon::reference
