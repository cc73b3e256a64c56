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

}  // namespace
}  // namespace isogon::extension_system_test
