#include "decomposition/completion_updates.hpp"

#include <gtest/gtest.h>

#include "decomposition/relu_examples.hpp"

namespace isogon::block_update_test {

namespace {

using support::Matrix;
using support::to_matrix;

TEST(BlockStep, SolvesForOneFactorAfterTheOther) {
    for (const double ridge : {0.0, 0.3}) {
        const support::ReluExample example{"", support::planted_relu(70, 60, 4, 0.5, 1), {}};
        const ReluProblem problem = example.problem();
        const ReluFactors from = support::random_factors(70, 60, 4, 2);
        const ReluFactors next = block_step(StreamedCompletion(problem, {{&from, 1.0}}, {}), from, ridge, {});
        const Matrix z = support::completed(example, support::product_of(from));
        const Matrix unit = ridge * Matrix::Identity(4, 4);
        const Matrix h = to_matrix(from.right);
        const Matrix w = (h.transpose() * h + unit).llt().solve(h.transpose() * z.transpose()).transpose();
        EXPECT_LT(support::difference(to_matrix(next.left), w), 1e-9 * w.norm());
        const Matrix expected = (w.transpose() * w + unit).llt().solve(w.transpose() * z).transpose();
        EXPECT_LT(support::difference(to_matrix(next.right), expected), 1e-9 * expected.norm());
    }
}

TEST(BlockUpdate, NeverRaisesTheObjective) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        ReluFactors factors = support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9);
        double before = support::latent_squares(example, support::product_of(factors));
        for (int k = 0; k < 15; ++k) {
            factors = block_step(StreamedCompletion(problem, {{&factors, 1.0}}, {}), factors, 0.0, {});
            const double now = support::latent_squares(example, support::product_of(factors));
            EXPECT_LE(now, before * (1.0 + 1e-9) + 1e-18) << example.name << ", update " << k;
            before = now;
        }
    }
}

TEST(BlockUpdate, LeavesZeroDirectionsAlone) {
    const support::ReluExample example{"", support::planted_relu(20, 30, 2, 0.0, 1), {}};
    ReluFactors factors = support::random_factors(20, 30, 3, 2);
    for (Index j = 0; j < 30; ++j) {
        factors.right.at(j, 1) = 0.0;
    }
    const ReluFactors next = block_step(StreamedCompletion(example.problem(), {{&factors, 1.0}}, {}), factors, 0.0, {});
    EXPECT_TRUE(to_matrix(next.left).allFinite());
    EXPECT_LT(to_matrix(next.left).col(1).norm(), 1e-6);
}

/// Seraghiti et al. 2023, algorithm 3, with all matrices dense; ridge and momentum of the factors as in NMD-TM.
struct Published {
    support::ReluExample example;
    Matrix w, h, z, latent;
    double beta, ridge, factor_momentum;

    void update() {
        const Matrix p = support::completed(example, latent);
        z = p + beta * (p - z);
        const Matrix unit = ridge * Matrix::Identity(w.cols(), w.cols());
        const Matrix old_w = w;
        const Matrix old_h = h;
        w = (h * h.transpose() + unit).llt().solve(h * z.transpose()).transpose();
        h = (w.transpose() * w + unit).llt().solve(w.transpose() * z);
        w += factor_momentum * (w - old_w);
        h += factor_momentum * (h - old_h);
        latent = w * h + beta * (w * h - latent);
    }
};

TEST(ThreeBlock, IsThePublishedAlgorithm) {
    for (const auto& [ridge, factor_momentum] : {std::pair{0.0, 0.0}, std::pair{0.2, -0.05}}) {
        const support::ReluExample example{"", support::planted_relu(70, 60, 4, 0.5, 1), {}};
        const ReluProblem problem = example.problem();
        const ReluFactors start = support::random_factors(70, 60, 4, 2);
        const Matrix first = support::product_of(start);
        Published published{example,
                            to_matrix(start.left),
                            to_matrix(start.right).transpose(),
                            support::completed(example, first),
                            first,
                            0.7,
                            ridge,
                            factor_momentum};
        ThreeBlock state(problem, start, {.ridge = ridge, .factor_momentum = factor_momentum}, {});
        for (int k = 0; k < 6; ++k) {
            published.update();
            state.update();
            EXPECT_LT(support::difference(support::product_of(state.factors()), published.w * published.h),
                      1e-8 * first.norm())
                << k;
        }
    }
}

TEST(ThreeBlock, FindsAPlantedMatrixWithoutItsHistory) {
    const support::ReluExample example{"", support::planted_relu(90, 80, 3, 0.0, 1), {}};
    const ReluProblem problem = example.problem();
    for (const bool recursive : {true, false}) {
        ThreeBlock state(problem, support::random_factors(90, 80, 3, 2), {.recursive = recursive}, {});
        for (int k = 0; k < 150; ++k) {
            state.update();
        }
        EXPECT_LT(std::sqrt(support::output_squares(example, support::product_of(state.factors()))),
                  1e-3 * example.s.norm())
            << recursive;
    }
}

TEST(ExtrapolatedBlock, BeginsWithTheProjectionOnZ) {
    const support::ReluExample example{"", support::planted_relu(70, 60, 4, 0.5, 1), {}};
    const ReluProblem problem = example.problem();
    const ReluFactors start = support::random_factors(70, 60, 4, 2);
    ExtrapolatedBlock state(problem, start, {});
    state.update();
    const Matrix z = support::completed(example, support::product_of(start));
    const Matrix image = z * support::to_matrix(start.right);
    const Matrix q = Eigen::HouseholderQR<Matrix>(image).householderQ() * Matrix::Identity(70, 4);
    EXPECT_LT(support::difference(support::product_of(state.factors()), q * (q.transpose() * z)), 1e-9);
}

TEST(ExtrapolatedBlock, NeverRaisesTheObjective) {
    for (const auto& example : support::relu_examples()) {
        const ReluProblem problem = example.problem();
        ExtrapolatedBlock state(problem,
                                support::random_factors(problem.forward.rows(), problem.forward.columns(), 3, 9), {});
        double before = support::latent_squares(example, support::product_of(state.factors()));
        const double first = before;
        for (int k = 0; k < 40; ++k) {
            state.update();
            const double now = support::latent_squares(example, support::product_of(state.factors()));
            EXPECT_LE(now, before * (1.0 + 1e-9) + 1e-18) << example.name << ", update " << k;
            before = now;
        }
        EXPECT_LT(before, 0.5 * first) << example.name;
    }
}

}  // namespace

}  // namespace isogon::block_update_test
