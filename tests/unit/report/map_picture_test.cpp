#include "isogon/report/chart.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "isogon/core/error.hpp"

namespace isogon::map_picture_test {
namespace {

ChartMap example() {
    ChartMap map{"four points", Points(4, 2), {{"a", "b"}, {0, 1, 1, 0}}};
    const float places[][2] = {{0, 0}, {10, 0}, {10, 5}, {0, 5}};
    for (Index i = 0; i < 4; ++i) {
        map.coordinates[i][0] = places[i][0];
        map.coordinates[i][1] = places[i][1];
    }
    return map;
}

TEST(MapPicture, EveryPointIsADotOfItsClass) {
    const std::string svg = map_picture(example());
    // 420 across for 10, the same scale up, about the middle: y = 40 + 210 -+ 105.
    EXPECT_NE(svg.find("stroke='#4e79a7' d='M16.0,355.0h0M16.0,145.0h0'"), std::string::npos) << svg;
    EXPECT_NE(svg.find("stroke='#f28e2b' d='M436.0,355.0h0M436.0,145.0h0'"), std::string::npos);
    EXPECT_NE(svg.find("<title>four points</title>"), std::string::npos);
    EXPECT_NE(svg.find(">a</text>"), std::string::npos);
}

TEST(MapPicture, AwkwardMapsAreDrawn) {
    EXPECT_NE(map_picture({}).find("</svg>"), std::string::npos);
    ChartMap one = example();
    one.coordinates = Points(1, 2);
    one.labels = {};
    one.title = "<script>";
    const std::string svg = map_picture(one);
    EXPECT_NE(svg.find("M226.0,250.0h0"), std::string::npos);
    EXPECT_EQ(svg.find("<script"), std::string::npos);
}

TEST(MapPicture, FarPointsDoNotShrinkTheRest) {
    ChartMap map{"", Points(1000, 2), {}};
    for (Index i = 0; i < 1000; ++i) {
        map.coordinates[i][0] = static_cast<float>(i % 10);
        map.coordinates[i][1] = static_cast<float>(i / 100);
    }
    map.coordinates[0][0] = 1e6F;
    const std::string svg = map_picture(map);
    EXPECT_NE(svg.find("M436.0,"), std::string::npos);  // 9 is the right end
}

TEST(MapPicture, RefusesWhatIsNoMap) {
    const auto refuses = [](auto change) {
        ChartMap map = example();
        change(map);
        EXPECT_THROW(static_cast<void>(map_picture(map)), InvalidArgument);
    };
    refuses([](ChartMap& map) { map.coordinates = Points(4, 3); });
    refuses([](ChartMap& map) { map.labels.index.pop_back(); });
    refuses([](ChartMap& map) { map.labels.index[2] = 2; });
    ChartMap bad = example();
    bad.coordinates[1][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(static_cast<void>(map_picture(bad)), InputError);
}

}  // namespace
}  // namespace isogon::map_picture_test
