#include "decomposition/completion_svd.hpp"

#include <gtest/gtest.h>

#include "decomposition/streamed_completion.hpp"
#include "unit/decomposition/relu_examples.hpp"

namespace isogon::completion_svd_test {
namespace {

using support::Matrix;
using support::to_matrix;

TEST(CompletionSvd, IsTheBestApproximation) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const Index rank = std::min<Index>(3, std::min(problem.forward.rows(), problem.forward.columns()));
        const ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), rank, 9);
        const StreamedCompletion z(problem, {{&factors, 1.0}}, {});
        const CompletionSvd svd = completion_svd(z, with_guard(factors.right, 8, 0),
                                                 {.rank = rank, .tolerance = 1e-13, .most_rounds = 400}, {});
        const Matrix dense = support::whole(z, false);
        EXPECT_EQ(svd.factors.rank(), rank);
        EXPECT_NEAR((support::product_of(svd.factors) - dense).norm(),
                    (support::best_of_rank(dense, rank) - dense).norm(), 1e-9 * dense.norm())
            << example.name;
    }
}

TEST(CompletionSvd, OneRoundIsNearerThanTheStart) {
    const support::ReluExample example{"", support::planted_relu(80, 70, 5, 0.5, 1), {}};
    const ReluProblem problem = example.problem();
    const ReluFactors factors = support::random_factors(80, 70, 4, 2);
    const StreamedCompletion z(problem, {{&factors, 1.0}}, {});
    const CompletionSvd svd = completion_svd(z, factors.right, {.rank = 4, .most_rounds = 1}, {});
    const Matrix dense = support::whole(z, false);
    EXPECT_LT((support::product_of(svd.factors) - dense).norm(), (support::product_of(factors) - dense).norm());
}

TEST(OrthonormalColumns, SpanTheSame) {
    Matrix v = support::random_matrix(60, 4, 1) * support::random_matrix(4, 6, 2);  // of rank 4
    v.col(0) *= 1e6;
    const Matrix q = to_matrix(orthonormal_columns(support::to_wide(v), {}));
    EXPECT_LT((q * (q.transpose() * v) - v).norm(), 1e-7 * v.norm());
    const Matrix gram = q.transpose() * q;
    EXPECT_LT((gram * gram - gram).norm(), 1e-9);  // a projection: ones and zeros
    EXPECT_NEAR(gram.trace(), 4.0, 1e-9);
}

}  // namespace
}  // namespace isogon::completion_svd_test
