#include "forces/two_kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "graph/barycentric_weights.hpp"
#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::two_kernels_test {
namespace {

using Dense = std::vector<std::vector<double>>;

double closeness(const MultiVector<double>& y, std::size_t i, std::size_t j) {
    double squared = 0.0;
    for (std::size_t c = 0; c < y.columns(); ++c) {
        squared += std::pow(y.at(i, c) - y.at(j, c), 2);
    }
    return 1.0 / (1.0 + squared);
}

Dense dense(const CsrMatrix<double>& matrix) {
    Dense result(matrix.rows, std::vector<double>(matrix.columns));
    for (Index i = 0; i < matrix.rows; ++i) {
        for (std::size_t e = 0; e < matrix.row_indices(i).size(); ++e) {
            result[i][matrix.row_indices(i)[e]] = matrix.row_values(i)[e];
        }
    }
    return result;
}

/// The paper's formula, pair by pair.
double slow_pca(const Dense& input_kernel, const MultiVector<double>& y) {
    double sum = 0.0;
    for (std::size_t i = 0; i < y.rows(); ++i) {
        for (std::size_t j = 0; j < y.rows(); ++j) {
            sum += i == j ? 0.0 : std::pow(input_kernel[i][j] - closeness(y, i, j), 2);
        }
    }
    return sum;
}

/// tr((I - W) K (I - W)^T) + 1/n sum_ij k^2.
double slow_lle(const Dense& w, const MultiVector<double>& y) {
    const std::size_t n = y.rows();
    double sum = 0.0;
    for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                sum += ((r == i ? 1.0 : 0.0) - w[r][i]) * closeness(y, i, j) * ((r == j ? 1.0 : 0.0) - w[r][j]);
            }
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            sum += std::pow(closeness(y, i, j), 2) / static_cast<double>(n);
        }
    }
    return sum;
}

CsrMatrix<double> weights_of(Index count) {
    const Points x = reference::random_points(count, 4, 1);
    return barycentric_weights(x.view(), reference::euclidean_lists(x, 5), 1e-3);
}

void expect_objective(const TwoKernelObjective& objective, MultiVector<double> y,
                      const std::function<double(const MultiVector<double>&)>& truth) {
    MultiVector<double> gradient(y.rows(), y.columns());
    const double value = objective.gradient(y, gradient, {});
    EXPECT_NEAR(value, truth(y), 1e-11 * std::abs(value));
    constexpr double h = 1e-5;
    for (std::size_t k = 0; k < y.values().size(); k += 5) {
        const double here = y.values()[k];
        y.values()[k] = here + h;
        const double above = truth(y);
        y.values()[k] = here - h;
        const double below = truth(y);
        y.values()[k] = here;
        EXPECT_NEAR(gradient.values()[k], (above - below) / (2.0 * h), 1e-7);
    }
}

TEST(TwoKernels, PcaIsItsDefinitionAndSoIsItsGradient) {
    const CsrMatrix<double> kernel = support::random_affinities(30, 4);
    for (const Index dimension : {1, 2, 4}) {
        expect_objective(pca_with_two_kernels(kernel), support::random_outputs(30, dimension, 1.0),
                         [&](const MultiVector<double>& y) { return slow_pca(dense(kernel), y); });
    }
}

TEST(TwoKernels, LleIsItsDefinitionAndSoIsItsGradient) {
    const CsrMatrix<double> weights = weights_of(25);
    expect_objective(lle_with_two_kernels(weights, {}), support::random_outputs(25, 2, 1.0),
                     [&](const MultiVector<double>& y) { return slow_lle(dense(weights), y); });
}

TEST(TwoKernels, HaveTheSameBitsOnAnyNumberOfThreads) {
    const TwoKernelObjective objective = lle_with_two_kernels(weights_of(600), {});
    const MultiVector<double> y = support::random_outputs(600, 2, 2.0);
    MultiVector<double> one(600, 2);
    MultiVector<double> three(600, 2);
    EXPECT_EQ(objective.gradient(y, one, reference::on_threads(1)),
              objective.gradient(y, three, reference::on_threads(3)));
    EXPECT_EQ(one.values(), three.values());
}

TEST(TwoKernels, RefuseWeightsThatAreNotSquare) {
    CsrMatrix<double> weights{.rows = 2, .columns = 3, .offsets = {0, 0, 0}};
    EXPECT_THROW((void)lle_with_two_kernels(weights, {}), InvalidArgument);
}

}  // namespace
}  // namespace isogon::two_kernels_test
