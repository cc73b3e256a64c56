#include "decomposition/active_kernel.hpp"

#include <gtest/gtest.h>

#include "support/spectral_problems.hpp"

namespace isogon::active_kernel_test {
namespace {

using support::Matrix;
using support::to_multi_vector;

TEST(ActiveKernel, IsWhatItsSumsSay) {
    for (const Index rank : {8, 16, 40}) {
        const Matrix v = support::random_matrix(30, rank, 1);
        const Matrix q = support::random_matrix(30, rank, 2);
        const Matrix w = support::random_matrix(1, rank, 3);
        const Matrix p = support::random_matrix(1, rank, 4);
        const std::vector<Index> columns{0, 3, 4, 29};
        const std::vector<double> targets{1.0, 0.0, 2.5, 0.0};
        const ActiveRow row{columns, rank};
        const std::vector<Index> support_columns{0, 4};
        const std::vector<double> support_values{1.0, 2.5};
        const MultiVector<double> wide_v = to_multi_vector(v);
        const MultiVector<double> wide_q = to_multi_vector(q);
        Matrix gradient = Matrix::Zero(1, rank);
        Matrix normal = Matrix::Zero(1, rank);
        Matrix gram = Matrix::Zero(rank, rank);
        double squares = 0.0;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const auto j = static_cast<Eigen::Index>(columns[k]);
            const double residual = targets[k] - w.row(0).dot(v.row(j));
            squares += residual * residual;
            gradient += residual * v.row(j);
            normal += (p.row(0).dot(v.row(j)) + w.row(0).dot(q.row(j))) * v.row(j);
            gram += v.row(j).transpose() * v.row(j);
        }
        MultiVector<double> out(1, rank);
        const MultiVector<double> wide_w = to_multi_vector(w);
        const MultiVector<double> wide_p = to_multi_vector(p);
        EXPECT_NEAR(
            residual_row(row, {support_columns, support_values}, wide_w.row(0), wide_v.values().data(), out.row(0)),
            squares, 1e-11);
        EXPECT_LT(support::difference(support::to_matrix(out), gradient), 1e-11);
        out = MultiVector<double>(1, rank);
        normal_row(row, wide_w.row(0), wide_v.values().data(), wide_p.row(0), wide_q.values().data(), out.row(0));
        EXPECT_LT(support::difference(support::to_matrix(out), normal), 1e-10);
        MultiVector<double> lower(rank, rank);
        gram_row(row, wide_v.values().data(), lower.values().data());
        for (Index i = 0; i < rank; ++i) {
            for (Index j = 0; j <= i; ++j) {
                EXPECT_NEAR(lower.at(i, j), gram(i, j), 1e-11);
            }
        }
    }
}

}  // namespace
}  // namespace isogon::active_kernel_test
