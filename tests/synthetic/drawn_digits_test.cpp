#include "isogon/synthetic/generator.hpp"

#include <gtest/gtest.h>

#include <array>

#include "generator_checks.hpp"

namespace isogon::drawn_digits_test {
namespace {

constexpr Index count = 3000;
constexpr Index side = 28;

/// The images of these tests: one set, drawn once.
const Generated& sample() {
    static const Generated made = drawn_digits(count, 11);
    return made;
}

TEST(DrawnDigits, AreImages) {
    EXPECT_EQ(sample().image_height, side);
    EXPECT_EQ(sample().image_width, side);
    EXPECT_EQ(sample().points.dimension(), side * side);
    EXPECT_TRUE(std::ranges::all_of(sample().points.values(), [](float value) {
        return value >= 0.0F && value <= 255.0F && value == std::round(value);
    }));
}

TEST(DrawnDigits, LabelsAreRoughlyUniform) {
    for (std::int64_t digit = 0; digit < 10; ++digit) {
        EXPECT_NEAR(static_cast<double>(std::ranges::count(sample().labels, digit)), 300,
                    83);  // five standard deviations
    }
}

TEST(DrawnDigits, InkCoversAboutAFifth) {
    const auto values = sample().points.values();
    const auto inked = static_cast<double>(std::ranges::count_if(values, [](float v) { return v > 0.0F; }));
    EXPECT_GT(inked / static_cast<double>(values.size()), 0.15);
    EXPECT_LT(inked / static_cast<double>(values.size()), 0.25);
}

TEST(DrawnDigits, AreCentredByMass) {
    for (Index i = 0; i < count; ++i) {
        std::array<double, 3> moments{};
        for (Index k = 0; k < side * side; ++k) {
            const double value = sample().points[i][k];
            moments[0] += value;
            moments[1] += value * (k / side);
            moments[2] += value * (k % side);
        }
        ASSERT_NEAR(moments[1] / moments[0], 13.5, 3.0);
        ASSERT_NEAR(moments[2] / moments[0], 13.5, 3.0);
    }
}

TEST(DrawnDigits, NoInkIsCutOffAtTheBorder) {
    for (Index i = 0; i < count; ++i) {
        const auto image = sample().points[i];
        for (Index k = 0; k < side; ++k) {
            ASSERT_EQ(std::max({image[k], image[(side - 1) * side + k], image[k * side], image[k * side + side - 1]}),
                      0.0F);
        }
    }
}

TEST(DrawnDigits, PairsAreAsAlikeAsScannedDigits) {
    // In MNIST the mean cosine of pairs is 0.40 and its 99% quantile 0.75.
    std::vector<double> cosines;
    for (Index i = 0; i < 600; ++i) {
        for (Index j = 0; j < i; ++j) {
            cosines.push_back(checks::cosine(sample().points[i], sample().points[j]));
        }
    }
    std::ranges::sort(cosines);
    const double mean = std::accumulate(cosines.begin(), cosines.end(), 0.0) / static_cast<double>(cosines.size());
    EXPECT_NEAR(mean, 0.40, 0.05);
    EXPECT_NEAR(cosines[cosines.size() * 99 / 100], 0.75, 0.06);
}

TEST(DrawnDigits, NearestNeighbourTellsNearlyAllDigits) {
    int right = 0;
    for (Index i = count - 500; i < count; ++i) {
        Index nearest = 0;
        double best = -1.0;
        for (Index j = 0; j < count - 500; ++j) {
            const double cosine = checks::cosine(sample().points[i], sample().points[j]);
            if (cosine > best) {
                best = cosine;
                nearest = j;
            }
        }
        right += sample().labels[i] == sample().labels[nearest] ? 1 : 0;
    }
    EXPECT_GT(right, 500 * 0.90);
    EXPECT_LT(right, 500 * 0.995);
}

TEST(DrawnDigits, VariationMovesDigitsApart) {
    const auto mean_cosine_of_sixes = [](double variation) {
        const Generated made = drawn_digits(400, 3, {.variation = variation});
        double sum = 0.0;
        int pairs = 0;
        for (Index i = 0; i < 400; ++i) {
            for (Index j = 0; j < i; ++j) {
                if (made.labels[i] == 6 && made.labels[j] == 6) {
                    sum += checks::cosine(made.points[i], made.points[j]);
                    ++pairs;
                }
            }
        }
        return sum / pairs;
    };
    const double none = mean_cosine_of_sixes(0.0);
    const double some = mean_cosine_of_sixes(1.0);
    const double most = mean_cosine_of_sixes(2.0);
    EXPECT_GT(none, some + 0.05);
    EXPECT_GT(some, most + 0.05);
}

TEST(DrawnDigits, BrightnessSpreadsNorms) {
    const auto spread = [](double brightness) {
        const auto values = norms(drawn_digits(1000, 3, {.brightness = brightness}).points.view());
        const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 1000.0;
        double sum = 0.0;
        for (const double value : values) {
            sum += (value - mean) * (value - mean);
        }
        return std::sqrt(sum / 1000.0) / mean;
    };
    EXPECT_LT(spread(0.0) + 0.03, spread(0.5));
}

TEST(DrawnDigits, WildestOptionsStillDraw) {
    const Generated made = drawn_digits(3000, 5, {.variation = 2.0, .brightness = 1.0});
    EXPECT_NO_THROW(require_finite(made.points.view(), "points"));
    EXPECT_GT(std::ranges::min(norms(made.points.view())), 100.0);
}

}  // namespace
}  // namespace isogon::drawn_digits_test
