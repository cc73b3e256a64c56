#include "quality/known_truth.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "linalg/dense_matrix.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "quality/tied_ranks.hpp"

namespace isogon {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Rows in blocks, of which there are few: their sums, d x d' each, are held side by side and added in order.
constexpr std::size_t most_blocks = 64;
constexpr std::size_t least_rows = 256;
/// Share of the largest variance of x below which a direction is rounding.
constexpr double noise = 1e-12;

std::size_t rows_in_block(const PointsView& points) {
    return std::max(least_rows, block_count(points.count, most_blocks));
}

/// Points as numbers about their mean, row by row.
class Centred {
public:
    explicit Centred(const PointsView& points) : points_(points), mean_(VectorXd::Zero(points.dimension)) {
        for (Index i = 0; i < points.count; ++i) {
            mean_ += raw(i);
        }
        mean_ /= static_cast<double>(points.count);
    }
    [[nodiscard]] VectorXd operator[](std::size_t i) const { return raw(static_cast<Index>(i)) - mean_; }
    [[nodiscard]] const PointsView& points() const { return points_; }

private:
    [[nodiscard]] VectorXd raw(Index i) const {
        return Eigen::Map<const Eigen::VectorXf>(points_[i].data(), points_.dimension).cast<double>();
    }

    PointsView points_;
    VectorXd mean_;
};

DenseMatrix as_dense(const MatrixXd& matrix) {
    DenseMatrix dense(matrix.rows(), matrix.cols());
    std::copy_n(matrix.data(), matrix.size(), dense.values.data());
    return dense;
}

Eigen::Map<const MatrixXd> as_matrix(const DenseMatrix& dense) {
    return {dense.values.data(), static_cast<Eigen::Index>(dense.rows), static_cast<Eigen::Index>(dense.columns)};
}

/// A^T B.
MatrixXd cross_moments(const Centred& a, const Centred& b, const RunContext& context) {
    const std::size_t count = a.points().count;
    const std::size_t rows = rows_in_block(a.points());
    std::vector<MatrixXd> parts(block_count(count, rows));
    parallel_tasks(context, parts.size(), [&](std::size_t t) {
        throw_if_cancelled_in_task(context);
        parts[t] = MatrixXd::Zero(a.points().dimension, b.points().dimension);
        const Range range = block_range(t, count, rows);
        for (std::size_t i = range.begin; i < range.end; ++i) {
            parts[t].noalias() += a[i] * b[i].transpose();
        }
    });
    MatrixXd sum = parts.front();
    for (std::size_t t = 1; t < parts.size(); ++t) {
        sum += parts[t];
    }
    return sum;
}

double square(const Centred& a, const RunContext& context) {
    return parallel_sum(context, a.points().count, rows_in_block(a.points()), [&](Range range) {
        double sum = 0.0;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            sum += a[i].squaredNorm();
        }
        return sum;
    });
}

/// |X W - T|^2, from the differences: that keeps the digits of a small one.
double square_of_difference(const Centred& x, const MatrixXd& map, const Centred& truth, const RunContext& context) {
    return parallel_sum(context, x.points().count, rows_in_block(x.points()), [&](Range range) {
        double sum = 0.0;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            sum += (map.transpose() * x[i] - truth[i]).squaredNorm();
        }
        return sum;
    });
}

/// The map, scale included. Coincident points have none.
MatrixXd similarity(const Centred& x, const Centred& truth, double& scale, const RunContext& context) {
    const double spread = square(x, context);
    const OrthogonalFactor rotation = orthogonal_factor(as_dense(cross_moments(x, truth, context)));
    scale = spread > 0.0 ? rotation.sum / spread : 0.0;
    return scale * as_matrix(rotation.matrix);
}

MatrixXd linear_map(const Centred& x, const Centred& truth, const RunContext& context) {
    const SmallEigen eigen = symmetric_eigen(as_dense(cross_moments(x, x, context)), SpectrumOrder::Largest);
    const double least = noise * eigen.values.front();
    const auto vectors = as_matrix(eigen.vectors);
    MatrixXd along = vectors.transpose() * cross_moments(x, truth, context);
    for (Eigen::Index a = 0; a < along.rows(); ++a) {
        const double value = eigen.values[a];
        along.row(a) *= value > least ? 1.0 / value : 0.0;
    }
    return vectors * along;
}

