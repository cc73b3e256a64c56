#include "report/packed_text.hpp"

#include <gtest/gtest.h>

#include "isogon/core/random.hpp"
#include "support/report_data.hpp"

namespace isogon::packed_text_test {
namespace {

std::string packed(std::string_view bytes, std::size_t piece) {
    std::string text = "before ";
    PackedText pack(text);
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        pack.write(bytes.substr(at, piece));
    }
    pack.finish();
    EXPECT_TRUE(text.starts_with("before "));
    return text.substr(7);
}

std::string random_bytes(std::size_t count) {
    Random random(1, RandomStream::Test, 0);
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i) {
        bytes += static_cast<char>(random.below(256));
    }
    return bytes;
}

TEST(PackedText, ComesBack) {
    for (const std::string& bytes : {std::string(), std::string("a"), std::string(200000, 'b'), random_bytes(300000)}) {
        EXPECT_EQ(support::unpacked(support::from_base64(packed(bytes, 65536))), bytes);
    }
}

}  // namespace
}  // namespace isogon::packed_text_test
