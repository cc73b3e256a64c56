#include "forces/pca_descent.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "isogon/core/error.hpp"
#include "linalg/truncated_svd.hpp"
#include "quality/known_truth.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::pca_descent_test {

namespace {

TEST(GramForce, ProductsAreTheirSums) {
    for (const Index count : {1, 7, 127, 128, 129, 400}) {
        const Points x = reference::random_points(count, 11, count, 2.0);
        const MultiVector<double> y = support::random_outputs(count, 3, 1.0);
        const CentredPoints centred = about_mean(x.view(), {});
        const DenseMatrix product = product_with_points(centred, y, {});
        for (std::size_t k = 0; k < 11; ++k) {
            double mean = 0.0;
            for (Index i = 0; i < count; ++i) {
                mean += double{x[i][k]} / count;
            }
            EXPECT_NEAR(centred.center[k], mean, 1e-12);
            for (std::size_t c = 0; c < 3; ++c) {
                double sum = 0.0;
                for (Index i = 0; i < count; ++i) {
                    sum += (double{x[i][k]} - mean) * y.at(i, c);
                }
                EXPECT_NEAR(product(k, c), sum, 1e-11 * count);
            }
        }
    }
}

TEST(GramForce, MovesEveryRowByItsForceAndKnowsWhatCameOfIt) {
    const Points x = reference::random_points(300, 9, 1, 1.0);
    const CentredPoints centred = about_mean(x.view(), {});
    const MultiVector<double> before = support::random_outputs(300, 2, 1.0);
    PcaProducts products{DenseMatrix(9, 2), DenseMatrix(2, 2)};
    auto& [across, gram] = products;
    for (std::size_t k = 0; k < across.values.size(); ++k) {
        across.values[k] = std::sin(static_cast<double>(k));
    }
    gram.values = {2.0, 0.5, 0.5, 3.0};
    MultiVector<double> y = before;
    const GramStep made = move_by_gram(centred, products, 0.25, y, {});
    double squares = 0.0;
    for (Index i = 0; i < 300; ++i) {
        for (std::size_t c = 0; c < 2; ++c) {
            double force = -before.at(i, 0) * gram(0, c) - before.at(i, 1) * gram(1, c);
            for (std::size_t k = 0; k < 9; ++k) {
                force += (double{x[i][k]} - centred.center[k]) * across(k, c);
            }
            EXPECT_NEAR(y.at(i, c), before.at(i, c) + 0.25 * force, 1e-12);
            squares += force * force;
        }
    }
    EXPECT_NEAR(made.squared_force, squares, 1e-10 * squares);
    const DenseMatrix after = product_with_points(centred, y, {});
    for (std::size_t k = 0; k < after.values.size(); ++k) {
        EXPECT_EQ(made.across.values[k], after.values[k]);
    }
}

TEST(GramForce, HasTheSameBitsOnAnyNumberOfThreads) {
    const Points x = reference::random_points(1000, 17, 1);
    const MultiVector<double> y = support::random_outputs(1000, 3, 1.0);
    const CentredPoints centred = about_mean(x.view(), reference::on_threads(1));
    EXPECT_EQ(centred.center, about_mean(x.view(), reference::on_threads(3)).center);
    EXPECT_EQ(product_with_points(centred, y, reference::on_threads(1)).values,
              product_with_points(centred, y, reference::on_threads(3)).values);
}

/// Points whose spread differs by direction, so that there are directions to find.
Points ellipsoid(Index count, Index dimension, std::uint64_t seed = 1) {
    Points points = reference::random_points(count, dimension, seed);
    for (Index i = 0; i < count; ++i) {
        for (Index k = 0; k < dimension; ++k) {
            points[i][k] = points[i][k] * std::pow(0.7F, static_cast<float>(k)) + 3.0F;
        }
    }
    return points;
}

constexpr double usual = 1e-6;  // tolerance

double largest_eigenvalue(const Points& x) {
    return std::pow(truncated_svd(x.view(), 1, true, {}).singular_values[0], 2);
}

/// The slow twin: C (G_x - G_y) C as it is written, n x n.
std::vector<std::vector<double>> gram_difference(const Points& x, const MultiVector<double>& y) {
    const Index n = x.count();
    std::vector<std::vector<double>> matrix(n, std::vector<double>(n));
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
            for (Index k = 0; k < x.dimension(); ++k) {
                matrix[i][j] += double{x[i][k]} * double{x[j][k]};
            }
            for (Index c = 0; c < y.columns(); ++c) {
                matrix[i][j] -= y.at(i, c) * y.at(j, c);
            }
        }
    }
    const auto centre = [n](const std::function<double&(Index, Index)>& entry) {
        for (Index i = 0; i < n; ++i) {
            double mean = 0.0;
            for (Index j = 0; j < n; ++j) {
                mean += entry(i, j) / n;
            }
            for (Index j = 0; j < n; ++j) {
                entry(i, j) -= mean;
            }
        }
    };
    centre([&](Index i, Index j) -> double& { return matrix[i][j]; });
    centre([&](Index i, Index j) -> double& { return matrix[j][i]; });
    return matrix;
}

