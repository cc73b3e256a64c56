#include "report/thumbnails.hpp"

#include <gtest/gtest.h>

#include "support/report_data.hpp"

namespace isogon::thumbnails_test {
namespace {

std::vector<int> drawn(const Thumbnails& thumbnails, Index i) {
    std::vector<std::uint8_t> pixels(std::size_t{thumbnails.width()} * thumbnails.height());
    thumbnails.draw(i, pixels);
    return {pixels.begin(), pixels.end()};
}

/// Images of `values`, all alike but for the first pixel of the last, which is `odd`.
Points images(Index count, Index dimension, float value, float odd) {
    Points points(count, dimension);
    for (float& v : points.values()) {
        v = value;
    }
    points[count - 1][0] = odd;
    return points;
}

TEST(Thumbnails, AreTheImagesThemselvesWhereTheyAreFewAndSmall) {
    Points points(2, 6);
    const std::vector<float> bytes{0, 1, 127, 128, 254, 255};
    std::copy(bytes.begin(), bytes.end(), points[1].begin());
    const Thumbnails thumbnails(points.view(), {3, 2});
    EXPECT_EQ(thumbnails.levels(), 256U);
    EXPECT_EQ((std::pair{thumbnails.width(), thumbnails.height()}), (std::pair{Index{3}, Index{2}}));
    EXPECT_EQ(drawn(thumbnails, 1), (std::vector<int>{0, 1, 127, 128, 254, 255}));
    EXPECT_EQ(drawn(thumbnails, 0), std::vector<int>(6, 0));
}

TEST(Thumbnails, GreyGoesFromTheLeastNumberToTheLargest) {
    EXPECT_EQ(drawn(Thumbnails(images(2, 1, -1.0F, 3.0F).view(), {1, 1}), 0), std::vector<int>{0});
    EXPECT_EQ(drawn(Thumbnails(images(2, 1, 1.0F, -3.0F).view(), {1, 1}), 0), std::vector<int>{255});
    EXPECT_EQ(drawn(Thumbnails(images(2, 1, 0.5F, 1.0F).view(), {1, 1}), 0), std::vector<int>{128});
    EXPECT_EQ(drawn(Thumbnails(images(2, 4, 0.0F, 0.0F).view(), {2, 2}), 0), std::vector<int>(4, 0));
    EXPECT_EQ(drawn(Thumbnails(images(2, 1, 3e38F, -3e38F).view(), {1, 1}), 0), std::vector<int>{255});
}

TEST(Thumbnails, ManyHaveSixteenLevels) {
    const Points points = images(2000, 1024, 1.0F, 2.0F);
    const Thumbnails thumbnails(points.view(), {32, 32});
    EXPECT_EQ(thumbnails.levels(), 16U);
    EXPECT_EQ(drawn(thumbnails, 1999)[0], 15);
    EXPECT_EQ(drawn(thumbnails, 1999)[1], 8);
}

TEST(Thumbnails, LargeImagesAreAveraged) {
    // 66 x 40: squares of 3, the last column and row cut short.
    Points points(2, 66 * 40);
    for (Index row = 0; row < 40; ++row) {
        for (Index column = 0; column < 66; ++column) {
            points[0][row * 66 + column] = column < 33 ? 90.0F : 0.0F;
        }
    }
    points[0][39 * 66] = 255.0F;
    const Thumbnails thumbnails(points.view(), {66, 40});
    EXPECT_EQ((std::pair{thumbnails.width(), thumbnails.height()}), (std::pair{Index{22}, Index{14}}));
    const auto pixels = drawn(thumbnails, 0);
    EXPECT_EQ(pixels[0], 90);
    EXPECT_EQ(pixels[10], 90);
    EXPECT_EQ(pixels[11], 0);
    EXPECT_EQ(pixels[13 * 22], 145);  // (255 + 2 * 90) / 3
}

TEST(Thumbnails, AreWrittenAsAnArray) {
    const Points points = images(3, 6, 10.0F, 255.0F);
    JsonWriter json;
    EXPECT_FALSE(write_thumbnails(json, points.view(), {3, 2}, 100000));
    const auto written = support::Json::parse(json.json());
    EXPECT_EQ(written["width"], 3);
    EXPECT_EQ(written["height"], 2);
    EXPECT_EQ(written["levels"], 256);
    EXPECT_EQ(written["pixels"]["shape"], support::Json::parse("[3,6]"));
    const auto pixels = support::stored_numbers(written["pixels"]);
    EXPECT_EQ(pixels[0], 10.0);
    EXPECT_EQ(pixels[12], 255.0);
}

TEST(Thumbnails, ThatTakeTooMuchAreLeftOutWithASentence) {
    const Points points = images(3, 6, 10.0F, 255.0F);
    JsonWriter json;
    const auto why = write_thumbnails(json, points.view(), {3, 2}, 50);
    EXPECT_EQ(json.json(), "null");
    ASSERT_TRUE(why);
    EXPECT_NE(why->find("3 images are left out"), std::string::npos);
    EXPECT_NE(why->find("50 bytes"), std::string::npos) << *why;
}

}  // namespace
}  // namespace isogon::thumbnails_test
