#include "io/scalar_type.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "io/npy_bytes.hpp"

namespace isogon::scalar_type_test {
namespace {

TEST(ByteOrder, PutsTheBytesWhereTheOrderSays) {
    std::string bytes;
    store(bytes, std::uint32_t{0x01020304}, std::endian::big);
    store(bytes, std::uint32_t{0x01020304}, std::endian::little);
    EXPECT_EQ(bytes, "\x01\x02\x03\x04\x04\x03\x02\x01");
}

TEST(ByteOrder, LoadsWhatWasStoredAtAnyAlignment) {
    for (const auto order : {std::endian::big, std::endian::little}) {
        std::string bytes = "x";
        store(bytes, -1234.5678, order);
        store(bytes, std::int16_t{-2}, order);
        EXPECT_EQ(load<double>(bytes.data() + 1, order), -1234.5678);
        EXPECT_EQ(load<std::int16_t>(bytes.data() + 9, order), -2);
    }
}

using test::packed;

/// The definition in IEEE 754, with no cases but its own.
double half_by_definition(unsigned bits) {
    const double sign = (bits >> 15U) != 0 ? -1.0 : 1.0;
    const int exponent = static_cast<int>((bits >> 10U) & 31U);
    const double fraction = (bits & 1023U) / 1024.0;
    return sign * (exponent == 0 ? fraction * std::pow(2.0, -14) : (1.0 + fraction) * std::pow(2.0, exponent - 15));
}

TEST(ScalarType, EveryHalfIsWhatTheStandardSays) {
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const float value = half_to_float(static_cast<std::uint16_t>(bits));
        if (((bits >> 10U) & 31U) == 31U) {
            EXPECT_EQ(std::isnan(value), (bits & 1023U) != 0) << bits;
            EXPECT_EQ(std::isinf(value), (bits & 1023U) == 0) << bits;
        } else {
            ASSERT_EQ(static_cast<double>(value), half_by_definition(bits)) << bits;
        }
        if (!std::isnan(value)) {
            ASSERT_EQ(std::signbit(value), (bits >> 15U) != 0) << bits;
        }
    }
}

TEST(ScalarType, DoublesBeyondFloatAreFoundButInfinityAndNanPass) {
    const double inf = std::numeric_limits<double>::infinity();
    const std::string bytes = packed<double>({1.0, inf, -inf, std::nan(""), 3.5e38, 2.0});
    std::vector<float> out(6);
    EXPECT_EQ(to_floats(ScalarType::Float64, std::endian::little, bytes.data(), out), 4U);
    EXPECT_EQ(out[1], std::numeric_limits<float>::infinity());
    EXPECT_EQ(out[2], -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(out[3]));
    out.resize(4);
    EXPECT_EQ(to_floats(ScalarType::Float64, std::endian::little, bytes.data(), out), 4U);
}

TEST(ScalarType, ExtremesOfTheIntegersConvert) {
    std::vector<float> out(2);
    const std::string wide = packed<std::uint64_t>({0, std::numeric_limits<std::uint64_t>::max()});
    EXPECT_EQ(to_floats(ScalarType::UInt64, std::endian::little, wide.data(), out), 2U);
    EXPECT_EQ(out[1], 18446744073709551616.0F);
    const std::string bytes = packed<std::int8_t>({-128, 127});
    EXPECT_EQ(to_floats(ScalarType::Int8, std::endian::big, bytes.data(), out), 2U);
    EXPECT_EQ(out, (std::vector<float>{-128, 127}));
}

TEST(ScalarType, AnyByteThatIsNotZeroIsTrue) {
    std::vector<float> out(3);
    EXPECT_EQ(to_floats(ScalarType::Bool, std::endian::little, std::string("\0\x01\xff", 3).data(), out), 3U);
    EXPECT_EQ(out, (std::vector<float>{0, 1, 1}));
}

TEST(ScalarType, IntegersKeepAllTheirBitsAndTheirRangeIsWatched) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> out(2);
    const std::string good = packed<std::int64_t>({most, -most}, std::endian::big);
    EXPECT_EQ(to_integers(ScalarType::Int64, std::endian::big, good.data(), out), 2U);
    EXPECT_EQ(out, (std::vector<std::int64_t>{most, -most}));
    const std::string bad = packed<std::uint64_t>({7, std::uint64_t{most} + 1});
    EXPECT_EQ(to_integers(ScalarType::UInt64, std::endian::little, bad.data(), out), 1U);
    EXPECT_EQ(out[0], 7);
}

TEST(ScalarType, NamesEndInTheirBits) {
    for (int i = 1; i <= static_cast<int>(ScalarType::Float64); ++i) {
        const auto type = static_cast<ScalarType>(i);
        EXPECT_TRUE(name(type).ends_with(std::to_string(8 * size_of(type)))) << name(type);
        EXPECT_EQ(is_integer(type), name(type).find("int") != std::string_view::npos) << name(type);
    }
    EXPECT_TRUE(is_integer(ScalarType::Bool));
}

TEST(ScalarType, DoublesKeepWhatFloatsLose) {
    std::vector<double> out(2);
    to_doubles(ScalarType::Float64, std::endian::little, packed<double>({0.1, 1e300}).data(), out);
    EXPECT_EQ(out, (std::vector<double>{0.1, 1e300}));
    to_doubles(ScalarType::Int32, std::endian::big, packed<std::int32_t>({16777217, -1}, std::endian::big).data(), out);
    EXPECT_EQ(out, (std::vector<double>{16777217, -1}));
    to_doubles(ScalarType::Float16, std::endian::little, packed<std::uint16_t>({0x3c00, 0xc000}).data(), out);
    EXPECT_EQ(out, (std::vector<double>{1, -2}));
    to_doubles(ScalarType::Bool, std::endian::little, "\x07", std::span(out).first(1));
    EXPECT_EQ(out[0], 1);
}

}  // namespace
}  // namespace isogon::scalar_type_test
