#include "forces/pair_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::pair_sums_test {
namespace {

double closeness(const WideVectors& y, std::size_t i, std::size_t j) {
    double squared = 0.0;
    for (std::size_t c = 0; c < y.columns; ++c) {
        squared += std::pow(y.at(i, c) - y.at(j, c), 2);
    }
    return 1.0 / (1.0 + squared);
}

TEST(PairSums, AreTheSumsOverAllPairsOfEitherPower) {
    for (const int power : {1, 2}) {
        for (const Index dimension : {1, 2, 3, 5}) {
            for (const Index count : {2, 8, 9, 70}) {
                const WideVectors y = support::random_outputs(count, dimension, 2.0);
                WideVectors truth(count, dimension);
                double total = 0.0;
                for (std::size_t i = 0; i < count; ++i) {
                    for (std::size_t j = 0; j < count; ++j) {
                        total += i == j ? 0.0 : std::pow(closeness(y, i, j), power);
                        for (std::size_t c = 0; c < dimension; ++c) {
                            truth.at(i, c) += std::pow(closeness(y, i, j), power + 1) * (y.at(i, c) - y.at(j, c));
                        }
                    }
                }
                WideVectors pushes(count, dimension);
                EXPECT_NEAR(sum_over_pairs(y, power, pushes, {}), total, 1e-12 * total);
                EXPECT_LT(support::relative_error(pushes, truth), 1e-11);
            }
        }
    }
}

TEST(PairSums, HaveTheSameBitsOnAnyNumberOfThreads) {
    const WideVectors y = support::random_outputs(500, 2, 3.0);
    WideVectors one(500, 2);
    WideVectors three(500, 2);
    EXPECT_EQ(sum_over_pairs(y, 2, one, reference::on_threads(1)),
              sum_over_pairs(y, 2, three, reference::on_threads(3)));
    EXPECT_EQ(one.values, three.values);
}

}  // namespace
}  // namespace isogon::pair_sums_test
