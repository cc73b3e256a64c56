#pragma once
#include <cstdint>
#include <span>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

// How well coordinates agree with what is known of the points: their true coordinates, their labels.
namespace isogon {

enum class AlignmentKind {
    Similarity,  ///< a shift, a rotation or reflection, and one scale: Procrustes
    Linear,      ///< a shift and any linear map
};

struct Alignment {
    AlignmentKind kind = AlignmentKind::Similarity;
    double error = 0.0;  ///< |Y - T| / |T|, Frobenius, T about its mean and Y the aligned x: 0: equal, 1: unrelated
    double scale = 0.0;  ///< scale s of a similarity
};

/// How far x (n x d) is from the truth (n x d', row by row) after the best alignment: the similarity s X R + shift that
/// minimises |s X R - T|, X and T about their means (R = U V^T of the singular vectors of X^T T, s the sum of its
/// singular values over |X|^2: Gower and Dijksterhuis, "Procrustes Problems", 2004); where d and d' differ, the linear
/// map that does (least squares; directions of x with less than 1e-12 of the largest variance count as noise). Unlike
/// Procrustes distances it is not symmetric: T is the truth.
///
/// Float64 throughout; the same bits for any number of threads. O(n d d' + d^3) time, 64 d (d + d') float64 of memory.
/// Throws InvalidArgument for other counts of rows, none, no columns, and a truth whose rows are all equal; InputError
/// for values that are not finite; Interruption.
[[nodiscard]] Alignment align(const PointsView& x, const PointsView& truth, const RunContext& context = {});

/// Share of points whose label is not that of the nearest other point (Euclidean; equally near ones vote as in
/// score()): 1-nearest-neighbour classification, leave-one-out. Points of a label below 0, which is unknown, do not
/// count, nor do those whose nearest is one. O(n^2 d). Throws InvalidArgument for fewer than 2 points, no dimensions,
/// another count of labels, and where no point counts; InputError for values that are not finite; LimitExceeded;
/// Interruption.
[[nodiscard]] double nearest_label_error(const PointsView& points, std::span<const std::int64_t> labels,
                                         const RunContext& context = {});

/// The same for `queries` by the nearest of the points. O(m n d).
[[nodiscard]] double nearest_label_error(const PointsView& points, std::span<const std::int64_t> labels,
                                         const PointsView& queries, std::span<const std::int64_t> query_labels,
                                         const RunContext& context = {});

}  // namespace isogon
