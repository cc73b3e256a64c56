#include "isogon/synthetic/contact_sheet.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"

namespace isogon::contact_sheet_test {
namespace {

/// Images of 2 x 3 pixels; each pixel tells its image and place.
Points numbered(Index count) {
    Points images(count, 6);
    for (Index i = 0; i < count; ++i) {
        for (Index k = 0; k < 6; ++k) {
            images[i][k] = static_cast<float>(10 * (i + 1) + k);
        }
    }
    return images;
}

TEST(ContactSheet, PutsEveryPixelInItsPlace) {
    const Points images = numbered(5);
    const Sheet sheet = contact_sheet(images.view(), 2, 3, 2);
    ASSERT_EQ(sheet.height, 6U);
    ASSERT_EQ(sheet.width, 6U);
    ASSERT_EQ(sheet.pixels.size(), 36U);
    for (Index row = 0; row < sheet.height; ++row) {
        for (Index column = 0; column < sheet.width; ++column) {
            const Index image = row / 2 * 2 + column / 3;
            const Index expected = image < 5 ? 10 * (image + 1) + row % 2 * 3 + column % 3 : 0;
            EXPECT_EQ(sheet.pixels[row * sheet.width + column], expected);
        }
    }
}

TEST(ContactSheet, IsNoWiderThanItsImages) {
    const Points images = numbered(2);
    const Sheet sheet = contact_sheet(images.view(), 2, 3, 100);
    EXPECT_EQ(sheet.height, 2U);
    EXPECT_EQ(sheet.width, 6U);
}

TEST(ContactSheet, FollowsTheStride) {
    const Points images = numbered(4);
    const Sheet sheet = contact_sheet(PointsView(images.view().data, 2, 6, 12), 2, 3, 1);
    EXPECT_EQ(sheet.pixels[0], 10);
    EXPECT_EQ(sheet.pixels[6], 30);
}

TEST(ContactSheet, RoundsAndCutsValues) {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    const std::vector<float> values{-3.0F, 0.4F, 0.6F, 254.7F, 1e9F, infinite, -infinite, std::nanf("")};
    const Sheet sheet = contact_sheet(PointsView(values.data(), 1, 8), 1, 8, 1);
    EXPECT_EQ(sheet.pixels, (std::vector<std::uint8_t>{0, 0, 1, 255, 255, 255, 0, 0}));
}

TEST(ContactSheet, RefusesWhatIsNoSheet) {
    const Points images = numbered(2);
    EXPECT_THROW((void)contact_sheet(images.view(), 2, 3, 0), InvalidArgument);
    EXPECT_THROW((void)contact_sheet(images.view(), 2, 2, 1), InvalidArgument);
    EXPECT_THROW((void)contact_sheet(images.view(), 0, 6, 1), InvalidArgument);
    EXPECT_THROW((void)contact_sheet(PointsView(), 2, 3, 1), InvalidArgument);
    // Sides whose product only matches when it wraps round 32 bits.
    EXPECT_THROW((void)contact_sheet(images.view(), 0x80000003U, 2, 1), InvalidArgument);
    // A view of more rows than fit: refused before a pixel is read.
    EXPECT_THROW((void)contact_sheet(PointsView(images.view().data, 4000000000U, 6, 0), 6, 1, 1), InvalidArgument);
}

}  // namespace
}  // namespace isogon::contact_sheet_test
