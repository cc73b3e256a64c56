#include "faithful/local_objective.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "decomposition/riemannian_lbfgs.hpp"
#include "linalg/multi_vector_arithmetic.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::local_objective_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

constexpr Index k = 6;
constexpr Index d = 3;
constexpr double squares = std::numeric_limits<double>::infinity();

struct Example {
    Points x;
    NeighborLists lists;
};

/// Clustered points, some of them equal to others.
Example example_of(Index count, std::uint64_t seed) {
    Example e{support::clustered_points(count, 9, 4, 0.7, seed), {}};
    for (Index i = 3; i < count; i += 17) {
        std::copy(e.x[i - 1].begin(), e.x[i - 1].end(), e.x[i - 2].begin());
    }
    e.lists = exact_neighbors(e.x.view(), k, Metric::Euclidean);
    return e;
}

/// The place of j in the list of i, from 1; 0 where it is not there.
Index rank_of(const Example& e, Index i, Index j) {
    const auto list = e.lists[i];
    const auto at = std::find(list.begin(), list.end(), j);
    return at == list.end() ? 0 : static_cast<Index>(at - list.begin()) + 1;
}

/// f by its definition from the inputs, in float64, over ordered pairs (docs/mathematics.md).
double reference(const Example& e, NearTargets targets, const Matrix& y, const LossShape& shape) {
    const Index n = e.x.count();
    const double c = shape.robust_step;
    const auto rho = [&](double t) { return std::isinf(c) ? t : c * std::log(1.0 + t / c); };
    const Matrix x = to_matrix(e.x.view());
    const auto radius = [&](Index i) { return std::pow(double{e.lists.distances_of(i).back()}, 2); };
    double mean = 0.0;
    for (Index i = 0; i < n; ++i) {
        mean += radius(i) / n;
    }
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
            if (i == j) {
                continue;
            }
            const double q = (y.row(i) - y.row(j)).squaredNorm();
            const double r = std::max(radius(i), radius(j));
            const Index own = rank_of(e, i, j);
            const Index other = rank_of(e, j, i);
            if (own == 0 && other == 0) {
                const double deviation = std::max(0.0, r - q) / std::max(r, 1e-6 * mean);
                sum += shape.off_support_weight * rho(deviation * deviation);
                continue;
            }
            const Index rank = own == 0 || other == 0 ? std::max(own, other) : std::min(own, other);
            const double target = targets == NearTargets::Distances ? (x.row(i) - x.row(j)).squaredNorm()
                                                                    : r * std::pow(rank / (k + 0.5), 2.0 / d);
            const double deviation = (q - target) / std::max({target, 0.05 * r, 1e-6 * mean});
            sum += rho(deviation * deviation);
        }
    }
    return sum;
}

class LocalObjectiveOf : public testing::TestWithParam<std::tuple<Index, NearTargets, double>> {
protected:
    Index count = std::get<0>(GetParam());
    NearTargets near = std::get<1>(GetParam());
    LossShape shape{2.0, std::get<2>(GetParam())};
    Example e = example_of(count, 1);
    LocalTargets targets = local_targets(e.lists, near, d);
    Matrix y = to_matrix(support::random_block(count, d, 3));
};

INSTANTIATE_TEST_SUITE_P(Losses, LocalObjectiveOf,
                         testing::Combine(testing::Values(20, 97, 200),
                                          testing::Values(NearTargets::Distances, NearTargets::Ranks),
                                          testing::Values(squares, 0.1)));

TEST_P(LocalObjectiveOf, IsTheDefinition) {
    LocalObjective objective(targets, d, shape);
    MultiVector<float> gradient(count, d);
    const DescentValue value = objective.evaluate(support::to_block(y), gradient, on_threads(2));
    const double expected = reference(e, near, y, shape);
    EXPECT_NEAR(value.objective, expected, 1e-4 * expected);
}

