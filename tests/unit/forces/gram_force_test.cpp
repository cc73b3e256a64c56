#include "forces/gram_force.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::gram_force_test {
namespace {

TEST(GramForce, ProductsAreTheirSums) {
    for (const Index count : {1, 7, 127, 128, 129, 400}) {
        const Points x = reference::random_points(count, 11, count, 2.0);
        const WideVectors y = support::random_outputs(count, 3, 1.0);
        const std::vector<double> center = mean_of(x.view(), {});
        const DenseMatrix product = product_with_points(x.view(), center, y, {});
        for (std::size_t k = 0; k < 11; ++k) {
            double mean = 0.0;
            for (Index i = 0; i < count; ++i) {
                mean += double{x[i][k]} / count;
            }
            EXPECT_NEAR(center[k], mean, 1e-12);
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
    const std::vector<double> center = mean_of(x.view(), {});
    const WideVectors before = support::random_outputs(300, 2, 1.0);
    DenseMatrix across(9, 2);
    DenseMatrix gram(2, 2);
    for (std::size_t k = 0; k < across.values.size(); ++k) {
        across.values[k] = std::sin(static_cast<double>(k));
    }
    gram.values = {2.0, 0.5, 0.5, 3.0};
    WideVectors y = before;
    const GramStep made = move_by_gram(x.view(), center, across, gram, 0.25, y, {});
    double squares = 0.0;
    for (Index i = 0; i < 300; ++i) {
        for (std::size_t c = 0; c < 2; ++c) {
            double force = -before.at(i, 0) * gram(0, c) - before.at(i, 1) * gram(1, c);
            for (std::size_t k = 0; k < 9; ++k) {
                force += (double{x[i][k]} - center[k]) * across(k, c);
            }
            EXPECT_NEAR(y.at(i, c), before.at(i, c) + 0.25 * force, 1e-12);
            squares += force * force;
        }
    }
    EXPECT_NEAR(made.squared_force, squares, 1e-10 * squares);
    const DenseMatrix after = product_with_points(x.view(), center, y, {});
    for (std::size_t k = 0; k < after.values.size(); ++k) {
        EXPECT_EQ(made.across.values[k], after.values[k]);
    }
}

TEST(GramForce, HasTheSameBitsOnAnyNumberOfThreads) {
    const Points x = reference::random_points(1000, 17, 1);
    const WideVectors y = support::random_outputs(1000, 3, 1.0);
    const std::vector<double> center = mean_of(x.view(), reference::on_threads(1));
    EXPECT_EQ(center, mean_of(x.view(), reference::on_threads(3)));
    EXPECT_EQ(product_with_points(x.view(), center, y, reference::on_threads(1)).values,
              product_with_points(x.view(), center, y, reference::on_threads(3)).values);
}

}  // namespace
}  // namespace isogon::gram_force_test
