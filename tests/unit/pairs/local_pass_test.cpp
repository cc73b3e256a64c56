#include "isogon/pairs/local_pass.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <tuple>

#include "isogon/core/random.hpp"
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
    DeviationScale scale = DeviationScale::Absolute;
};

/// About one pair in `rate` that is not in `other`, with targets up to 1.
CsrMatrix<float> some_pairs(Index count, std::uint32_t rate, const CsrMatrix<float>* other, std::uint64_t seed) {
    CsrMatrix<float> pairs{.rows = count, .columns = count};
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        for (Index j = i + 1; j < count; ++j) {
            const bool chosen = random.below(rate) == 0;
            const auto value = static_cast<float>(random.uniform(0.0, 1.0));
            const auto taken = other == nullptr ? std::span<const Index>() : other->row_indices(i);
            if (chosen && !std::binary_search(taken.begin(), taken.end(), j)) {
                pairs.indices.push_back(j);
                pairs.values.push_back(value);
            }
        }
        pairs.offsets.push_back(pairs.indices.size());
    }
    return pairs;
}

/// Points of any kind, or directions of which every ninth is a zero vector without pairs; every fifth is a copy.
Problem problem_of(Index count, Index dimension, DeviationScale scale, double far_weight, std::uint64_t seed) {
    Problem p{support::random_matrix(count, dimension, seed), {}, scale};
    for (Index i = 1; i < count; i += 5) {
        p.y.row(i) = p.y.row(i - 1);
    }
    if (scale == DeviationScale::Absolute) {
        p.y.rowwise().normalize();
    }
    p.targets.near = some_pairs(count, 10, nullptr, seed + 1);
    p.targets.far = some_pairs(count, 6, &p.targets.near, seed + 2);
    p.targets.far_radius = 0.7F;
    p.targets.far_weight = far_weight;
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
Reference reference_of(const Problem& p, double b) {
    const auto n = static_cast<Index>(p.y.rows());
    const bool absolute = p.scale == DeviationScale::Absolute;
    const double w = p.targets.far_weight;
    Reference r{{}, Matrix::Zero(n, p.y.cols())};
    for (Index i = 0; i < n; ++i) {
        for (Index j = i + 1; j < n; ++j) {
            const double q = (p.y.row(i) - p.y.row(j)).squaredNorm();
            const double radius = std::max(p.targets.radii[i], p.targets.radii[j]);
            const auto hinge = [&](double bound, double weight) {
                const double a = absolute ? 0.25 : 1.0 / (bound * bound);
                const double inside = std::max(0.0, bound - q);
                r.sums.off_squares += inside > 0.0 ? weight * b * a * inside * inside : 0.0;
                return inside > 0.0 ? weight * b * a * inside : 0.0;
            };
            const auto deviation = [&](double target, double weight, double& sum) {
                const double a = absolute ? 0.25 : 1.0 / std::pow(std::max(target, 0.05 * radius), 2);
                sum += weight * a * std::pow(target - q, 2);
                return weight * a * (target - q);
            };
            const double near = entry(p.targets.near, i, j);
            const double far = w > 0.0 ? entry(p.targets.far, i, j) : -1.0;
            double residual = 0.0;
            if (near >= 0.0) {
                const double bound = p.targets.far_radius;
                residual = deviation(near, 1.0, r.sums.near_squares) +
                           (w > 0.0 && near < bound ? deviation(near, w, r.sums.far_squares) : 0.0) +
                           (w > 0.0 && near >= bound ? hinge(bound, w) : 0.0);
            } else if (far >= 0.0) {
                residual = deviation(far, w, r.sums.far_squares) + hinge(radius, 1.0);
            } else {
                residual = hinge(radius, 1.0) + (w > 0.0 ? hinge(double{p.targets.far_radius}, w) : 0.0);
                r.sums.violations += q < radius ? 1.0 : 0.0;
            }
            r.gradient.row(i) += residual * (p.y.row(i) - p.y.row(j));
            r.gradient.row(j) -= residual * (p.y.row(i) - p.y.row(j));
        }
    }
    return r;
}

class LocalPassOf : public testing::TestWithParam<std::tuple<Index, Index, DeviationScale, double>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, LocalPassOf,
                         testing::Combine(testing::Values(1, 2, 47, 48, 49, 97, 331), testing::Values(1, 3, 16, 65),
                                          testing::Values(DeviationScale::Absolute, DeviationScale::Relative),
                                          testing::Values(0.0, 0.3)));

