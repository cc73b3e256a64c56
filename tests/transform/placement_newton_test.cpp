#include "transform/placement_panel.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/dense_matrices.hpp"

namespace isogon::placement_newton_test {
namespace {

using support::Matrix;
using Vector = Eigen::VectorXd;

constexpr double tau = 0.5;

/// Unit vectors, the first `support` of which are the support, with targets that no u satisfies.
struct Sphere {
    Sphere(Index members, Index support, Index dimension, double reach)
        : directions(support::random_matrix(members, dimension, 1).rowwise().normalized()),
          block(support::to_block(directions)) {
        for (Index j = 0; j < members; ++j) {
            problem.members.push_back(j);
        }
        Random random(2, RandomStream::Test, 0);
        for (Index j = 0; j < support; ++j) {
            problem.targets.push_back(static_cast<float>(random.uniform(-0.5, 1.0)));
        }
        problem.anchor = support::random_matrix(dimension, 1, 3).normalized();
        problem.reach = reach;
    }

    [[nodiscard]] Vector residuals(const Vector& u) const {
        Vector r = directions * u;
        for (Eigen::Index j = 0; j < r.size(); ++j) {
            const auto k = static_cast<std::size_t>(j);
            r[j] = k < problem.targets.size() ? r[j] - problem.targets[k] : std::max(0.0, r[j] - tau);
        }
        return r;
    }
    [[nodiscard]] Vector gradient(const Vector& u) const {
        const Vector g = directions.transpose() * residuals(u);
        return g - g.dot(u) * u;
    }

    Matrix directions;
    MultiVector<float> block;
    SphereProblem problem;
};

class NewtonIn : public testing::TestWithParam<Index> {};

INSTANTIATE_TEST_SUITE_P(Dimensions, NewtonIn, testing::Values(1, 2, 3, 16, 47, 48, 49, 100));

TEST_P(NewtonIn, TheValueIsTheSumOfSquaredResiduals) {
    const Sphere s(1500, 700, GetParam(), 3.0);
    SphereNewton newton(s.block, tau, 100, 1e-4);
    EXPECT_NEAR(newton.value(s.problem, s.problem.anchor), s.residuals(s.problem.anchor).squaredNorm(), 1e-3);
}

TEST_P(NewtonIn, EndsWhereTheGradientVanishes) {
    Sphere s(2500, 1300, GetParam(), 3.0);
    SphereNewton newton(s.block, tau, 100, 1e-4);
    SphereState state{s.problem.anchor};
    for (int pass = 0; pass < 20 && !state.settled; ++pass) {
        s.problem.anchor = state.u;
        newton.advance(s.problem, state);
    }
    EXPECT_TRUE(state.settled);
    EXPECT_NEAR(state.u.norm(), 1.0, 1e-12);
    EXPECT_LT(s.gradient(state.u).norm(), 1e-3 * s.residuals(state.u).norm());
}

TEST_P(NewtonIn, EveryStepLowersTheValue) {
    const Sphere s(300, 100, GetParam(), 3.0);
    double before = s.residuals(s.problem.anchor).squaredNorm();
    for (int most = 1; most < 12; ++most) {
        SphereNewton newton(s.block, tau, most, 1e-4);
        SphereState state{s.problem.anchor};
        newton.advance(s.problem, state);
        EXPECT_LE(state.steps, most);
        const double value = s.residuals(state.u).squaredNorm();
        EXPECT_LE(value, before * (1.0 + 1e-6));
        before = value;
    }
}

TEST_P(NewtonIn, NeverGoesBeyondTheReachOfTheAnchor) {
    const Index d = GetParam();
    for (const double reach : {1e-3, 0.05, 0.3}) {
        const Sphere s(300, 100, d, reach);
        SphereNewton newton(s.block, tau, 100, 1e-4);
        SphereState state{s.problem.anchor};
        newton.advance(s.problem, state);
        EXPECT_LE((state.u - s.problem.anchor).norm(), reach * (1.0 + 1e-12));
        if (d > 1) {
            EXPECT_GT(state.steps, 0);
        }
    }
}

/// The direction of the first step by dense matrices: all members have targets.
Vector damped_direction(const Sphere& s) {
    const Vector& u = s.problem.anchor;
    const Matrix p = Matrix::Identity(u.size(), u.size()) - u * u.transpose();
    const Vector pull = s.directions.transpose() * s.residuals(u);
    const Vector gradient = p * pull;
    const Matrix hessian = p * s.directions.transpose() * s.directions * p;
    const double shift = std::max(0.0, -u.dot(pull)) + gradient.norm();
    return -(hessian + shift * Matrix::Identity(u.size(), u.size())).llt().solve(gradient).normalized();
}

TEST_P(NewtonIn, StepsAreDampedOnesHoweverFewMembersAreActive) {
    const Index d = GetParam();
    for (const Index members : {Index{1}, d / 2 + 1, 3 * d / 4, 3 * d / 4 + 1, d, d + d / 4}) {
        const Sphere s(std::max<Index>(members, 1), std::max<Index>(members, 1), d, 3.0);
        SphereNewton newton(s.block, tau, 1, 1e-4);
        SphereState state{s.problem.anchor};
        newton.advance(s.problem, state);
        const Vector moved = state.u - state.u.dot(s.problem.anchor) * s.problem.anchor;
        if (d > 1) {
            ASSERT_EQ(state.steps, 1);
            EXPECT_NEAR(moved.normalized().dot(damped_direction(s)), 1.0, 1e-5) << members;
        }
    }
}

TEST(Newton, StepsBecomeQuadraticallySmaller) {
    // The Hessian is exact: from a settled row on, one more step changes next to nothing.
    const Sphere s(400, 150, 8, 3.0);
    SphereState rough{s.problem.anchor};
    SphereNewton(s.block, tau, 100, 1e-2).advance(s.problem, rough);
    SphereState fine = rough;
    SphereNewton(s.block, tau, 100, 1e-7).advance(s.problem, fine);
    EXPECT_LT((rough.u - fine.u).norm(), 1e-3);
}

}  // namespace
}  // namespace isogon::placement_newton_test
