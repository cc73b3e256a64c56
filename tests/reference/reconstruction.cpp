#include "reference/reconstruction.hpp"

namespace isogon::reference {

Eigen::VectorXd weights_of(const support::Matrix& points, const std::vector<Index>& near, const Eigen::VectorXd& row,
                           double ridge) {
    support::Matrix columns(points.cols(), static_cast<Eigen::Index>(near.size()));
    for (std::size_t j = 0; j < near.size(); ++j) {
        columns.col(static_cast<Eigen::Index>(j)) = points.row(near[j]).transpose();
    }
    support::Matrix gram = columns.transpose() * columns;
    gram.diagonal() *= 1.0 + ridge;
    for (Eigen::Index j = 0; j < gram.rows(); ++j) {
        gram(j, j) = gram(j, j) == 0.0 ? 1.0 : gram(j, j);
    }
    return gram.ldlt().solve(columns.transpose() * row);
}

support::Matrix weights(const support::Matrix& rows, const support::Matrix& points, const NeighborLists& lists,
                        double ridge) {
    support::Matrix result = support::Matrix::Zero(rows.rows(), points.rows());
    for (Index i = 0; i < rows.rows(); ++i) {
        const std::vector<Index> near(lists[i].begin(), lists[i].end());
        const Eigen::VectorXd w = weights_of(points, near, rows.row(i).transpose(), ridge);
        for (std::size_t j = 0; j < near.size(); ++j) {
            result(i, near[j]) = w[static_cast<Eigen::Index>(j)];
        }
    }
    return result;
}

double cosine(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    const double lengths = a.norm() * b.norm();
    return lengths > 0.0 ? a.dot(b) / lengths : 0.0;
}

NeighborLists cosine_lists(const support::Matrix& rows, const support::Matrix& points, Index k, bool self) {
    NeighborLists lists{.size = k};
    for (Index i = 0; i < rows.rows(); ++i) {
        std::vector<Index> order(static_cast<std::size_t>(points.rows()));
        std::iota(order.begin(), order.end(), Index{0});
        std::vector<double> near(order.size());
        for (const Index j : order) {
            near[j] = self && i == j ? -2.0 : cosine(rows.row(i).transpose(), points.row(j).transpose());
        }
        std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return near[a] > near[b]; });
        lists.indices.insert(lists.indices.end(), order.begin(), order.begin() + k);
    }
    return lists;
}

}  // namespace isogon::reference