double slow_objective(const Points& x, const MultiVector<double>& y) {
    double sum = 0.0;
    for (const auto& row : gram_difference(x, y)) {
        for (const double value : row) {
            sum += value * value;
        }
    }
    return sum;
}

double error_against_pca(const Points& x, const MultiVector<double>& y) {
    const Points truth = project(x.view(), truncated_svd(x.view(), y.columns(), true, {}), {});
    return align(to_points(y).view(), truth.view(), {}).error;
}

TEST(PcaDescent, TheGradientIsTheSumOfForcesBetweenAllPairs) {
    const Points x = ellipsoid(30, 5);
    const MultiVector<double> y = support::random_outputs(30, 3, 1.5);
    const auto l = gram_difference(x, y);
    MultiVector<double> slow(30, 3);
    for (std::size_t i = 0; i < 30; ++i) {
        for (std::size_t j = 0; j < 30; ++j) {
            for (std::size_t c = 0; c < 3; ++c) {
                slow.at(i, c) += 4.0 * l[i][j] * (y.at(i, c) - y.at(j, c));  // lemma 2
            }
        }
    }
    MultiVector<double> gradient(30, 3);
    pca_gradient(x.view(), y, gradient, {});
    EXPECT_LT(support::relative_error(gradient, slow), 1e-10);
}

TEST(PcaDescent, TheGradientIsThatOfTheObjective) {
    const Points x = ellipsoid(25, 4);
    MultiVector<double> y = support::random_outputs(25, 2, 1.0);
    MultiVector<double> gradient(25, 2);
    pca_gradient(x.view(), y, gradient, {});
    constexpr double h = 1e-4;
    for (std::size_t k = 0; k < y.values().size(); k += 3) {
        const double here = y.values()[k];
        y.values()[k] = here + h;
        const double above = slow_objective(x, y);
        y.values()[k] = here - h;
        const double below = slow_objective(x, y);
        y.values()[k] = here;
        EXPECT_NEAR(gradient.values()[k], (above - below) / (2.0 * h), 1e-4);
    }
}

TEST(PcaDescent, TheObjectiveIsTheSlowOneButForAConstant) {
    const Points x = ellipsoid(40, 4);
    const double largest = largest_eigenvalue(x);
    double constant = 0.0;
    for (const std::uint64_t seed : {1, 2, 3}) {
        const MultiVector<double> y = support::random_outputs(40, 2, 2.0, seed);
        const PcaDescent descent(x.view(), y, largest, usual, {});
        const double difference = slow_objective(x, y) - descent.objective();
        EXPECT_NEAR(difference, constant == 0.0 ? difference : constant, 1e-7 * std::abs(difference));
        constant = difference;
    }
}

TEST(PcaDescent, ArrivesAtPcaWithItsLengths) {
    const Points x = ellipsoid(200, 8);
    for (const Index dimension : {1, 2, 4}) {
        PcaDescent descent(x.view(), support::random_outputs(200, dimension, 0.1, 7), largest_eigenvalue(x), usual, {});
        EXPECT_GT(error_against_pca(x, descent.outputs()), 0.5);
        EXPECT_EQ(descent.run_to(2000), Termination::Converged);
        EXPECT_LT(descent.residual(), 1e-6);
        const Points truth = project(x.view(), truncated_svd(x.view(), dimension, true, {}), {});
        const Alignment alignment = align(to_points(descent.outputs()).view(), truth.view(), {});
        EXPECT_LT(alignment.error, 1e-4);
        EXPECT_NEAR(alignment.scale, 1.0, 1e-4);
    }
}

