#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <vector>

#include "isogon/core/points.hpp"

/// The measures of score in float64, pair by pair, as short as the formulas.
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

/// Over the pairs of `rows` with all others; without any, over all pairs.
Angles angles(const Points& x, const Points& y, double threshold, std::vector<Index> rows = {});

/// All other points by nearness: what a row's ranks are. Ties by index; measures below are of points without ties.
std::vector<Index> order_from(const Points& p, Index i, bool by_cosine);

double recall(const Points& x, const Points& y, Index k, bool by_cosine = true);

/// For k < n / 2. Continuity is trustworthiness(y, x).
double trustworthiness(const Points& x, const Points& y, Index k, bool by_cosine);

/// The definitions with ties, by trying everything: all orders of the points that tie in y, each as likely, and in each
/// the k nearest of x that suit it best, of all sets that may be called that. A rank in x is 1 and the number of nearer
/// points. Up to some 7 points; y by distance.
struct TiedRanks {
    double recall = 0.0;
    double all_kept = 0.0;
    double trustworthiness = 0.0;
    double continuity = 0.0;
};

TiedRanks tied_ranks(const Points& x, const Points& y, Index k, bool x_by_cosine);

/// Labels that are as frequent share a vote; those below 0 are unknown, neither vote nor count.
std::optional<double> knn_accuracy(const Points& y, const std::vector<std::int64_t>& labels, Index k, bool by_cosine);

}  // namespace isogon::reference
