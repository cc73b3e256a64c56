#include "report/packed_array.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/point_sets.hpp"
#include "support/report_data.hpp"

namespace isogon::packed_array_test {

namespace {

std::string encoded(std::string_view bytes, std::size_t piece = 1000) {
    std::string text;
    Base64 base64(text);
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        base64.write(bytes.substr(at, piece));
    }
    base64.finish();
    return text;
}

TEST(Base64, OfTheStandardsOwnExamples) {
    // RFC 4648, section 10.
    EXPECT_EQ(encoded(""), "");
    EXPECT_EQ(encoded("f"), "Zg==");
    EXPECT_EQ(encoded("fo"), "Zm8=");
    EXPECT_EQ(encoded("foo"), "Zm9v");
    EXPECT_EQ(encoded("foob"), "Zm9vYg==");
    EXPECT_EQ(encoded("fooba"), "Zm9vYmE=");
    EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(Base64, OfAnyBytesInAnyPiecesRoundTrips) {
    std::string bytes;
    for (int value = 0; value < 256; ++value) {
        bytes += static_cast<char>(value);
        for (const std::size_t piece : {1U, 2U, 3U, 7U, 1000U}) {
            EXPECT_EQ(support::from_base64(encoded(bytes, piece)), bytes);
        }
    }
}

using support::Json;

template <class Write>
Json written(Write write) {
    JsonWriter json;
    write(json);
    return Json::parse(json.json());
}

TEST(PackedArray, OfEveryTypeRoundTrips) {
    const std::vector<std::uint8_t> bytes{0, 1, 127, 128, 255, 7};
    const Json small = written([&](JsonWriter& json) { write_array(json, bytes, {2, 3}); });
    EXPECT_EQ(small["type"], "uint8");
    EXPECT_EQ(small["shape"], Json::parse("[2,3]"));
    EXPECT_EQ(support::stored_numbers(small), (std::vector<double>{0, 1, 127, 128, 255, 7}));

    const std::vector<std::uint32_t> large{0, 65536, 4294967295};
    EXPECT_EQ(support::stored_numbers(written([&](JsonWriter& json) { write_array(json, large, {3}); })),
              (std::vector<double>{0, 65536, 4294967295}));

    const std::vector<float> reals{0.0F, -1.5F, std::numeric_limits<float>::max(), 1e-40F};
    EXPECT_EQ(support::stored_numbers(written([&](JsonWriter& json) { write_array(json, reals, {4}); })),
              (std::vector<double>(reals.begin(), reals.end())));
}

TEST(PackedArray, NumbersAreScaledBack) {
    const std::vector<std::uint16_t> codes{0, 100, 65535};
    const Json array = written([&](JsonWriter& json) { write_array(json, codes, {3}, Scaling{0.5, -10.0}); });
    EXPECT_EQ(support::numbers(array), (std::vector<double>{-10.0, 40.0, 32757.5}));
}

TEST(PackedArray, SmallNumbersTakeTheSmallestTypeThatHoldsThem) {
    const std::vector<std::uint32_t> values{0, 2, 1};
    const auto type_of = [&](std::uint64_t count) {
        const Json array = written([&](JsonWriter& json) { write_small_array(json, values, count); });
        EXPECT_EQ(support::stored_numbers(array), (std::vector<double>{0, 2, 1}));
        return array["type"].get<std::string>();
    };
    EXPECT_EQ(type_of(3), "uint8");
    EXPECT_EQ(type_of(255), "uint8");
    EXPECT_EQ(type_of(256), "uint16");
    EXPECT_EQ(type_of(65535), "uint16");
    EXPECT_EQ(type_of(65536), "uint32");
}

TEST(PackedArray, RowsComeOneByOne) {
    const Json array = written([](JsonWriter& json) {
        write_rows(json, {50000, 2}, [](std::size_t i, std::span<std::uint8_t> row) {
            row[0] = static_cast<std::uint8_t>(i % 256);
            row[1] = 9;
        });
    });
    const auto values = support::stored_numbers(array);
    ASSERT_EQ(values.size(), 100000U);
    for (std::size_t i = 0; i < 50000; i += 777) {
        EXPECT_EQ(values[2 * i], static_cast<double>(i % 256));
        EXPECT_EQ(values[2 * i + 1], 9.0);
    }
}

TEST(PackedArray, CoordinatesAreExactEnoughForAPicture) {
    Points points = reference::random_points(300, 3, 1);
    for (Index i = 0; i < 300; ++i) {
        points[i][1] = 1e30F * points[i][1];
        points[i][2] = 4.0F;  // a column of one value
    }
    const auto values = support::numbers(written([&](JsonWriter& json) { write_coordinates(json, points.view()); }));
    for (Index k = 0; k < 3; ++k) {
        double low = points[0][k];
        double high = low;
        for (Index i = 0; i < 300; ++i) {
            low = std::min(low, double{points[i][k]});
            high = std::max(high, double{points[i][k]});
        }
        for (Index i = 0; i < 300; ++i) {
            EXPECT_NEAR(values[3 * i + k], points[i][k], (high - low) / 131000.0);
        }
    }
}

TEST(PackedArray, CoordinatesBesideOutliersAreExact) {
    Points points = reference::random_points(300, 2, 1);
    points[7][1] = 1e6F;
    const auto json = written([&](JsonWriter& writer) { write_coordinates(writer, points.view()); });
    EXPECT_EQ(json["type"], "float32");
    const auto values = support::numbers(json);
    for (Index i = 0; i < 300; ++i) {
        EXPECT_EQ(values[2 * i + 1], points[i][1]);
    }
    for (Index i = 0; i < 12; ++i) {
        points[i][1] = 1e6F;  // one in 25 is no outlier
    }
    EXPECT_EQ(written([&](JsonWriter& writer) { write_coordinates(writer, points.view()); })["type"], "uint16");
}

TEST(PackedArray, CoordinatesOfAViewWithAStride) {
    const Points points = reference::random_points(40, 5, 2);
    const PointsView two(points.values().data(), 40, 2, 5);
    const auto values = support::numbers(written([&](JsonWriter& json) { write_coordinates(json, two); }));
    ASSERT_EQ(values.size(), 80U);
    EXPECT_NEAR(values[2 * 7 + 1], points[7][1], 1e-3);
}

TEST(AngleCode, IsHundredthsOfADegree) {
    EXPECT_EQ(angle_code(0.0), 0);
    EXPECT_EQ(angle_code(12.345), 1235);
    EXPECT_EQ(angle_code(180.0), 18000);
    EXPECT_EQ(angle_code(180.0001), 18000);
    EXPECT_EQ(angle_code(-1.0), no_number);
}

}  // namespace

}  // namespace isogon::packed_array_test
