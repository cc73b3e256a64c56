#include "isogon/linalg/small_eigen.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace isogon {

namespace {

/// +1 or -1, so that the component of largest magnitude becomes positive: eigenvectors are otherwise free in sign.
double sign_of(const Eigen::VectorXd& vector) {
    Eigen::Index place = 0;
    vector.cwiseAbs().maxCoeff(&place);
    return vector[place] < 0.0 ? -1.0 : 1.0;
}

}  // namespace

SmallEigen symmetric_eigen(const DenseMatrix& matrix, SpectrumOrder order) {
    if (matrix.rows == 0) {
        return {};  // what a zero block projects to; Eigen's solver reads beyond an empty matrix
    }
    const auto size = static_cast<Eigen::Index>(matrix.rows);
    const Eigen::Map<const Eigen::MatrixXd> map(matrix.values.data(), size, size);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(map);

    std::vector<Eigen::Index> places(matrix.rows);
    std::iota(places.begin(), places.end(), Eigen::Index{0});
    const auto key = [&](Eigen::Index i) {
        const double value = solver.eigenvalues()[i];
        switch (order) {
            case SpectrumOrder::Largest: return value;
            case SpectrumOrder::Smallest: return -value;
            case SpectrumOrder::LargestMagnitude: break;
        }
        return std::abs(value);
    };
    std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return key(a) > key(b); });

    SmallEigen result{std::vector<double>(matrix.rows), DenseMatrix(matrix.rows, matrix.rows)};
    Eigen::Map<Eigen::MatrixXd> vectors(result.vectors.values.data(), size, size);
    for (Eigen::Index j = 0; j < size; ++j) {
        const Eigen::VectorXd vector = solver.eigenvectors().col(places[j]);
        result.values[j] = solver.eigenvalues()[places[j]];
        vectors.col(j) = sign_of(vector) * vector;
    }
    return result;
}

}  // namespace isogon
