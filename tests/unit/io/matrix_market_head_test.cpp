#include "io/matrix_market_head.hpp"

#include "unit/io/files.hpp"

namespace isogon::matrix_market_head_test {
namespace {

using namespace test;

MatrixMarketHead head_of(const std::string& bytes) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x.mtx", bytes));
    LineReader lines(stream);
    return read_matrix_market_head(lines);
}

TEST(MatrixMarketHead, SaysWhatFollows) {
    const auto head = head_of("%%MatrixMarket matrix coordinate real general\n% note\n\n  3\t4 2 \n1 1 1\n3 4 -2\n");
    EXPECT_TRUE(head.coordinate && !head.pattern && !head.symmetric);
    EXPECT_EQ(head.field, "real");
    EXPECT_EQ((std::vector<std::uint64_t>{head.rows, head.columns, head.entries}),
              (std::vector<std::uint64_t>{3, 4, 2}));
    const auto other = head_of("%%MatrixMarket MATRIX Array Integer SYMMETRIC\r\n3 3\r\n1\n2\n3\n4\n5\n6\n");
    EXPECT_TRUE(!other.coordinate && !other.pattern && other.symmetric);
    EXPECT_EQ(other.entries, 6U);
    EXPECT_TRUE(head_of("%%MatrixMarket matrix coordinate pattern general\n9 9 0\n").pattern);
}

TEST(MatrixMarketHead, WhatCannotBeReadIsNamed) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
        {"1 2 3\n", {"line 1", "%%MatrixMarket"}},
        {"%%MatrixMarket matrix coordinate real\n1 1 1\n", {"line 1"}},
        {"%%MatrixMarket vector coordinate real general\n", {"line 1", "vector"}},
        {"%%MatrixMarket matrix sheaf real general\n", {"sheaf"}},
        {"%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n", {"complex"}},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n1 1 0\n", {"skew-symmetric"}},
        {"%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", {"hermitian"}},
        {"%%MatrixMarket matrix array pattern general\n1 1\n", {"pattern"}},
        {"%%MatrixMarket matrix coordinate real general\n% no sizes\n", {"truncated"}},
        {"%%MatrixMarket matrix coordinate real general\n3 3\n", {"line 2", "3 3"}},
        {"%%MatrixMarket matrix coordinate real general\n3 3 -1\n", {"line 2", "-1"}},
        {"%%MatrixMarket matrix coordinate real general\n3 3 1 1\n", {"line 2"}},
        {"%%MatrixMarket matrix coordinate real general\n3 many 1\n", {"line 2", "many"}},
        {"%%MatrixMarket matrix coordinate real symmetric\n3 4 1\n1 1 1\n", {"line 2", "square"}},
        {"%%MatrixMarket matrix coordinate real general\n0 4 0\n", {"0 x 4"}},
    };
    for (const auto& [bytes, parts] : cases) {
        SCOPED_TRACE(bytes);
        expect_input_error([&, b = bytes] { head_of(b); }, parts);
    }
}

TEST(MatrixMarketHead, CountsThatLieTakeNoMemory) {
    const std::string start = "%%MatrixMarket matrix coordinate real general\n";
    expect_input_error([&] { head_of(start + "4000000000 4000000000 1\n1 1 1\n"); }, {"4000000000", "empty rows"});
    expect_input_error([&] { head_of(start + "10 10 100000000000\n1 1 1\n"); }, {"no room", "100000000000"});
    expect_input_error([&] { head_of(start + "400000 400000 100000000000\n1 1 1\n"); }, {"truncated or damaged"});
    expect_input_error([] { head_of("%%MatrixMarket matrix array real general\n4000000000 4000000000\n1\n"); },
                       {"truncated or damaged"});
    expect_input_error(
        [] { head_of("%%MatrixMarket matrix array real symmetric\n9223372036854775807 9223372036854775807\n1\n"); },
        {"9223372036854775807"});
}

TEST(MatrixMarketHead, IsToldByItsFirstBytes) {
    EXPECT_TRUE(is_matrix_market("%%MatrixMarket matrix"));
    EXPECT_FALSE(is_matrix_market("% MatrixMarket"));
}

TEST(MatrixMarketHead, WordsOfALine) {
    const LineWords<2> words("  one\ttwo  ");
    EXPECT_EQ(words.count, 2U);
    EXPECT_EQ(words.word[1], "two");
    EXPECT_EQ(LineWords<2>("a b c d").count, 3U);
    EXPECT_EQ(LineWords<2>("  ").count, 0U);
}

}  // namespace
}  // namespace isogon::matrix_market_head_test
