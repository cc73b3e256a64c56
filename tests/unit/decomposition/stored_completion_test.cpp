#include "decomposition/stored_completion.hpp"

#include <gtest/gtest.h>

#include "decomposition/completion.hpp"
#include "unit/decomposition/relu_examples.hpp"

namespace isogon::stored_completion_test {
namespace {

using support::Matrix;

TEST(StoredCompletion, RemembersWhatItWas) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const Index m = problem.forward.rows();
        const Index n = problem.forward.columns();
        const ReluFactors a = support::random_factors(m, n, 3, 9);
        const ReluFactors b = support::random_factors(m, n, 3, 10);
        TileArray latent(m, n);
        StoredCompletion z(problem);
        extrapolate(a, 0.0, latent, latent, {});
        z.complete(latent, 0.0, z, {});
        const Matrix first = support::completed(example, support::product_of(a));
        EXPECT_LT(support::difference(support::whole(z, false), first), 1e-12) << example.name;

        extrapolate(b, 0.5, latent, latent, {});
        const Matrix extrapolated = 1.5 * support::product_of(b) - 0.5 * support::product_of(a);
        z.complete(latent, 0.7, z, {});
        const Matrix second = 1.7 * support::completed(example, extrapolated) - 0.7 * first;
        EXPECT_LT(support::difference(support::whole(z, false), second), 1e-11) << example.name;
        EXPECT_LT(support::difference(support::whole(z, true), second.transpose()), 1e-11) << example.name;
        EXPECT_NEAR(z.distance(latent, {}), (second - extrapolated).norm(), 1e-11 * second.norm()) << example.name;

        StoredCompletion other(problem);
        other.complete(latent, 0.0, other, {});
        other.add_difference(0.9, z, other, {});
        const Matrix plain = support::completed(example, extrapolated);
        EXPECT_LT(support::difference(support::whole(other, false), plain + 0.9 * (second - plain)), 1e-11)
            << example.name;
    }
}

TEST(StoredCompletion, HoldsWhatAnotherIs) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        const ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9);
        const StreamedCompletion other(problem, {{&factors, 1.0}}, {});
        StoredCompletion z(problem);
        z.hold(other, {});
        EXPECT_EQ(support::whole(z, false), support::whole(other, false)) << example.name;
        EXPECT_EQ(support::whole(z, true), support::whole(other, false).transpose()) << example.name;
    }
}

}  // namespace
}  // namespace isogon::stored_completion_test