TEST_P(LocalPassOf, IsTheDefinition) {
    const auto [count, dimension, scale, far_weight] = GetParam();
    const Problem p = problem_of(count, dimension, scale, far_weight, 1);
    const MultiVector<float> y = support::to_block(p.y);
    MultiVector<float> sums = support::random_block(count, dimension, 3);  // whatever was there
    const LocalSums found = LocalPass(p.targets, scale, 0.5).apply(y, sums, on_threads(2));
    const Reference r = reference_of(p, 0.5);
    const double size = 1.0 + r.gradient.cwiseAbs().maxCoeff();
    EXPECT_LT((to_matrix(sums) - r.gradient).cwiseAbs().maxCoeff(), 2e-5 * size);
    EXPECT_NEAR(found.near_squares, r.sums.near_squares, 1e-5 * (1.0 + r.sums.near_squares));
    EXPECT_NEAR(found.far_squares, r.sums.far_squares, 1e-5 * (1.0 + r.sums.far_squares));
    EXPECT_NEAR(found.off_squares, r.sums.off_squares, 1e-5 * (1.0 + r.sums.off_squares));
    EXPECT_NEAR(found.violations, r.sums.violations, 1e-4 * count * count);
}

TEST_P(LocalPassOf, IsTheSameBitsForAnyNumberOfThreadsAndRanks) {
    const auto [count, dimension, scale, far_weight] = GetParam();
    const Problem p = problem_of(count, dimension, scale, far_weight, 5);
    const MultiVector<float> y = support::to_block(p.y);
    const auto all = [&, n = count, d = dimension, s = scale](const RunContext& context, const RankGroup& ranks = {}) {
        MultiVector<float> sums(n, d);
        LocalTargets targets = p.targets;
        targets.ranks = ranks;
        const LocalSums found = LocalPass(targets, s, 1.0).apply(y, sums, context);
        return std::tuple(Matrix(to_matrix(sums)), found.near_squares, found.far_squares, found.off_squares,
                          found.violations);
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
    Problem p{support::random_matrix(100, 4, 1), {}, DeviationScale::Relative};
    for (Index i = 0; i + 1 < 100; i += 2) {
        p.y.row(i + 1) = p.y.row(i);
        p.y(i + 1, 0) += tiny;
    }
    p.targets.near = some_pairs(100, 1000000, nullptr, 2);
    p.targets.radii.assign(100, static_cast<float>(4.0 * tiny * tiny));
    const MultiVector<float> y = support::to_block(p.y);
    for (Index i = 0; i < 100; ++i) {
        p.y.row(i) = to_matrix(y).row(i);  // as rounded
    }
    MultiVector<float> sums(100, 4);
    const LocalSums found = LocalPass(p.targets, p.scale, 1.0).apply(y, sums, on_threads(2));
    const Reference r = reference_of(p, 1.0);
    EXPECT_EQ(found.violations, 50.0);
    EXPECT_NEAR(found.off_squares, r.sums.off_squares, 1e-5 * r.sums.off_squares);
    EXPECT_LT((to_matrix(sums) - r.gradient).norm(), 1e-5 * r.gradient.norm());
}

TEST(LocalPass, LeavesZeroVectorsAmongDirectionsUnchanged) {
    Problem p = problem_of(60, 3, DeviationScale::Absolute, 0.0, 9);
    const LocalTargets all = p.targets;
    p.targets.near = some_pairs(60, 1000000, nullptr, 2);
    p.targets.radii.assign(60, 1.9F);
    p.y.row(17).setZero();
    p.targets.radii[17] = 0.0F;
    const MultiVector<float> y = support::to_block(p.y);
    MultiVector<float> sums(60, 3);
    const LocalSums found = LocalPass(p.targets, p.scale, 1.0).apply(y, sums, on_threads(2));
    double others = 0.0;
    for (Index i = 0; i < 60; ++i) {
        for (Index j = i + 1; j < 60; ++j) {
            const double q = (p.y.row(i) - p.y.row(j)).squaredNorm();
            others += i != 17 && j != 17 && q < double{1.9F} ? 1.0 : 0.0;
        }
    }
    EXPECT_EQ(found.violations, others);
    EXPECT_EQ(to_matrix(sums).row(17).norm(), 0.0);
}

}  // namespace
}  // namespace isogon::local_pass_test
