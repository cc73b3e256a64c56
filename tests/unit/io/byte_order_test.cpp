#include "io/byte_order.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace isogon::byte_order_test {
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

}  // namespace
}  // namespace isogon::byte_order_test
