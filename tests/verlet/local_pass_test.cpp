#include "verlet/local_pass.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "core/random.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::local_pass_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

struct Problem {
    Matrix y;
    LocalTargets targets;
};

/// About one pair in ten, with targets up to 1.
CsrMatrix<float> some_pairs(Index count, std::uint64_t seed) {
    constexpr std::uint32_t rate = 10;
    CsrMatrix<float> pairs{.rows = count, .columns = count};
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        for (Index j = i + 1; j < count; ++j) {
            const bool chosen = random.below(rate) == 0;
            const auto value = static_cast<float>(random.uniform(0.0, 1.0));
            if (chosen) {
                pairs.indices.push_back(j);
                pairs.values.push_back(value);
            }
        }
        pairs.offsets.push_back(pairs.indices.size());
    }
    return pairs;
}

/// Every fifth point is a copy, every seventh has radius 0.
Problem problem_of(Index count, Index dimension, std::uint64_t seed) {
    Problem p{support::random_matrix(count, dimension, seed), {}};
    for (Index i = 1; i < count; i += 5) {
        p.y.row(i) = p.y.row(i - 1);
    }
    p.targets.near = some_pairs(count, seed + 1);
    Random random(seed + 3, RandomStream::Test, 0);
    for (Index i = 0; i < count; ++i) {
        p.targets.radii.push_back(i % 7 == 0 ? 0.0F : static_cast<float>(random.uniform(0.0, 1.5)));
    }
    return p;
}

struct Reference {
    LocalSums sums;
    Matrix gradient;  ///< sum_j R_ij (y_i - y_j)
};

double entry(const CsrMatrix<float>& pairs, Index i, Index j) {
    const auto columns = pairs.row_indices(i);
    const auto at = std::lower_bound(columns.begin(), columns.end(), j);
    return at != columns.end() && *at == j ? double{pairs.row_values(i)[at - columns.begin()]} : -1.0;
}

/// The definition, pair by pair, in float64.
Reference reference_of(const Problem& p, const LossShape& shape) {
    const auto n = static_cast<Index>(p.y.rows());
    const double c = shape.robust_step;
    const auto rho = [&](double t) { return std::isinf(c) ? t : c * std::log(1.0 + t / c); };
    const auto slope = [&](double t) { return 1.0 / (1.0 + t / c); };
    const double mean = std::accumulate(p.targets.radii.begin(), p.targets.radii.end(), 0.0) / n;
    Reference r{{}, Matrix::Zero(n, p.y.cols())};
    for (Index i = 0; i < n; ++i) {
        for (Index j = i + 1; j < n; ++j) {
            const double q = (p.y.row(i) - p.y.row(j)).squaredNorm();
            const double radius = std::max(p.targets.radii[i], p.targets.radii[j]);
            const double near = entry(p.targets.near, i, j);
            double residual = 0.0;
            if (near >= 0.0) {
                const double scale = std::max({near, 0.05 * radius, 1e-6 * mean});
                const double t = std::pow((q - near) / scale, 2);
                r.sums.near_squares += rho(t);
                residual = slope(t) * (near - q) / (scale * scale);
            } else if (q < radius) {
                const double scale = std::max(radius, 1e-6 * mean);
                const double t = std::pow((radius - q) / scale, 2);
                r.sums.off_squares += shape.off_support_weight * rho(t);
                residual = shape.off_support_weight * slope(t) * (radius - q) / (scale * scale);
                r.sums.violations += 1.0;
            }
            r.gradient.row(i) += residual * (p.y.row(i) - p.y.row(j));
            r.gradient.row(j) -= residual * (p.y.row(i) - p.y.row(j));
        }
    }
    return r;
}

class LocalPassOf : public testing::TestWithParam<std::tuple<Index, Index, double>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, LocalPassOf,
                         testing::Combine(testing::Values(1, 2, 47, 48, 49, 97, 331), testing::Values(1, 3, 16, 65),
                                          testing::Values(0.03, std::numeric_limits<double>::infinity())));

TEST_P(LocalPassOf, IsTheDefinition) {
    const auto [count, dimension, step] = GetParam();
    const Problem p = problem_of(count, dimension, 1);
    const MultiVector<float> y = support::to_block(p.y);
    MultiVector<float> sums = support::random_block(count, dimension, 3);  // whatever was there
    const LocalSums found = LocalPass(p.targets, {0.5, step}).apply(y, sums, on_threads(2));
    const Reference r = reference_of(p, {0.5, step});
    const double size = 1.0 + r.gradient.cwiseAbs().maxCoeff();
    EXPECT_LT((to_matrix(sums) - r.gradient).cwiseAbs().maxCoeff(), 2e-5 * size);
    EXPECT_NEAR(found.near_squares, r.sums.near_squares, 1e-5 * (1.0 + r.sums.near_squares));
    EXPECT_NEAR(found.off_squares, r.sums.off_squares, 1e-5 * (1.0 + r.sums.off_squares));
    EXPECT_NEAR(found.violations, r.sums.violations, 1e-4 * count * count);
}

TEST_P(LocalPassOf, IsTheSameBitsForAnyNumberOfThreadsAndRanks) {
    const auto [count, dimension, step] = GetParam();
    const Problem p = problem_of(count, dimension, 5);
    const MultiVector<float> y = support::to_block(p.y);
    const auto all = [&, n = count, d = dimension, c = step](const RunContext& context, const RankGroup& ranks = {}) {
        MultiVector<float> sums(n, d);
        LocalTargets targets = p.targets;
        targets.ranks = ranks;
        const LocalSums found = LocalPass(targets, {1.0, c}).apply(y, sums, context);
        return std::tuple(Matrix(to_matrix(sums)), found.near_squares, found.off_squares, found.violations);
    };
    const auto one = all(on_threads(1));
    EXPECT_EQ(one, all(on_threads(3)));
    support::ThreadCommunicator::run(2, [&](const Communicator& communicator) {
        const RankGroup ranks(communicator);
        EXPECT_EQ(one, all(ranks.agreeing(on_threads(1)), ranks));
    });
}

// Differences a millionth of the spread: products of float32 numbers cannot tell them from zero.
TEST(LocalPass, DistinguishesPairsBelowTheRoundingOfProducts) {
    constexpr double tiny = 1e-5;
    Problem p{support::random_matrix(100, 4, 1), {}};
    for (Index i = 0; i + 1 < 100; i += 2) {
        p.y.row(i + 1) = p.y.row(i);
        p.y(i + 1, 0) += tiny;
    }
    p.targets.near = {.rows = 100, .columns = 100};
    p.targets.near.offsets.assign(101, 0);
    p.targets.radii.assign(100, static_cast<float>(4.0 * tiny * tiny));
    const MultiVector<float> y = support::to_block(p.y);
    for (Index i = 0; i < 100; ++i) {
        p.y.row(i) = to_matrix(y).row(i);  // as rounded
    }
    MultiVector<float> sums(100, 4);
    const LocalSums found = LocalPass(p.targets, {}).apply(y, sums, on_threads(2));
    const Reference r = reference_of(p, {});
    EXPECT_EQ(found.violations, 50.0);
    EXPECT_NEAR(found.off_squares, r.sums.off_squares, 1e-5 * r.sums.off_squares);
    EXPECT_LT((to_matrix(sums) - r.gradient).norm(), 1e-5 * r.gradient.norm());
}

}  // namespace
}  // namespace isogon::local_pass_test
