#include "isogon/faithful/local_objective.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "isogon/faithful/faithful_descent.hpp"
#include "isogon/linalg/multi_vector_arithmetic.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/matching_examples.hpp"

namespace isogon::local_objective_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

constexpr Index k = 6;

struct Example {
    Points x;
    NeighborLists lists;
    std::vector<float> lengths;
    LocalTargets targets;
};

/// Clustered points, some of them zero vectors, some equal to others.
Example example_of(Index count, Metric metric, std::uint64_t seed) {
    Example e{support::clustered_points(count, 9, 4, 0.7, seed), {}, {}, {}};
    for (Index i = 3; i < count; i += 17) {
        std::fill(e.x[i].begin(), e.x[i].end(), 0.0F);
        std::copy(e.x[i - 1].begin(), e.x[i - 1].end(), e.x[i - 2].begin());
    }
    e.lists = exact_neighbors(e.x.view(), k, metric);
    for (const double length : norms(e.x.view())) {
        e.lengths.push_back(metric == Metric::Euclidean || length > 0.0 ? 1.0F : 0.0F);
    }
    e.targets = local_targets(e.lists, metric, e.lengths);
    return e;
}

/// f by its definition from the inputs, in float64 (docs/mathematics.md), over ordered pairs.
double reference(const Example& e, Metric metric, const Matrix& y, double b) {
    const Index n = e.x.count();
    const auto distance = [&](Index i, Index j) {
        double square = 0.0;
        double product = 0.0;
        double own = 0.0;
        double other = 0.0;
        for (Index c = 0; c < e.x.dimension(); ++c) {
            const double p = double{e.x[i][c]};
            const double q = double{e.x[j][c]};
            square += (p - q) * (p - q);
            product += p * q;
            own += p * p;
            other += q * q;
        }
        return metric == Metric::Euclidean ? std::sqrt(square) : product / std::sqrt(own * other);
    };
    double mean_radius = 0.0;
    for (Index i = 0; i < n; ++i) {
        mean_radius += std::pow(double{e.lists.distances_of(i).back()}, 2) / n;
    }
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
            if (i == j || e.lengths[i] * e.lengths[j] == 0.0F) {
                continue;
            }
            const auto has = [&](Index a, Index c) {
                const auto list = e.lists[a];
                return std::find(list.begin(), list.end(), c) != list.end();
            };
            const bool near = has(i, j) || has(j, i);
            const double own = double{e.lists.distances_of(i).back()};
            const double other = double{e.lists.distances_of(j).back()};
            if (metric == Metric::Cosine) {
                const double product = y.row(i).dot(y.row(j));
                const double tau = std::min(1.0 - own, 1.0 - other);
                sum += near ? std::pow(product - distance(i, j), 2) : b * std::pow(std::max(0.0, product - tau), 2);
            } else {
                const double q = (y.row(i) - y.row(j)).squaredNorm();
                const double d = std::pow(distance(i, j), 2);
                const double r = std::pow(std::max(own, other), 2);
                sum += near ? std::pow((q - d) / std::max({d, 0.05 * r, 1e-6 * mean_radius}), 2)
                            : b * std::pow(std::max(0.0, r - q) / std::max(r, 1e-6 * mean_radius), 2);
            }
        }
    }
    return sum;
}

class LocalObjectiveOf : public testing::TestWithParam<std::tuple<Index, Metric>> {};

INSTANTIATE_TEST_SUITE_P(Metrics, LocalObjectiveOf,
                         testing::Combine(testing::Values(20, 97, 200),
                                          testing::Values(Metric::Cosine, Metric::Euclidean)));

Matrix start_of(const Example& e, Metric metric, Index dimension) {
    Matrix y = support::random_matrix(e.x.count(), dimension, 3);
    for (Index i = 0; metric == Metric::Cosine && i < e.x.count(); ++i) {
        y.row(i) *= double{e.lengths[i]} / y.row(i).norm();
    }
    return y;
}

TEST_P(LocalObjectiveOf, IsTheDefinition) {
    const Index count = std::get<0>(GetParam());
    const Metric metric = std::get<1>(GetParam());
    const Example e = example_of(count, metric, 1);
    const Matrix y = to_matrix(support::to_block(start_of(e, metric, 3)));
    LocalObjective objective(e.targets, metric, e.lengths, 3, 0.5);
    MultiVector<float> gradient(count, 3);
    const FaithfulValue value = objective.evaluate(support::to_block(y), gradient, on_threads(2));
    const double expected = reference(e, metric, y, 0.5);
    EXPECT_NEAR(value.objective, expected, 1e-4 * expected);
}

