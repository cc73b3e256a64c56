#include "isogon/synthetic/blobs.hpp"

#include <gtest/gtest.h>

#include "generator_checks.hpp"

namespace isogon::blobs_test {
namespace {

/// Mean of every class, one after the other.
std::vector<std::vector<float>> means(const Generated& made, int classes) {
    std::vector<std::vector<float>> sums(static_cast<std::size_t>(classes),
                                         std::vector<float>(made.points.dimension()));
    std::vector<int> counts(sums.size());
    for (Index i = 0; i < made.points.count(); ++i) {
        const auto label = static_cast<std::size_t>(made.labels[i]);
        ++counts.at(label);
        for (Index k = 0; k < made.points.dimension(); ++k) {
            sums[label][k] += made.points[i][k];
        }
    }
    for (std::size_t c = 0; c < sums.size(); ++c) {
        for (float& value : sums[c]) {
            value /= static_cast<float>(counts[c]);
        }
    }
    return sums;
}

TEST(Blobs, LabelsAreRoughlyUniform) {
    const Generated made = blobs(20000, 1, {.classes = 4, .dimension = 2});
    for (std::int64_t c = 0; c < 4; ++c) {
        EXPECT_NEAR(static_cast<double>(std::ranges::count(made.labels, c)), 5000, 310);  // five standard deviations
    }
}

TEST(Blobs, SpreadIsTheDeviationAboutTheCentre) {
    const BlobsOptions options{.classes = 3, .dimension = 8, .spread = 2.5};
    const Generated made = blobs(6000, 2, options);
    const auto centres = means(made, 3);
    double sum = 0.0;
    for (Index i = 0; i < 6000; ++i) {
        sum += std::pow(checks::distance(made.points[i], centres[static_cast<std::size_t>(made.labels[i])]), 2);
    }
    EXPECT_NEAR(std::sqrt(sum / (6000 * 8)), 2.5, 0.05);
}

TEST(Blobs, SeparationIsTheDistanceOfCentres) {
    const Generated made = blobs(2000, 3, {.classes = 100, .dimension = 50, .spread = 0.0, .separation = 7.0});
    const auto centres = means(made, 100);
    double sum = 0.0;
    int pairs = 0;
    for (std::size_t a = 0; a < centres.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            sum += std::pow(checks::distance(centres[a], centres[b]), 2);
            ++pairs;
        }
    }
    EXPECT_NEAR(std::sqrt(sum / pairs), 7.0, 0.3);
}

TEST(Blobs, WithoutSpreadPointsAreTheCentres) {
    const Generated made = blobs(100, 4, {.classes = 1, .dimension = 3, .spread = 0.0});
    for (Index i = 1; i < 100; ++i) {
        EXPECT_EQ(checks::distance(made.points[0], made.points[i]), 0.0);
    }
}

TEST(Blobs, CentresCountAsMemory) {
    RunContext context;
    context.memory_limit = 1000000;
    EXPECT_THROW((void)blobs(1, 0, {.classes = 10000, .dimension = 100}, context), LimitExceeded);
}

}  // namespace
}  // namespace isogon::blobs_test