TEST_P(LocalObjectiveOf, HasTheGradientOfDifferences) {
    LocalObjective objective(targets, d, shape);
    MultiVector<float> gradient(count, d);
    (void)objective.evaluate(support::to_block(y), gradient, {});
    for (std::uint64_t seed = 10; seed < 14; ++seed) {
        const MultiVector<float> direction = support::random_block(count, d, seed);
        constexpr double step = 1e-4;
        const auto along = [&](double t) { return reference(e, near, y + t * to_matrix(direction), shape); };
        const double slope = dot(gradient, direction, {});
        const double size = std::sqrt(dot(gradient, gradient, {}) * dot(direction, direction, {}));
        EXPECT_NEAR(slope, (along(step) - along(-step)) / (2.0 * step), 2e-3 * size);
    }
}

TEST_P(LocalObjectiveOf, ADescentLowersIt) {
    LocalObjective objective(targets, d, shape);
    RiemannianLbfgs descent(objective, support::to_block(y), {.tolerance = 0.0}, on_threads(2));
    double last = reference(e, near, y, shape);
    for (int update = 10; update <= 30; update += 10) {
        (void)descent.run_to(update);
        const double value = reference(e, near, to_matrix(descent.position()), shape);
        EXPECT_LT(value, last);
        last = value;
    }
}

// The theorem: at residual 0 the k nearest neighbours of every point, in order, are what they were. In as many
// dimensions as the inputs have residual 0 can be reached.
TEST(LocalObjective, KeepsAllNeighborsInOrderAtResidualZero) {
    for (const Index count : {20U, 97U, 200U}) {
        Example e{reference::random_points(count, 5, 7), {}};
        e.lists = exact_neighbors(e.x.view(), k, Metric::Euclidean);
        const LocalTargets targets = local_targets(e.lists, NearTargets::Distances, 5);
        const Matrix start = to_matrix(e.x.view()) + 0.1 * support::random_matrix(count, 5, 8);
        LocalObjective objective(targets, 5, {});
        RiemannianLbfgs descent(objective, support::to_block(start), {.tolerance = 0.0}, on_threads(2));
        (void)descent.run_to(600);
        const Points found = support::to_points(to_matrix(descent.position()));
        const NeighborLists kept = exact_neighbors(found.view(), k, Metric::Euclidean);
        ASSERT_LT(descent.relative_residual(), 1e-3);
        const Matrix rows = to_matrix(e.x.view());
        for (Index i = 0; i < count; ++i) {
            // The last of the k may be tied with a point that had to stay as far as it; others that are as near as each
            // other but for the residual may have changed places.
            for (Index place = 0; place + 1 < k; ++place) {
                const double was = double{e.lists.distances_of(i)[place]};
                EXPECT_NEAR((rows.row(i) - rows.row(kept[i][place])).norm(), was, 0.02 * was) << i << " " << place;
            }
        }
    }
}

TEST(LocalTargets, AreTheNeighborsOfEitherAndTheDistanceOfTheLast) {
    const Example e = example_of(97, 5);
    const LocalTargets targets = local_targets(e.lists, NearTargets::Distances, d);
    std::size_t pairs = 0;
    for (Index i = 0; i < 97; ++i) {
        EXPECT_EQ(targets.radii[i], e.lists.distances_of(i).back() * e.lists.distances_of(i).back());
        for (Index j = i + 1; j < 97; ++j) {
            const bool is_near = rank_of(e, i, j) + rank_of(e, j, i) > 0;
            const auto row = targets.near.row_indices(i);
            EXPECT_EQ(std::binary_search(row.begin(), row.end(), j), is_near);
            pairs += is_near ? 1 : 0;
        }
    }
    EXPECT_EQ(targets.near.entries(), pairs);
}

// Lists that others give may be shorter than the longest: their last places hold the point itself.
TEST(LocalTargets, LeaveOutEmptyPlaces) {
    const NeighborLists lists{.size = 2, .indices = {1, 2, 0, 1, 0, 1}, .distances = {1, 2, 1, 1, 2, 3}};
    const LocalTargets targets = local_targets(lists, NearTargets::Ranks, 2);
    EXPECT_EQ(targets.near.entries(), 3U);
    EXPECT_EQ(targets.near.row_indices(1).size(), 1U);
    EXPECT_EQ(targets.near.row_indices(1).front(), 2U);
}

}  // namespace
}  // namespace isogon::local_objective_test
