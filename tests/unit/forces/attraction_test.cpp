#include "isogon/forces/attraction.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::attraction_test {
namespace {

TEST(Attraction, PullsAreAQuarterOfTheGradientOfTheCost) {
    const CsrMatrix<float> edges = support::random_shares(40, 5);
    for (const Index dimension : {1, 2, 3, 4}) {
        for (const OutputKernel kernel : {OutputKernel{}, OutputKernel{1.6, 0.9}}) {
            WideVectors y = support::random_outputs(40, dimension, 2.0);
            WideVectors pulls(40, dimension);
            attract(edges, kernel, y, pulls, {});
            constexpr double h = 1e-5;
            for (const std::size_t k : {0, 17, 28, 39}) {
                const double here = y.values[k];
                y.values[k] = here + h;
                const double above = attraction_cost(edges, kernel, y, {});
                y.values[k] = here - h;
                const double below = attraction_cost(edges, kernel, y, {});
                y.values[k] = here;
                EXPECT_NEAR(4.0 * pulls.values[k], (above - below) / (2.0 * h), 1e-8);
            }
        }
    }
}

TEST(Attraction, CostAndEntropyAreTheirSums) {
    const CsrMatrix<float> edges = support::random_shares(30, 4);
    const WideVectors y = support::random_outputs(30, 2, 1.0);
    double cost = 0.0;
    double entropy = 0.0;
    for (Index i = 0; i < 30; ++i) {
        for (std::size_t e = 0; e < edges.row_indices(i).size(); ++e) {
            const Index j = edges.row_indices(i)[e];
            const double s = std::pow(y.at(i, 0) - y.at(j, 0), 2) + std::pow(y.at(i, 1) - y.at(j, 1), 2);
            cost += double{edges.row_values(i)[e]} * std::log(1.0 + s);
            entropy += double{edges.row_values(i)[e]} * std::log(double{edges.row_values(i)[e]});
        }
    }
    EXPECT_NEAR(attraction_cost(edges, {}, y, {}), cost, 1e-12);
    EXPECT_NEAR(negative_entropy(edges, {}), entropy, 1e-12);
}

TEST(Attraction, AWeightThatVanishedIsNoTrouble) {
    CsrMatrix<float> edges = support::random_shares(20, 3);
    edges.values.assign(edges.values.size(), 0.0F);
    EXPECT_EQ(negative_entropy(edges, {}), 0.0);
}

TEST(Attraction, HasTheSameBitsOnAnyNumberOfThreads) {
    const CsrMatrix<float> edges = support::random_shares(700, 6);
    const WideVectors y = support::random_outputs(700, 2, 3.0);
    WideVectors one(700, 2);
    WideVectors three(700, 2);
    attract(edges, {}, y, one, reference::on_threads(1));
    attract(edges, {}, y, three, reference::on_threads(3));
    EXPECT_EQ(one.values, three.values);
    EXPECT_EQ(attraction_cost(edges, {}, y, reference::on_threads(1)),
              attraction_cost(edges, {}, y, reference::on_threads(3)));
}

}  // namespace
}  // namespace isogon::attraction_test
