#include "support/spectral_methods.hpp"

namespace isogon::support {

Sheet sheet(Index count, bool rolled, std::uint64_t seed) {
    Sheet result{Matrix(count, 2), {}};
    Matrix space(count, 3);
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        const double u = random.uniform(0.0, 3.0);
        const double v = random.uniform(0.0, 1.0);
        result.truth.row(i) << u, v;
        // An arc of radius 1.5: as long as the sheet is wide.
        space.row(i) << (rolled ? 1.5 * std::sin(u / 1.5) : u), v, (rolled ? 1.5 * std::cos(u / 1.5) : 0.0);
    }
    result.points = to_points(space);
    return result;
}

Matrix centred(const Matrix& x) {
    return x.rowwise() - x.colwise().mean();
}

double procrustes_error(const Matrix& coordinates, const Matrix& truth) {
    const Matrix x = centred(coordinates);
    const Matrix t = centred(truth);
    const Eigen::JacobiSVD<Matrix> svd(x.transpose() * t, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Matrix rotation = svd.matrixU() * svd.matrixV().transpose();
    const double scale = svd.singularValues().sum() / x.squaredNorm();
    return (scale * x * rotation - t).norm() / t.norm();
}

double span_error(const Matrix& coordinates, const Matrix& truth) {
    const Matrix x = centred(coordinates);
    const Matrix t = centred(truth);
    return (x * x.colPivHouseholderQr().solve(t) - t).norm() / t.norm();
}

Matrix eigenvectors(const Matrix& a, const Matrix& b, Index skipped, Index count, bool largest) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(a, b);
    Matrix result(a.rows(), count);
    for (Index j = 0; j < count; ++j) {
        const Index place = largest ? static_cast<Index>(a.rows()) - 1 - skipped - j : skipped + j;
        result.col(j) = solver.eigenvectors().col(place);
    }
    return result;
}

}  // namespace isogon::support
