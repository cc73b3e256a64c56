#include "report/base64.hpp"

#include <gtest/gtest.h>

#include "support/report_data.hpp"

namespace isogon::base64_test {
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

TEST(Base64, OfAnyBytesInAnyPiecesComesBack) {
    std::string bytes;
    for (int value = 0; value < 256; ++value) {
        bytes += static_cast<char>(value);
        for (const std::size_t piece : {1U, 2U, 3U, 7U, 1000U}) {
            EXPECT_EQ(support::from_base64(encoded(bytes, piece)), bytes);
        }
    }
}

}  // namespace
}  // namespace isogon::base64_test