TEST(PcaDescent, RankKGradientsArriveThereToo) {
    const Points x = ellipsoid(200, 8);
    for (const Index rank : {2, 3, 5}) {
        const Points projected = project(x.view(), truncated_svd(x.view(), rank, true, {}), {});
        PcaDescent descent(projected.view(), support::random_outputs(200, 2, 0.1, 7), largest_eigenvalue(x), usual, {});
        EXPECT_EQ(descent.run_to(2000), Termination::Converged);
        EXPECT_LT(error_against_pca(x, descent.outputs()), 1e-4) << rank;
    }
}

/// Whatever the start: small, as large as the data, or far too large.
TEST(PcaDescent, NeverIncreases) {
    const Points x = ellipsoid(100, 6);
    for (const double spread : {1e-3, 1.0, 50.0}) {
        PcaDescent descent(x.view(), support::random_outputs(100, 2, spread, 7), largest_eigenvalue(x), usual, {});
        double before = descent.objective();
        for (int iteration = 1; iteration <= 150; ++iteration) {
            (void)descent.run_to(iteration);
            EXPECT_LE(descent.objective(), before + 1e-12 * std::abs(before));
            before = descent.objective();
        }
    }
}

TEST(PcaDescent, ContinuesToTheSameBitsOnAnyNumberOfThreads) {
    const Points x = ellipsoid(700, 6);
    const MultiVector<double> start = support::random_outputs(700, 2, 0.1, 7);
    const double largest = largest_eigenvalue(x);
    PcaDescent whole(x.view(), start, largest, usual, reference::on_threads(1));
    PcaDescent parts(x.view(), start, largest, usual, reference::on_threads(3));
    EXPECT_EQ(whole.run_to(25), Termination::IterationLimit);
    EXPECT_EQ(parts.run_to(7), Termination::IterationLimit);
    EXPECT_EQ(parts.run_to(7), Termination::IterationLimit);
    EXPECT_EQ(parts.run_to(25), Termination::IterationLimit);
    EXPECT_EQ(whole.outputs().values(), parts.outputs().values());
    EXPECT_EQ(whole.objective(), parts.objective());
    ASSERT_EQ(whole.trace().size(), 3U);
    EXPECT_EQ(whole.trace()[2].iteration, 20);
}

TEST(PcaDescent, ReturnsTheCurrentResultWhenCancelled) {
    const Points x = ellipsoid(50, 4);
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    context.on_iteration = [&](const Progress& progress) {
        if (progress.done == 5) {
            stop.request_stop();
        }
    };
    PcaDescent descent(x.view(), support::random_outputs(50, 2, 0.1, 7), largest_eigenvalue(x), usual, context);
    EXPECT_EQ(descent.run_to(500), Termination::Cancelled);
    EXPECT_EQ(descent.iteration(), 5);
}

TEST(PcaDescent, MoreNumbersThanTheDataHasGoToNothing) {
    Points line(40, 3);
    for (Index i = 0; i < 40; ++i) {
        line[i][0] = static_cast<float>(i);
    }
    PcaDescent descent(line.view(), support::random_outputs(40, 3, 1.0, 7), largest_eigenvalue(line), usual, {});
    (void)descent.run_to(500);
    for (const double value : descent.outputs().values()) {
        EXPECT_TRUE(std::isfinite(value));
    }
    PcaDescent origin(line.view(), MultiVector<double>(40, 2), largest_eigenvalue(line), usual, {});
    EXPECT_EQ(origin.run_to(3), Termination::Converged);
}

TEST(PcaDescent, RefusesUnsupportedOptions) {
    const Points x = ellipsoid(20, 3);
    const MultiVector<double> y = support::random_outputs(20, 2, 1.0);
    EXPECT_THROW(PcaDescent(x.view(), MultiVector<double>(19, 2), 1.0, 0.0, {}), InvalidArgument);
    EXPECT_THROW(PcaDescent(x.view(), y, 0.0, 0.0, {}), InvalidArgument);
    EXPECT_THROW(PcaDescent(x.view(), y, 1.0, -1.0, {}), InvalidArgument);
    EXPECT_THROW(PcaDescent(x.view(), y, std::numeric_limits<double>::quiet_NaN(), 0.0, {}), InvalidArgument);
}

}  // namespace

}  // namespace isogon::pca_descent_test
