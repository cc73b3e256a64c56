#include "decomposition/sphere_objective.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "linalg/multi_vector_arithmetic.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"

namespace isogon::sphere_objective_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;
using Vector = Eigen::VectorXd;

RowBlock whole(MultiVector<float>& v) {
    return rows_of(v, {0, v.rows()});
}

struct Example {
    Points x;
    Similarities s;
    std::vector<float> lengths;
    Matrix start;  ///< on the spheres
};

/// Clustered points of different lengths, some of them zero, and points on their spheres in fewer dimensions.
Example example_of(Index count, Index dimension, std::uint64_t seed) {
    Points x = support::clustered_points(count, 9, 4, 0.7, seed);
    for (Index i = 3; i < count; i += 11) {
        std::fill(x[i].begin(), x[i].end(), 0.0F);
    }
    Example e{x, thresholded_similarities(x.view(), 0.6, {}), {}, support::random_matrix(count, dimension, seed + 1)};
    const std::vector<double> lengths = norms(x.view());
    for (Index i = 0; i < count; ++i) {
        e.lengths.push_back(static_cast<float>(lengths[i]));
        e.start.row(i) *= double{e.lengths[i]} / e.start.row(i).norm();
    }
    return e;
}

/// The objective by its definition, in float64.
double reference(const Example& e, const SphereTerms& terms, const Matrix& y) {
    const Matrix s = to_matrix(e.s);
    double sum = 0.0;
    for (Index i = 0; i < y.rows(); ++i) {
        for (Index j = 0; j < y.rows(); ++j) {
            const double l = y.row(i).dot(y.row(j)) - e.s.threshold * double{e.lengths[i]} * double{e.lengths[j]};
            if (i != j) {
                sum +=
                    s(i, j) > 0.0 ? std::pow(l - s(i, j), 2) : terms.off_support_weight * std::pow(std::max(0.0, l), 2);
            }
        }
    }
    return sum;
}

class SphereObjectiveOf : public testing::TestWithParam<std::tuple<Index, Index, double>> {
protected:
    Index count() const { return std::get<0>(GetParam()); }
    Example example() const { return example_of(count(), std::get<1>(GetParam()), 1); }
    SphereTerms terms() const { return {.off_support_weight = std::get<2>(GetParam())}; }
};

INSTANTIATE_TEST_SUITE_P(Shapes, SphereObjectiveOf,
                         testing::Combine(testing::Values(2, 47, 48, 49, 130), testing::Values(1, 2, 5, 16),
                                          testing::Values(1.0, 0.25)));

TEST_P(SphereObjectiveOf, HasTheDefinitionsValue) {
    const Example e = example();
    const MultiVector<float> w = support::to_block(e.start);
    MultiVector<float> gradient(w.rows(), w.columns());
    const DescentValue value = SphereObjective(e.s, e.lengths, terms()).evaluate(w, gradient, on_threads(2));
    const double expected = reference(e, terms(), to_matrix(w));
    EXPECT_NEAR(value.objective, expected, 1e-5 * (1.0 + expected));
    EXPECT_LE(value.misfit, value.objective);
}

TEST_P(SphereObjectiveOf, HasItsSlopeAlongAnyDirection) {
    const Example e = example();
    SphereObjective objective(e.s, e.lengths, terms());
    const MultiVector<float> w = support::to_block(e.start);
    MultiVector<float> gradient(w.rows(), w.columns());
    objective.evaluate(w, gradient, on_threads(2));
    MultiVector<float> direction = support::random_block(w.rows(), w.columns(), 5);
    for (Index i = 0; i < w.rows(); ++i) {
        if (e.lengths[i] == 0.0F) {
            std::fill_n(direction.row(i), w.columns(), 0.0F);
        }
    }
    objective.project(w, whole(direction));
    const Matrix along = to_matrix(direction);
    const double h = 1e-5;
    const double slope =
        (reference(e, terms(), to_matrix(w) + h * along) - reference(e, terms(), to_matrix(w) - h * along)) / (2 * h);
    EXPECT_NEAR(dot(gradient, direction, {}), slope, 1e-4 * (std::abs(slope) + to_matrix(gradient).norm()));
}

TEST_P(SphereObjectiveOf, KeepsToItsSpheres) {
    const Example e = example();
    const SphereObjective objective(e.s, e.lengths, terms());
    const MultiVector<float> w = support::to_block(e.start);
    MultiVector<float> direction = support::random_block(w.rows(), w.columns(), 6);
    objective.project(w, whole(direction));
    MultiVector<float> retracted = direction;
    objective.retract(w, 0.7, whole(retracted));
    const Matrix moved = to_matrix(retracted);
    for (Index i = 0; i < w.rows(); ++i) {
        EXPECT_NEAR(moved.row(i).norm(), double{e.lengths[i]}, 1e-5);
        if (e.lengths[i] > 0.0F) {
            EXPECT_NEAR(to_matrix(direction).row(i).dot(to_matrix(w).row(i)), 0.0, 1e-5);
        }
    }
}

TEST_P(SphereObjectiveOf, IsTheSameBitsForAnyNumberOfThreads) {
    const Example e = example();
    const MultiVector<float> w = support::to_block(e.start);
    const auto all = [&](int threads) {
        MultiVector<float> gradient(w.rows(), w.columns());
        const DescentValue value = SphereObjective(e.s, e.lengths, terms()).evaluate(w, gradient, on_threads(threads));
        return std::tuple(Matrix(to_matrix(gradient)), value.objective, value.misfit, value.violations);
    };
    const auto one = all(1);
    EXPECT_EQ(one, all(2));
    EXPECT_EQ(one, all(3));
}

TEST(SphereObjective, PreconditionsByTheMassOfTheSupport) {
    // Three points in one direction and one far away: the crowded ones move less for the same gradient.
    Points x(4, 2);
    for (Index i = 0; i < 3; ++i) {
        x[i][0] = 1.0F;
    }
    x[3][1] = 1.0F;
    const Similarities s = thresholded_similarities(x.view(), 0.5, {});
    const SphereObjective objective(s, {1, 1, 1, 1}, {});
    MultiVector<float> v(4, 2);
    for (Index i = 0; i < 4; ++i) {
        v.row(i)[0] = 1.0F;
    }
    objective.precondition(whole(v));
    EXPECT_FLOAT_EQ(v.row(0)[0], 1.0F / 16.0F);  // 8 (2 / 2 + 1)
    EXPECT_FLOAT_EQ(v.row(3)[0], 1.0F / 8.0F);   // 8 (0 + 1)
}

}  // namespace
}  // namespace isogon::sphere_objective_test
