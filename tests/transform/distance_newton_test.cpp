#include "transform/distance_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/dense_matrices.hpp"

namespace isogon::distance_newton_test {
namespace {

using support::Matrix;
using Vector = Eigen::VectorXd;

/// Some near points, at distances that no y has, and others that it is too near to.
struct Problem {
    Problem(Index near, Index others, Index dimension)
        : outputs(support::random_matrix(near + others, dimension, 1).cast<float>().cast<double>()),
          block(support::to_block(outputs)) {
        Random random(2, RandomStream::Test, 0);
        for (Index j = 0; j < near + others; ++j) {
            const double target = random.uniform(0.2, 1.0) * dimension;
            terms.push_back({j, target, random.uniform(0.5, 3.0) / target, j < near});
        }
    }

    [[nodiscard]] double value(const Vector& y) const {
        double sum = 0.0;
        for (const PlacementTerm& term : terms) {
            const double residual =
                term.scale * ((y - outputs.row(term.place).transpose()).squaredNorm() - term.target);
            sum += term.is_near ? residual * residual : std::pow(std::min(residual, 0.0), 2);
        }
        return sum;
    }
    /// By central differences.
    [[nodiscard]] Vector gradient(const Vector& y) const {
        constexpr double h = 1e-5;
        Vector slopes(y.size());
        for (Eigen::Index k = 0; k < y.size(); ++k) {
            slopes[k] =
                (value(y + h * Vector::Unit(y.size(), k)) - value(y - h * Vector::Unit(y.size(), k))) / (2.0 * h);
        }
        return slopes;
    }

    Matrix outputs;
    MultiVector<float> block;
    std::vector<PlacementTerm> terms{};
};

Vector at(const DistanceNewton::State& state, Index dimension) {
    return Eigen::Map<const Vector>(state.y.data(), dimension);
}

class DistanceNewtonIn : public testing::TestWithParam<Index> {};

INSTANTIATE_TEST_SUITE_P(Dimensions, DistanceNewtonIn, testing::Values(1, 2, 3, 16, 33, 64));

TEST_P(DistanceNewtonIn, TheValueIsTheSumOfTheTerms) {
    const Problem p(20, 100, GetParam());
    DistanceNewton newton(p.block);
    DistanceNewton::State state = newton.start();
    for (const double length : {0.0, 0.7, 20.0}) {
        const Vector y = length * support::random_matrix(GetParam(), 1, 3);
        std::copy(y.begin(), y.end(), state.y.data());
        EXPECT_NEAR(newton.value(p.terms, state.y.data()), p.value(y), 1e-9 * (1.0 + p.value(y)));
    }
}

TEST_P(DistanceNewtonIn, EndsWhereTheGradientVanishes) {
    for (const Index near : {Index{1}, GetParam() / 2 + 1, 3 * GetParam()}) {
        const Problem p(near, 100, GetParam());
        DistanceNewton newton(p.block);
        DistanceNewton::State state = newton.start();
        const double before = p.gradient(at(state, GetParam())).norm();
        newton.advance(p.terms, 1e6, 200, state);
        EXPECT_TRUE(state.settled);
        EXPECT_LT(p.gradient(at(state, GetParam())).norm(), 1e-3 * (before + 1.0)) << near;
    }
}

TEST_P(DistanceNewtonIn, NoStepRaisesTheValueOrLeadsBeyondTheReach) {
    const Problem p(GetParam() + 1, 50, GetParam());
    DistanceNewton newton(p.block);
    double before = p.value(Vector::Zero(GetParam()));
    for (int most = 1; most < 12; ++most) {
        DistanceNewton::State state = newton.start();
        newton.advance(p.terms, 0.5, most, state);
        EXPECT_LE(state.steps, most);
        EXPECT_LE(at(state, GetParam()).norm(), 0.5 * (1.0 + 1e-12));
        EXPECT_LE(p.value(at(state, GetParam())), before * (1.0 + 1e-12));
        before = p.value(at(state, GetParam()));
    }
}

TEST(DistanceNewton, OfNoTermsStaysWhereItIs) {
    const Problem p(5, 0, 3);
    DistanceNewton newton(p.block);
    DistanceNewton::State state = newton.start();
    newton.advance({}, 1.0, 100, state);
    EXPECT_TRUE(state.settled);
    EXPECT_EQ(at(state, 3).norm(), 0.0);
}

}  // namespace
}  // namespace isogon::distance_newton_test