TEST_P(LocalObjectiveOf, HasTheGradientOfDifferences) {
    const Index count = std::get<0>(GetParam());
    const Metric metric = std::get<1>(GetParam());
    const Example e = example_of(count, metric, 2);
    const Matrix y = start_of(e, metric, 3);
    LocalObjective objective(e.targets, metric, e.lengths, 3, 1.0);
    MultiVector<float> gradient(count, 3);
    const MultiVector<float> at = support::to_block(y);
    (void)objective.evaluate(at, gradient, {});
    for (std::uint64_t seed = 10; seed < 14; ++seed) {
        MultiVector<float> direction = support::random_block(count, 3, seed);
        for (Index i = 0; i < count; ++i) {
            for (Index c = 0; c < 3; ++c) {
                direction.row(i)[c] *= e.lengths[i];
            }
        }
        objective.project(at, rows_of(direction, {0, direction.rows()}));
        constexpr double step = 1e-3;
        const auto along = [&](double t) {
            Matrix moved = y + t * to_matrix(direction);
            for (Index i = 0; metric == Metric::Cosine && i < count; ++i) {
                moved.row(i) *= e.lengths[i] > 0.0F ? 1.0 / moved.row(i).norm() : 0.0;
            }
            return reference(e, metric, moved, 1.0);
        };
        const double slope = dot(gradient, direction, {});
        const double size = std::sqrt(dot(gradient, gradient, {}) * dot(direction, direction, {}));
        EXPECT_NEAR(slope, (along(step) - along(-step)) / (2.0 * step), 2e-3 * size);
    }
}

// The theorem: at residual 0 the k nearest neighbours of every point, in order, are what they were. In as many
// dimensions as the inputs have residual 0 can be reached.
TEST_P(LocalObjectiveOf, KeepsAllNeighborsInOrderAtResidualZero) {
    const Index count = std::get<0>(GetParam());
    const Metric metric = std::get<1>(GetParam());
    Example e{reference::random_points(count, 5, 7), {}, std::vector<float>(count, 1.0F), {}};
    e.lists = exact_neighbors(e.x.view(), k, metric);
    e.targets = local_targets(e.lists, metric, e.lengths);
    Matrix start = to_matrix(e.x.view()) + 0.1 * support::random_matrix(count, 5, 8);
    if (metric == Metric::Cosine) {
        start.rowwise().normalize();
    }
    LocalObjective objective(e.targets, metric, e.lengths, 5, 1.0);
    FaithfulDescent descent(objective, support::to_block(start), {.tolerance = 0.0}, on_threads(2));
    (void)descent.run_to(600);
    const Points found = support::to_points(to_matrix(descent.position()));
    const NeighborLists kept = exact_neighbors(found.view(), k, metric);
    ASSERT_LT(descent.relative_residual(), 1e-3);
    // Neighbours that are as near as each other but for the residual may have changed places.
    const auto nearness = [&](Index i, Index j) {
        const Matrix rows = to_matrix(e.x.view());
        return metric == Metric::Euclidean
                   ? (rows.row(i) - rows.row(j)).norm()
                   : 1.0 - rows.row(i).dot(rows.row(j)) / (rows.row(i).norm() * rows.row(j).norm());
    };
    for (Index i = 0; i < count; ++i) {
        // The last of the k may be tied with a point that had to stay as far as it.
        for (Index place = 0; place + 1 < k; ++place) {
            const double was = double{e.lists.distances_of(i)[place]};
            EXPECT_NEAR(nearness(i, kept[i][place]), was, 0.02 * was) << i << " " << place;
        }
    }
}

TEST(LocalTargets, AreTheNeighborsOfEitherAndTheDistanceOfTheLast) {
    const Example e = example_of(97, Metric::Euclidean, 5);
    std::size_t pairs = 0;
    for (Index i = 0; i < 97; ++i) {
        EXPECT_EQ(e.targets.radii[i], e.lists.distances_of(i).back() * e.lists.distances_of(i).back());
        for (Index j = i + 1; j < 97; ++j) {
            const auto has = [&](Index a, Index b) {
                return std::find(e.lists[a].begin(), e.lists[a].end(), b) != e.lists[a].end();
            };
            const auto row = e.targets.near.row_indices(i);
            EXPECT_EQ(std::binary_search(row.begin(), row.end(), j), has(i, j) || has(j, i));
            pairs += has(i, j) || has(j, i) ? 1 : 0;
        }
    }
    EXPECT_EQ(e.targets.near.entries(), pairs);
}

TEST(LocalTargets, OfZeroVectorsAreNoneByCosine) {
    const Example e = example_of(97, Metric::Cosine, 5);
    for (Index i = 0; i < 97; ++i) {
        if (e.lengths[i] == 0.0F) {
            EXPECT_EQ(e.targets.radii[i], 0.0F);
            EXPECT_TRUE(e.targets.near.row_indices(i).empty());
        }
    }
}

TEST(LocalTargets, ListNoPairTwice) {
    Example e = example_of(200, Metric::Cosine, 6);
    const CsrMatrix<float> above = pairs_above(e.x.view(), 0.5);
    Similarities s;
    s.upper = above;
    s.threshold = 0.5;
    for (float& value : s.upper.values) {
        value -= 0.5F;
    }
    s.upper.values.front() = -0.1F;  // ties an isolated point
    add_global_pairs(s, 0.3, e.targets);
    EXPECT_EQ(e.targets.far_radius, 1.0F);
    for (Index i = 0; i < 200; ++i) {
        const auto near = e.targets.near.row_indices(i);
        for (const Index j : above.row_indices(i)) {
            const auto far = e.targets.far.row_indices(i);
            if (i == 0 && j == above.indices.front()) {
                EXPECT_FALSE(std::binary_search(far.begin(), far.end(), j));
                continue;
            }
            EXPECT_NE(std::binary_search(near.begin(), near.end(), j), std::binary_search(far.begin(), far.end(), j));
        }
    }
}

}  // namespace
}  // namespace isogon::local_objective_test
