#include "forces/repulsion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::repulsion_test {

namespace {

double closeness(const MultiVector<double>& y, std::size_t i, std::size_t j) {
    double squared = 0.0;
    for (std::size_t c = 0; c < y.columns(); ++c) {
        squared += std::pow(y.at(i, c) - y.at(j, c), 2);
    }
    return 1.0 / (1.0 + squared);
}

TEST(PairSums, AreTheSumsOverAllPairsOfEitherPower) {
    for (const int power : {1, 2}) {
        for (const Index dimension : {1, 2, 3, 5}) {
            for (const Index count : {2, 8, 9, 70}) {
                const MultiVector<double> y = support::random_outputs(count, dimension, 2.0);
                MultiVector<double> truth(count, dimension);
                double total = 0.0;
                for (std::size_t i = 0; i < count; ++i) {
                    for (std::size_t j = 0; j < count; ++j) {
                        total += i == j ? 0.0 : std::pow(closeness(y, i, j), power);
                        for (std::size_t c = 0; c < dimension; ++c) {
                            truth.at(i, c) += std::pow(closeness(y, i, j), power + 1) * (y.at(i, c) - y.at(j, c));
                        }
                    }
                }
                MultiVector<double> pushes(count, dimension);
                EXPECT_NEAR(sum_over_pairs(y, power, pushes, {}), total, 1e-12 * total);
                EXPECT_LT(support::relative_error(pushes, truth), 1e-11);
            }
        }
    }
}

TEST(ExactRepulsion, IsTheSumOverAllPairs) {
    ExactRepulsion exact;
    for (const Index dimension : {1, 2, 3, 4, 7}) {
        for (const Index count : {2, 7, 8, 9, 64, 65, 200}) {
            const MultiVector<double> y = support::random_outputs(count, dimension, 3.0);
            MultiVector<double> pushes(count, dimension);
            const double total = exact.repel(y, pushes, {});
            const support::Repelled truth = support::repelled(y);
            EXPECT_NEAR(total, truth.total, 1e-12 * count * count);
            EXPECT_LT(support::relative_error(pushes, truth.pushes), 1e-12);
        }
    }
}

TEST(ExactRepulsion, PointsInOnePlaceDoNotPush) {
    ExactRepulsion exact;
    const MultiVector<double> y(5, 2);
    MultiVector<double> pushes(5, 2);
    EXPECT_EQ(exact.repel(y, pushes, {}), 20.0);
    EXPECT_TRUE(std::all_of(pushes.values().begin(), pushes.values().end(), [](double value) { return value == 0.0; }));
}

TEST(ExactRepulsion, OutputsFarAwayStayNumbers) {
    ExactRepulsion exact;
    const MultiVector<double> y = support::random_outputs(20, 2, 1e38);
    MultiVector<double> pushes(20, 2);
    EXPECT_GE(exact.repel(y, pushes, {}), 0.0);
    EXPECT_TRUE(
        std::all_of(pushes.values().begin(), pushes.values().end(), [](double value) { return std::isfinite(value); }));
}

TEST(ExactRepulsion, HasTheSameBitsOnAnyNumberOfThreadsAndCanBeCancelled) {
    ExactRepulsion exact;
    const MultiVector<double> y = support::random_outputs(500, 2, 3.0);
    MultiVector<double> one(500, 2);
    MultiVector<double> three(500, 2);
    EXPECT_EQ(exact.repel(y, one, reference::on_threads(1)), exact.repel(y, three, reference::on_threads(3)));
    EXPECT_EQ(one.values(), three.values());
    const RunContext context = reference::cancelled();
    EXPECT_THROW((void)exact.repel(y, one, context), Interruption);
}

double dot(const MultiVector<double>& a, const MultiVector<double>& b) {
    return std::inner_product(a.values().begin(), a.values().end(), b.values().begin(), 0.0);
}

TEST(SampledRepulsion, IsTheSumOverAllPairsOnAverage) {
    constexpr int iterations = 1500;
    for (const Index dimension : {2, 5}) {
        const MultiVector<double> y = support::random_outputs(60, dimension, 1.0);
        const support::Repelled truth = support::repelled(y);
        const CsrMatrix<float> edges = support::random_probabilities(60, 4);
        SampledRepulsion sampled(5, 7, dimension == 5 ? &edges : nullptr);
        MultiVector<double> pushes(60, dimension);
        MultiVector<double> mean(60, dimension);
        double total = 0.0;
        for (int iteration = 0; iteration < iterations; ++iteration) {
            sampled.begin_iteration(static_cast<std::uint64_t>(iteration));
            total += sampled.repel(y, pushes, {}) / iterations;
            for (std::size_t k = 0; k < mean.values().size(); ++k) {
                mean.values()[k] += pushes.values()[k] / iterations;
            }
        }
        EXPECT_NEAR(total, truth.total, 0.005 * truth.total);
        EXPECT_LT(support::relative_error(mean, truth.pushes), 0.06);
        // A factor that all have in common, of which there is less noise.
        EXPECT_NEAR(dot(mean, truth.pushes), dot(truth.pushes, truth.pushes), 0.01 * dot(truth.pushes, truth.pushes));
    }
}

TEST(SampledRepulsion, FourTimesTheSamplesHalveTheError) {
    const MultiVector<double> y = support::random_outputs(1500, 2, 2.0);
    const support::Repelled truth = support::repelled(y);
    MultiVector<double> pushes(1500, 2);
    (void)SampledRepulsion(50).repel(y, pushes, {});
    const double few = support::relative_error(pushes, truth.pushes);
    (void)SampledRepulsion(200).repel(y, pushes, {});
    EXPECT_NEAR(support::relative_error(pushes, truth.pushes), 0.5 * few, 0.1 * few);
}

TEST(SampledRepulsion, WhoIsKnownToBeNearIsNotLeftToDraws) {
    // Groups of three, far from all others: only near points repel noticeably.
    MultiVector<double> y = support::random_outputs(600, 2, 1.0);
    CsrMatrix<float> near{.rows = 600, .columns = 600};
    for (Index i = 0; i < 600; ++i) {
        y.at(i, 0) += 1000.0 * (i / 3);
        for (Index j = i / 3 * 3; j < i / 3 * 3 + 3; ++j) {
            if (j != i) {
                near.indices.push_back(j);
                near.values.push_back(1.0F);
            }
        }
        near.offsets.push_back(near.indices.size());
    }
    const support::Repelled truth = support::repelled(y);
    MultiVector<double> pushes(600, 2);
    (void)SampledRepulsion(10).repel(y, pushes, {});
    EXPECT_GT(support::relative_error(pushes, truth.pushes), 0.5);
    EXPECT_NEAR(SampledRepulsion(10, 0, &near).repel(y, pushes, {}), truth.total, 0.1 * truth.total);
    EXPECT_LT(support::relative_error(pushes, truth.pushes), 1e-3);
}

TEST(SampledRepulsion, IsExactWhereSamplesWouldBeMoreThanPairs) {
    const MultiVector<double> y = support::random_outputs(40, 3, 2.0);
    MultiVector<double> pushes(40, 3);
    MultiVector<double> all(40, 3);
    ExactRepulsion exact;
    const double total = exact.repel(y, all, {});
    EXPECT_EQ(SampledRepulsion(39).repel(y, pushes, {}), total);
    EXPECT_EQ(pushes.values(), all.values());
    EXPECT_NE(SampledRepulsion(38).repel(y, pushes, {}), total);
}

TEST(SampledRepulsion, DrawsAreOfSeedAndIteration) {
    const MultiVector<double> y = support::random_outputs(300, 2, 2.0);
    MultiVector<double> pushes(300, 2);
    SampledRepulsion sampled(10, 1);
    const double first = sampled.repel(y, pushes, {});
    sampled.begin_iteration(1);
    EXPECT_NE(sampled.repel(y, pushes, {}), first);
    sampled.begin_iteration(0);
    EXPECT_EQ(sampled.repel(y, pushes, {}), first);
    EXPECT_NE(SampledRepulsion(10, 2).repel(y, pushes, {}), first);
}

TEST(SampledRepulsion, HasTheSameBitsOnAnyNumberOfThreadsAndCanBeCancelled) {
    const MultiVector<double> y = support::random_outputs(500, 2, 3.0);
    MultiVector<double> one(500, 2);
    MultiVector<double> three(500, 2);
    SampledRepulsion sampled(20);
    EXPECT_EQ(sampled.repel(y, one, reference::on_threads(1)), sampled.repel(y, three, reference::on_threads(3)));
    EXPECT_EQ(one.values(), three.values());
    const RunContext context = reference::cancelled();
    EXPECT_THROW((void)sampled.repel(y, one, context), Interruption);
}

TEST(SampledRepulsion, OutputsInOnePlaceOrFarAwayStayNumbers) {
    MultiVector<double> pushes(50, 2);
    EXPECT_NEAR(SampledRepulsion(10).repel(MultiVector<double>(50, 2), pushes, {}), 50.0 * 49.0, 1e-9);
    EXPECT_TRUE(std::ranges::all_of(pushes.values(), [](double value) { return value == 0.0; }));
    EXPECT_GE(SampledRepulsion(10).repel(support::random_outputs(50, 2, 1e38), pushes, {}), 0.0);
    EXPECT_TRUE(std::ranges::all_of(pushes.values(), [](double value) { return std::isfinite(value); }));
}

TEST(SampledRepulsion, RefusesNumbersOfSamplesThatAreNone) {
    EXPECT_THROW(SampledRepulsion(0), InvalidArgument);
    EXPECT_THROW(SampledRepulsion(-1), InvalidArgument);
    EXPECT_THROW(SampledRepulsion(SampledRepulsion::most_samples + 1), InvalidArgument);
}

}  // namespace

}  // namespace isogon::repulsion_test
