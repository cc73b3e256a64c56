#include "decomposition/completion.hpp"

#include <gtest/gtest.h>

#include "decomposition/streamed_completion.hpp"
#include "reference/point_sets.hpp"
#include "unit/decomposition/relu_examples.hpp"

namespace isogon::completion_test {
namespace {

using support::Matrix;
using support::to_matrix;
using support::to_wide;

TEST(Completion, ItsProductsAreThoseOfTheWholeMatrix) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9);
        const StreamedCompletion z(problem, {{&factors, 1.0}}, {});
        const Matrix dense = support::completed(example, support::product_of(factors));
        for (const Index columns : {1, 48, 50}) {
            const Matrix v = support::random_matrix(problem.forward.columns(), columns, 1);
            const Matrix u = support::random_matrix(problem.forward.rows(), columns, 2);
            EXPECT_LT(support::difference(to_matrix(product(z, false, to_wide(v), {})), dense * v), 1e-10)
                << example.name;
            EXPECT_LT(support::difference(to_matrix(product(z, true, to_wide(u), {})), dense.transpose() * u), 1e-10)
                << example.name;
        }
        EXPECT_NEAR(squared_norm(z, {}), dense.squaredNorm(), 1e-11 * dense.squaredNorm()) << example.name;
    }
}

TEST(Completion, ItsProductsAreTheSameOnAnyNumberOfThreads) {
    const support::ReluExample example{"", support::planted_relu(300, 200, 4, 0.0, 1), {}};
    const ReluProblem problem = example.problem();
    const ReluFactors factors = support::random_factors(300, 200, 4, 9);
    const StreamedCompletion z(problem, {{&factors, 1.0}}, {});
    const WideVectors v = to_wide(support::random_matrix(200, 5, 3));
    EXPECT_EQ(product(z, false, v, reference::on_threads(1)).values,
              product(z, false, v, reference::on_threads(3)).values);
}

}  // namespace
}  // namespace isogon::completion_test
