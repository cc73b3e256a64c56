#include "decomposition/symmetric_update.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "decomposition/relu_start.hpp"
#include "isogon/core/error.hpp"
#include "unit/decomposition/relu_examples.hpp"

namespace isogon::symmetric_update_test {
namespace {

using support::Matrix;

/// Eigenvalues of both signs, and a diagonal that is partly zero.
support::ReluExample planted() {
    const Matrix latent =
        support::matrix_with_spectrum(90, {30.0, 20.0, -25.0, 10.0}, 1);  // symmetric but for rounding
    return {"", latent.cwiseMax(0.0), {}};
}

TEST(SymmetricUpdate, FindsAPlantedMatrixWithEigenvaluesOfBothSigns) {
    const support::ReluExample example = planted();
    const ReluProblem problem = example.problem();
    SymmetricUpdate state(problem, shifted_start(problem, 4, mean_positive_entry(problem), 0, {}), 0, {});
    for (int k = 0; k < 250; ++k) {
        state.update();
    }
    const Matrix latent = support::product_of(state.factors());
    EXPECT_LT((latent - latent.transpose()).norm(), 1e-12 * latent.norm());
    EXPECT_EQ(state.factors().rank(), 4U);
    EXPECT_LT(std::sqrt(support::output_squares(example, latent)), 1e-3 * example.s.norm());
}

TEST(SymmetricUpdate, NeedsASymmetricMatrix) {
    EXPECT_NO_THROW(require_symmetric(planted().problem()));
    support::ReluExample example = planted();
    example.s(3, 5) += 1.0;
    EXPECT_THROW(require_symmetric(example.problem()), InvalidArgument);
    example = planted();
    example.s.row(7).setZero();  // mirror images missing
    EXPECT_THROW(require_symmetric(example.problem()), InvalidArgument);
    EXPECT_THROW(require_symmetric(support::ReluExample{"", support::planted_relu(5, 6, 2, 0.0, 1), {}}.problem()),
                 InvalidArgument);
}

}  // namespace
}  // namespace isogon::symmetric_update_test
