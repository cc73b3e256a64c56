#pragma once
#include <Eigen/Dense>
#include <cmath>

#include "isogon/core/points.hpp"
#include "isogon/core/random.hpp"
#include "support/dense_matrices.hpp"

/// Data and slow references for spectral methods.
namespace isogon::support {

/// A sheet of points in the unit square, rolled up in space if asked to.
struct Sheet {
    Matrix truth;
    Points points;
};

inline Sheet sheet(Index count, bool rolled, std::uint64_t seed = 1) {
    Sheet result{Matrix(count, 2), {}};
    Matrix space(count, 3);
    for (Index i = 0; i < count; ++i) {
        Random random(seed, Purpose::Test, i);
        const double u = random.uniform(0.0, 3.0);
        const double v = random.uniform(0.0, 1.0);
        result.truth.row(i) << u, v;
        // An arc of radius 1.5: as long as the sheet is wide.
        space.row(i) << (rolled ? 1.5 * std::sin(u / 1.5) : u), v, (rolled ? 1.5 * std::cos(u / 1.5) : 0.0);
    }
    result.points = to_points(space);
    return result;
}

inline Matrix centred(const Matrix& x) {
    return x.rowwise() - x.colwise().mean();
}

/// |s X R - T| / |T| after the best shift, rotation or reflection, and scale.
inline double procrustes_error(const Matrix& coordinates, const Matrix& truth) {
    const Matrix x = centred(coordinates);
    const Matrix t = centred(truth);
    const Eigen::JacobiSVD<Matrix> svd(x.transpose() * t, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Matrix rotation = svd.matrixU() * svd.matrixV().transpose();
    const double scale = svd.singularValues().sum() / x.squaredNorm();
    return (scale * x * rotation - t).norm() / t.norm();
}

/// |X W - T| / |T| after the best linear map: 0 where the spans of the centred columns agree.
inline double span_error(const Matrix& coordinates, const Matrix& truth) {
    const Matrix x = centred(coordinates);
    const Matrix t = centred(truth);
    return (x * x.colPivHouseholderQr().solve(t) - t).norm() / t.norm();
}

/// The smallest or largest eigenvectors of a generalised problem, by Eigen, from the wanted end inwards.
inline Matrix eigenvectors(const Matrix& a, const Matrix& b, Index skipped, Index count, bool largest) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(a, b);
    Matrix result(a.rows(), count);
    for (Index j = 0; j < count; ++j) {
        const Index place = largest ? static_cast<Index>(a.rows()) - 1 - skipped - j : skipped + j;
        result.col(j) = solver.eigenvectors().col(place);
    }
    return result;
}

}  // namespace isogon::support
