#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <numeric>
#include <vector>

#include "isogon/neighbors/neighbor_lists.hpp"
#include "support/dense_matrices.hpp"

/// Saul 2022, eq. 14, as printed and in float64: the slow twin of the reconstruction weights.
namespace isogon::reference {

/// W_ij of the neighbours of row i, in the order of `near`: (X^T X + ridge diag |x_j|^2) w = X^T x. A zero
/// neighbour, of which eq. 14 says nothing, has none.
Eigen::VectorXd weights_of(const support::Matrix& points, const std::vector<Index>& near, const Eigen::VectorXd& row,
                           double ridge);

/// All of them as a dense matrix.
support::Matrix weights(const support::Matrix& rows, const support::Matrix& points, const NeighborLists& lists,
                        double ridge);

double cosine(const Eigen::VectorXd& a, const Eigen::VectorXd& b);

/// The k nearest by cosine of every row; of `self`, a row is not its own neighbour.
NeighborLists cosine_lists(const support::Matrix& rows, const support::Matrix& points, Index k, bool self);

}  // namespace isogon::reference
