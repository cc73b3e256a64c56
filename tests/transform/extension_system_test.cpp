#include "transform/extension_system.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "support/sparse_matrices.hpp"

namespace isogon::extension_system_test {
namespace {

using support::Matrix;
using support::to_matrix;

/// Random weights of directions and lengths; landmarks 2, 5 and 6 of 9.
struct Example {
    Matrix v = support::random_sparse(9, 9, 0.5, 3);
    std::vector<double> lengths{1, 2, 0.5, 3, 1, 4, 2, 0.25, 1};
    std::vector<Index> landmarks{2, 5, 6};
    std::vector<Index> unknown{0, 1, 3, 4, 7, 8};
    Points outputs = reference::random_points(3, 2, 4);

    Example() { v.diagonal().setZero(); }
    [[nodiscard]] ExtensionSystem system() const {
        return {support::to_sparse(v), lengths, landmarks, outputs.view(), {}};
    }
    /// I - W, with W of eq. 14.
    [[nodiscard]] Matrix remainder() const {
        const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(lengths.data(), 9);
        return Matrix::Identity(9, 9) - Matrix(x.asDiagonal() * v * x.cwiseInverse().asDiagonal());
    }
    [[nodiscard]] Matrix columns(const std::vector<Index>& chosen) const {
        Matrix result(9, static_cast<Eigen::Index>(chosen.size()));
        for (std::size_t k = 0; k < chosen.size(); ++k) {
            result.col(static_cast<Eigen::Index>(k)) = remainder().col(chosen[k]);
        }
        return result;
    }
};

TEST(ExtensionSystem, HasADiagonalOfOnes) {
    const Example example;
    const ExtensionSystem system = example.system();
    ASSERT_EQ(system.size(), 6);
    EXPECT_EQ(system.unknown(), example.unknown);
    MultiVector<float> out(6, 6);
    system.apply(support::to_block(Matrix::Identity(6, 6)), out, {});
    const Matrix normal = to_matrix(out);
    EXPECT_LT((normal.diagonal() - Eigen::VectorXd::Ones(6)).norm(), 1e-5);
    EXPECT_LT(support::difference(normal, normal.transpose()), 1e-6);
}

TEST(ExtensionSystem, IsEquation27) {
    const Example example;
    const ExtensionSystem system = example.system();
    MultiVector<float> normal(6, 6);
    system.apply(support::to_block(Matrix::Identity(6, 6)), normal, {});
    const Matrix t = to_matrix(normal).ldlt().solve(to_matrix(system.right_side()));
    Points outputs(9, 2);
    system.write_outputs(support::to_block(t), outputs);
    // (A^T A + C^T C) Yu = -(A^T B + C^T D) Yk, with A over C and B over D.
    const Matrix a_over_c = example.columns(example.unknown);
    const Matrix b_over_d = example.columns(example.landmarks);
    const Matrix expected =
        (a_over_c.transpose() * a_over_c).ldlt().solve(-a_over_c.transpose() * b_over_d * to_matrix(example.outputs));
    for (Index u = 0; u < 6; ++u) {
        EXPECT_LT((to_matrix(outputs).row(example.unknown[u]) - expected.row(u)).norm(), 1e-4 * expected.norm());
    }
}

TEST(ExtensionSystem, HasZeroOutputsForZeroVectors) {
    Example example;
    example.lengths[3] = example.lengths[5] = 0.0;
    example.v.row(3).setZero();
    example.v.col(3).setZero();
    example.v.row(5).setZero();
    example.v.col(5).setZero();
    const ExtensionSystem system = example.system();
    Points outputs(9, 2);
    system.write_outputs(support::random_block(6, 2, 1), outputs);
    EXPECT_EQ(outputs[3][0], 0.0F);
    EXPECT_TRUE(to_matrix(system.right_side()).allFinite());
    EXPECT_TRUE(to_matrix(outputs).allFinite());
}

}  // namespace
}  // namespace isogon::extension_system_test
