#include "io/word_header.hpp"

#include "unit/io/files.hpp"

namespace isogon::word_header_test {
namespace {

using namespace test;

TEST(WordHeader, IsTwoWholeNumbersAndNothingElse) {
    const auto header = parse_word_header("8000 300");
    ASSERT_TRUE(header);
    EXPECT_EQ(header->words, 8000U);
    EXPECT_EQ(header->dimension, 300U);
    EXPECT_TRUE(parse_word_header("1 2 "));
    for (const char* line :
         {"", "1", "1 ", "1  2", "1 2 3", "a 2", "1 -2", "1 2.0", " 1 2", "1 2  ", "99999999999999999999 2"}) {
        EXPECT_FALSE(parse_word_header(line)) << line;
    }
}

TEST(WordHeader, PromisesAreHeldAgainstTheFile) {
    const TemporaryFolder folder;
    const ByteStream stream(folder.file("x", std::string(100, 'x')));
    const auto refused = [&](std::uint64_t words, std::uint64_t dimension, const std::string& why) {
        expect_input_error([&] { check_word_header(stream, {words, dimension}, 4, 2); }, {"x, line 1", why});
    };
    EXPECT_NO_THROW(check_word_header(stream, {10, 2}, 4, 2));
    refused(11, 2, "more than the file holds");
    refused(0, 2, "positive");
    refused(2, 0, "positive");
    refused(1ULL << 32U, 1, "at most 4294967295");
    refused(1, 1ULL << 32U, "at most 4294967295");
    refused(4294967295U, 4294967295U, "more than the file holds");
}

}  // namespace
}  // namespace isogon::word_header_test