void require_comparable(const PointsView& x, const PointsView& truth) {
    if (x.empty() || truth.empty()) {
        throw InvalidArgument("points", "none", "there must be at least one point of one number, and a truth for it");
    }
    if (x.count != truth.count) {
        throw InvalidArgument("truth", std::to_string(truth.count) + " rows",
                              "there must be one for each of " + std::to_string(x.count) + " points");
    }
    require_finite(x, "coordinates");
    require_finite(truth, "truth");
}

}  // namespace

Alignment align(const PointsView& x, const PointsView& truth, const RunContext& context) {
    require_comparable(x, truth);
    const Centred from(x);
    const Centred to(truth);
    const double whole = square(to, context);
    if (!(whole > 0.0)) {
        throw InvalidArgument("truth", "all rows equal", "there is nothing to come near to");
    }
    Alignment result;
    result.kind = x.dimension == truth.dimension ? AlignmentKind::Similarity : AlignmentKind::Linear;
    const MatrixXd map = result.kind == AlignmentKind::Similarity ? similarity(from, to, result.scale, context)
                                                                  : linear_map(from, to, context);
    result.error = std::sqrt(square_of_difference(from, map, to, context) / whole);
    return result;
}

namespace {

void require_labelled(const PointsView& points, std::size_t labels, const char* name, Index least) {
    if (points.count < least || points.dimension == 0) {
        throw InvalidArgument(name,
                              std::to_string(points.count) + " of " + std::to_string(points.dimension) + " numbers",
                              "must be at least " + std::to_string(least) + ", of at least 1 number");
    }
    if (labels != points.count) {
        throw InvalidArgument("labels", std::to_string(labels),
                              "must be one for each of " + std::to_string(points.count) + " " + name);
    }
    require_finite(points, name);
}

/// The nearest of the points, with all that tie; `self` is none of them.
NearestSet nearest_of_all(std::span<const float> query, const PointsView& points, Index self) {
    std::vector<double> squares(points.count);
    for (Index j = 0; j < points.count; ++j) {
        squares[j] = j == self ? std::numeric_limits<double>::infinity()
                               : squared_distance(query.data(), points[j].data(), query.size());
    }
    return nearest_outputs(squares, 1);
}

struct Labelled {
    const PointsView& points;
    std::span<const std::int64_t> labels;
};

/// `lists` are the one or two nearest of the queries. Of those whose label is known and that have a nearest of known
/// label.
double share_of_wrong(const NeighborLists& lists, const Labelled& queries, const Labelled& points, SelfAllowed self) {
    double wrong = 0.0;
    double judged = 0.0;
    for (Index i = 0; i < lists.count(); ++i) {
        const auto distances = lists.distances_of(i);
        const Index left_out = self == SelfAllowed::No ? i : points.points.count;
        const NearestSet nearest = lists.size > 1 && distances.front() == distances.back()
                                       ? nearest_of_all(queries.points[i], points.points, left_out)
                                       : NearestSet{.k = 1, .tied = {lists[i].front()}};
        if (const auto right = vote_for(queries.labels[i], nearest, points.labels)) {
            wrong += 1.0 - *right;
            judged += 1.0;
        }
    }
    if (judged == 0.0) {
        throw InvalidArgument("labels", "unknown",
                              "must be known, that is, not below 0, of a point and of the one nearest to it");
    }
    return wrong / judged;
}

}  // namespace

double nearest_label_error(const PointsView& points, std::span<const std::int64_t> labels, const RunContext& context) {
    require_labelled(points, labels.size(), "points", 2);
    const Index most = std::min<Index>(2, points.count - 1);
    return share_of_wrong(exact_neighbors(points, most, Metric::Euclidean, context), {points, labels}, {points, labels},
                          SelfAllowed::No);
}

double nearest_label_error(const PointsView& points, std::span<const std::int64_t> labels, const PointsView& queries,
                           std::span<const std::int64_t> query_labels, const RunContext& context) {
    require_labelled(points, labels.size(), "points", 1);
    require_labelled(queries, query_labels.size(), "queries", 1);
    if (queries.dimension != points.dimension) {
        throw InvalidArgument("queries", std::to_string(queries.dimension) + " numbers each",
                              "must have as many as the points, " + std::to_string(points.dimension));
    }
    const Index most = std::min<Index>(2, points.count);
    return share_of_wrong(exact_neighbors(queries, points, most, Metric::Euclidean, context), {queries, query_labels},
                          {points, labels}, SelfAllowed::Yes);
}

}  // namespace isogon
