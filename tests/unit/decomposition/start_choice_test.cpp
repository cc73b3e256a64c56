#include "decomposition/start_choice.hpp"

#include <gtest/gtest.h>

#include "decomposition/nuclear_start.hpp"
#include "decomposition/relu_start.hpp"
#include "decomposition/spherical_start.hpp"
#include "unit/decomposition/relu_examples.hpp"

namespace isogon::start_choice_test {
namespace {

using support::Matrix;

double objective(const support::ReluExample& example, const ReluFactors& factors) {
    return support::latent_squares(example, support::product_of(factors));
}

TEST(StartChoice, IsTheOneThatOptionsName) {
    const support::ReluExample example{"", support::planted_relu(40, 30, 3, 0.5, 1), {}};
    const ReluProblem problem = example.problem();
    const auto chosen = [&](ReluStart start) {
        return chosen_start(problem, {.rank = 3, .start = start, .seed = 5}, {}).left.values;
    };
    const ReluFactors sparse = sparse_start(problem, 3, 5, {});
    EXPECT_EQ(chosen(ReluStart::Shifted), sparse.left.values);
    EXPECT_EQ(chosen(ReluStart::Spherical), spherical_start(problem, balanced(sparse, {}), {}).left.values);
    EXPECT_EQ(chosen(ReluStart::Svd), shifted_start(problem, 3, 0.0, 5, {}).left.values);
    EXPECT_EQ(chosen(ReluStart::Nuclear), nuclear_start(problem, 3, 5, {}).left.values);
    EXPECT_EQ(chosen(ReluStart::Random), random_start(problem, 3, 5, {}).left.values);
}

TEST(StartChoice, AutoIsTheNearer) {
    std::vector<support::ReluExample> examples = support::relu_examples();
    examples.push_back({"identity", Matrix::Identity(30, 30), {}});
    for (const support::ReluExample& example : examples) {
        const ReluProblem problem = example.problem();
        const auto at = [&](ReluStart start) {
            const int rank = static_cast<int>(std::min<Eigen::Index>(3, std::min(example.s.rows(), example.s.cols())));
            return objective(example, chosen_start(problem, {.rank = rank, .start = start}, {}));
        };
        const double nearer = std::min(at(ReluStart::Shifted), at(ReluStart::Spherical));
        EXPECT_NEAR(at(ReluStart::Auto), nearer, 1e-9 * (1.0 + nearer)) << example.name;
    }
}

}  // namespace
}  // namespace isogon::start_choice_test
