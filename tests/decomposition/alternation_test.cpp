#include "decomposition/completion_updates.hpp"

#include <gtest/gtest.h>
#include <cmath>

#include "decomposition/relu_examples.hpp"
#include "decomposition/relu_start.hpp"
#include "isogon/core/error.hpp"

namespace isogon::alternation_test {

namespace {

using support::Matrix;

const support::ReluExample& example() {
    static const support::ReluExample made{"", support::planted_relu(70, 60, 4, 0.5, 1), {}};
    return made;
}

TEST(Alternation, IsEquations5And6) {
    const ReluProblem problem = example().problem();
    const ReluFactors start = support::random_factors(70, 60, 4, 2);
    Alternation state(problem, start, {}, {});
    Matrix latent = support::product_of(start);
    for (int k = 0; k < 5; ++k) {
        latent = support::best_of_rank(support::completed(example(), latent), 4);
        state.update();
        EXPECT_LT((support::product_of(state.factors()) - latent).norm(), 2e-2 * latent.norm()) << k;
    }
}

TEST(Alternation, WithMomentumIsEquation23) {
    const ReluProblem problem = example().problem();
    const ReluFactors start = support::random_factors(70, 60, 4, 2);
    Alternation state(problem, start, {.momentum = 0.6}, {});
    Matrix latent = support::product_of(start);
    Matrix newer = support::completed(example(), latent);
    Matrix older = newer;
    for (int k = 0; k < 5; ++k) {
        const Matrix z = support::completed(example(), latent) + 0.6 * (newer - older);
        older = newer;
        newer = z;
        latent = support::best_of_rank(z, 4);
        state.update();
        EXPECT_LT((support::product_of(state.factors()) - latent).norm(), 2e-2 * latent.norm()) << k;
    }
}

TEST(Alternation, IsTheSameWhetherZIsHeldOrMadeAgain) {
    const ReluProblem problem = example().problem();
    for (const AlternationOptions& options : {AlternationOptions{}, {.momentum = 0.5, .gaussian = true}}) {
        AlternationOptions streamed = options;
        streamed.recursive = false;
        const ReluFactors start = support::random_factors(70, 60, 4, 2);
        Alternation one(problem, start, options, {});
        Alternation other(problem, start, streamed, {});
        for (int k = 0; k < 5; ++k) {
            one.update();
            other.update();
            EXPECT_LT(support::difference(support::product_of(one.factors()), support::product_of(other.factors())),
                      1e-8)
                << k;
        }
    }
}

TEST(Alternation, PlainNeverRaisesTheObjective) {
    for (const auto& each : support::relu_examples()) {
        const ReluProblem problem = each.problem();
        Alternation state(problem, support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9), {},
                          {});
        double before = support::latent_squares(each, support::product_of(state.factors()));
        for (int k = 0; k < 12; ++k) {
            state.update();
            const double now = support::latent_squares(each, support::product_of(state.factors()));
            EXPECT_LE(now, before * (1.0 + 1e-9) + 1e-18) << each.name << ", update " << k;
            before = now;
        }
    }
}

TEST(Alternation, MomentumWithoutHistoryStillFindsAPlantedMatrix) {
    const support::ReluExample planted{"", support::planted_relu(80, 70, 3, 0.0, 1), {}};
    const ReluProblem problem = planted.problem();
    Alternation state(problem, support::random_factors(80, 70, 3, 2), {.momentum = 0.5, .recursive = false}, {});
    for (int k = 0; k < 150; ++k) {
        state.update();
    }
    EXPECT_LT(std::sqrt(support::output_squares(planted, support::product_of(state.factors()))),
              1e-2 * planted.s.norm());
}

TEST(Alternation, ExpectationMaximisationFindsTheNoise) {
    constexpr double noise = 0.3;
    const Matrix latent = support::random_matrix(150, 3, 1) * support::random_matrix(3, 140, 2);
    const support::ReluExample noisy{
        "", (latent + noise * support::random_matrix(150, 140, 3)).array().max(0.0).matrix(), {}};
    const ReluProblem problem = noisy.problem();
    Alternation state(problem, support::random_factors(150, 140, 3, 4), {.gaussian = true}, {});
    for (int k = 0; k < 60; ++k) {
        state.update();
    }
    EXPECT_NEAR(state.noise(), noise, 0.1 * noise);
    // Nearer to the truth below zero than the plain alternation, which takes max(0, L) for all there is to know.
    EXPECT_LT((support::product_of(state.factors()) - latent).norm(), 0.15 * latent.norm());
}

TEST(AdaptiveMomentum, FindsAPlantedMatrixFasterThanTheAlternation) {
    const support::ReluExample example{"", support::planted_relu(90, 80, 4, 0.0, 1), {}};
    const ReluProblem problem = example.problem();
    for (const bool recursive : {true, false}) {
        AdaptiveMomentum state(problem, support::random_factors(90, 80, 4, 2), recursive, 0, {});
        for (int k = 0; k < 80; ++k) {
            state.update();
        }
        EXPECT_LT(std::sqrt(support::output_squares(example, support::product_of(state.factors()))),
                  1e-3 * example.s.norm())
            << recursive;
    }
}

TEST(AdaptiveMomentum, WithoutHistoryNeverRaisesTheObjective) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        AdaptiveMomentum state(
            problem, support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9), false, 0, {});
        double before = support::latent_squares(example, support::product_of(state.factors()));
        for (int k = 0; k < 20; ++k) {
            state.update();
            const double now = support::latent_squares(example, support::product_of(state.factors()));
            EXPECT_LE(now, before * (1.0 + 1e-9) + 1e-18) << example.name << ", update " << k;
            before = now;
        }
    }
}

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

}  // namespace isogon::alternation_test
