#include "linalg/nonnegative_factorization.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "linalg/truncated_svd.hpp"

namespace isogon {

namespace {

/// Sums of squares of the positive and of the negative entries.
struct Halves {
    double positive = 0.0;
    double negative = 0.0;

    void add(double value) { (value > 0.0 ? positive : negative) += value * value; }
};

void fill_random(MultiVector<float>& parts, Index column, std::uint64_t seed) {
    Random random(seed, RandomStream::NonnegativeStart, column);
    double squares = 0.0;
    std::vector<double> values(parts.rows());
    for (double& value : values) {
        value = random.uniform();
        squares += value * value;
    }
    const double length = squares > 0.0 ? std::sqrt(squares) : 1.0;
    for (Index i = 0; i < parts.rows(); ++i) {
        parts.row(i)[column] = static_cast<float>(values[i] / length);
    }
}

/// The half of direction k that carries more of X: its share is |v half| |X v half|.
void fill_half(const TruncatedSvd& svd, const Points& projections, Index k, MultiVector<float>& parts) {
    Halves direction;
    Halves projection;
    for (std::size_t i = 0; i < svd.directions.rows; ++i) {
        direction.add(svd.directions(i, k));
    }
    for (Index i = 0; i < projections.count(); ++i) {
        projection.add(double{projections[i][k]});
    }
    const bool positive = direction.positive * projection.positive >= direction.negative * projection.negative;
    const double sign = positive ? 1.0 : -1.0;
    const double length = std::sqrt(positive ? direction.positive : direction.negative);
    for (Index i = 0; i < parts.rows(); ++i) {
        parts.row(i)[k] = static_cast<float>(std::max(0.0, sign * svd.directions(i, k)) / length);
    }
}

}  // namespace

MultiVector<float> nonnegative_svd_start(const PointsView& x, Index rank, std::uint64_t seed,
                                         const RunContext& context) {
    const TruncatedSvd svd = truncated_svd(x, rank, false, context);
    const Points projections = project(x, svd, context);
    // Along shorter directions points in float32 hold little but their own rounding.
    constexpr double rounding = 1e-7;
    MultiVector<float> parts(x.dimension, rank);
    for (Index k = 0; k < rank; ++k) {
        if (svd.singular_values[k] > rounding * svd.singular_values[0]) {
            fill_half(svd, projections, k, parts);
        } else {
            fill_random(parts, k, seed);
        }
    }
    return parts;
}

MultiVector<float> nonnegative_random_start(Index dimension, Index rank, std::uint64_t seed) {
    MultiVector<float> parts(dimension, rank);
    for (Index k = 0; k < rank; ++k) {
        fill_random(parts, k, seed);
    }
    return parts;
}

std::uint64_t nonnegative_svd_start_bytes(Index count, Index dimension, Index rank) {
    return truncated_svd_bytes(count, dimension, rank) + std::uint64_t{count} * rank * sizeof(float);
}

}  // namespace isogon
