#include "isogon/synthetic/deformed_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "generator_checks.hpp"
#include "isogon/synthetic/drawn_digits.hpp"

namespace isogon::deformed_images_test {
namespace {

constexpr DeformedImagesOptions still{
    .amplitude = 0.0, .rotation = 0.0, .scaling = 0.0, .shear = 0.0, .thickness = 0.0};

class DeformedImages : public testing::Test {
protected:
    [[nodiscard]] SourceImages source() const { return {digits_.points.view(), 28, 28, digits_.labels}; }
    [[nodiscard]] Generated deform(Index count, const DeformedImagesOptions& options, std::uint64_t seed = 1) const {
        return make_points(deformed_images_maker(source(), seed, options, {}), 0, count, {});
    }
    /// Mean distance between images and what they were made of, over the mean length of those.
    [[nodiscard]] double change(const DeformedImagesOptions& options) const {
        const Generated made = deform(digits_.points.count(), options);
        double apart = 0.0;
        double lengths = 0.0;
        for (Index i = 0; i < made.points.count(); ++i) {
            apart += checks::distance(made.points[i], digits_.points[i]);
            lengths += checks::length(digits_.points[i]);
        }
        return apart / lengths;
    }

    Generated digits_ = drawn_digits(40, 9);
};

TEST_F(DeformedImages, WithoutAnyWarpTheyAreTheGivenOnesInTurn) {
    const Generated made = deform(100, still);
    ASSERT_EQ(made.image_height, 28U);
    for (Index i = 0; i < 100; ++i) {
        const Index given = deformed_source(i, 40);
        EXPECT_EQ(given, i % 40);
        ASSERT_TRUE(std::ranges::equal(made.points[i], digits_.points[given])) << i;
        ASSERT_EQ(made.labels[i], digits_.labels[given]);
    }
}

TEST_F(DeformedImages, EachOptionDeformsByItselfAndMoreDeformsMore) {
    const auto with = [](double DeformedImagesOptions::*member, double value) {
        DeformedImagesOptions options = still;
        options.*member = value;
        return options;
    };
    for (const auto& [member, value] : {std::pair{&DeformedImagesOptions::amplitude, 0.7},
                                        {&DeformedImagesOptions::rotation, 6.0},
                                        {&DeformedImagesOptions::scaling, 0.05},
                                        {&DeformedImagesOptions::shear, 0.08},
                                        {&DeformedImagesOptions::thickness, 0.2}}) {
        const double some = change(with(member, value));
        EXPECT_GT(some, 0.02);
        EXPECT_GT(change(with(member, 2.0 * value)), 1.2 * some);
    }
}

TEST_F(DeformedImages, RougherFieldsCrumple) {
    // The total variation of an image grows when neighbouring pixels are shifted apart.
    const auto variation = [this](double smoothness) {
        DeformedImagesOptions options = still;
        options.amplitude = 2.0;
        options.smoothness = smoothness;
        const Generated made = deform(40, options);
        double sum = 0.0;
        for (Index i = 0; i < 40; ++i) {
            for (std::size_t k = 1; k < 784; ++k) {
                sum += std::abs(made.points[i][k] - made.points[i][k - 1]);
            }
        }
        return sum;
    };
    EXPECT_GT(variation(1.0), 1.3 * variation(6.0));
}

TEST_F(DeformedImages, DefaultsLeaveImagesNearTheirOwnSource) {
    const Generated made = deform(200, {});
    Index nearest_is_own = 0;
    for (Index i = 0; i < 200; ++i) {
        Index best = 0;
        for (Index j = 1; j < 40; ++j) {
            best =
                checks::cosine(made.points[i], digits_.points[j]) > checks::cosine(made.points[i], digits_.points[best])
                    ? j
                    : best;
        }
        nearest_is_own += best == deformed_source(i, 40) ? 1 : 0;
    }
    EXPECT_GT(nearest_is_own, 150U);
    EXPECT_GT(change({}), 0.2);
}

TEST_F(DeformedImages, WholeNumbersStayWholeAndInTheRangeOfTheirSource) {
    const Generated made = deform(80, {.amplitude = 3.0, .thickness = 3.0});
    for (Index i = 0; i < 80; ++i) {
        const auto given = digits_.points[deformed_source(i, 40)];
        const float most = *std::max_element(given.begin(), given.end());
        for (const float value : made.points[i]) {
            ASSERT_TRUE(value >= 0.0F && value <= most && value == std::trunc(value)) << value;
        }
    }
}

TEST_F(DeformedImages, OtherNumbersAreNotRounded) {
    for (float& value : digits_.points.values()) {
        value /= 255.0F;
    }
    const Generated made = deform(40, {});
    EXPECT_TRUE(std::ranges::any_of(made.points.values(), [](float value) { return value > 0.1F && value < 0.9F; }));
}

TEST_F(DeformedImages, LabelsAreOptional) {
    const SourceImages unlabelled{digits_.points.view(), 28, 28, {}};
    EXPECT_TRUE(make_points(deformed_images_maker(unlabelled, 0, {}, {}), 0, 3, {}).labels.empty());
}

TEST_F(DeformedImages, HugeValuesDoNotBecomeNan) {
    for (float& value : digits_.points.values()) {
        value *= 1.3e36F;
    }
    EXPECT_NO_THROW(require_finite(deform(60, {}).points.view(), "made"));
}

TEST_F(DeformedImages, BadImagesAreRefused) {
    EXPECT_THROW((void)deformed_images_maker({}, 0, {}, {}), InvalidArgument);
    EXPECT_THROW((void)deformed_images_maker({digits_.points.view(), 28, 27, {}}, 0, {}, {}), InvalidArgument);
}

}  // namespace
}  // namespace isogon::deformed_images_test
