#include "decomposition/three_block.hpp"

#include <gtest/gtest.h>

#include "unit/decomposition/relu_examples.hpp"

namespace isogon::three_block_test {
namespace {

using support::Matrix;
using support::to_matrix;

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

}  // namespace
}  // namespace isogon::three_block_test
