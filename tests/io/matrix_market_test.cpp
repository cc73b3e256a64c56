#include "io/matrix_formats.hpp"

#include "io/files.hpp"

namespace isogon::matrix_market_test {
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

TEST(MatrixMarketHead, IsRecognisedByItsFirstBytes) {
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

CsrMatrix<double> read(const std::string& bytes) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x.mtx", bytes));
    return read_matrix_market(stream);
}

/// All numbers, row by row.
std::vector<double> dense(const CsrMatrix<double>& matrix) {
    validate(matrix);
    std::vector<double> all(std::size_t{matrix.rows} * matrix.columns);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Offset k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
            all[std::size_t{i} * matrix.columns + matrix.indices[k]] = matrix.values[k];
        }
    }
    return all;
}

using Numbers = std::vector<double>;

TEST(MatrixMarket, EveryVariantReadsAsItsMatrix) {
    const std::string matrix = "%%MatrixMarket matrix ";
    EXPECT_EQ(dense(read(matrix + "coordinate real general\n2 3 3\n2 3 -1.5e1\n1 1 0.1\n1 3 0\n")),
              (Numbers{0.1, 0, 0, 0, 0, -15}));
    EXPECT_EQ(dense(read(matrix + "coordinate integer general\n2 2 1\n\n% here too\n 1 2  7 \n\n")),
              (Numbers{0, 7, 0, 0}));
    EXPECT_EQ(dense(read(matrix + "coordinate pattern general\n2 2 2\n1 2\n2 1")), (Numbers{0, 1, 1, 0}));
    EXPECT_EQ(dense(read(matrix + "coordinate real symmetric\n2 2 2\n1 1 5\n2 1 3\n")), (Numbers{5, 3, 3, 0}));
    EXPECT_EQ(dense(read(matrix + "coordinate pattern symmetric\r\n2 2 1\r\n1 2\r\n")), (Numbers{0, 1, 1, 0}));
    EXPECT_EQ(dense(read(matrix + "array real general\n2 3\n1\n2\n0\n4\n5\n6\n")), (Numbers{1, 0, 5, 2, 4, 6}));
    EXPECT_EQ(dense(read(matrix + "array real symmetric\n3 3\n1\n2\n3\n4\n0\n6\n")),
              (Numbers{1, 2, 3, 2, 4, 0, 3, 0, 6}));
    EXPECT_EQ(dense(read(matrix + "coordinate real general\n2 2 0\n")), (Numbers{0, 0, 0, 0}));
    EXPECT_EQ(dense(read(gzip(matrix + "coordinate real general\n1 2 1\n1 2 3\n"))), (Numbers{0, 3}));
}

TEST(MatrixMarket, BadLinesAreNamed) {
    const std::string start = "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1\n";
    const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
        {"0 1 1\n", {"line 4", "row 0", "from 1 to 2"}},
        {"3 1 1\n", {"line 4", "row 3"}},
        {"1 4 1\n", {"line 4", "column 4", "to 3"}},
        {"1 -4 1\n", {"line 4", "column -4"}},
        {"one 1 1\n", {"line 4", "row \"one\""}},
        {"1 2\n", {"line 4", "a row, a column and a value", "1 2"}},
        {"1 2 3 4\n", {"line 4"}},
        {"1 2 x\n", {"line 4", "\"x\""}},
        {"1 2 1e999\n", {"line 4", "float64"}},
        {"% a comment\n1 2 nan\n", {"line 5", "NaN"}},
        {"1 2 -inf\n", {"line 4", "infinite"}},
        {"\n1 1 2\n", {"line 5", "row 1, column 1", "line 3"}},
        {"", {"promises 2", "there are 1"}},
        {"2 2 2\n2 3 3\n", {"line 5", "more than the 2"}},
    };
    for (const auto& [bytes, parts] : cases) {
        SCOPED_TRACE(bytes);
        auto all = parts;
        all.emplace_back("x.mtx");
        expect_input_error([&, b = bytes] { read(start + b); }, all);
    }
    expect_input_error([] { read("%%MatrixMarket matrix array real general\n1 2\n1\n2 3\n"); },
                       {"line 4", "one number"});
    expect_input_error([] { read("%%MatrixMarket matrix array real general\n1 3\n0\n0\nnan\n"); }, {"line 5", "NaN"});
    expect_input_error([] { read("%%MatrixMarket matrix coordinate pattern general\n1 2 1\n1 2 1\n"); },
                       {"line 3", "a row and a column"});
}

TEST(MatrixMarket, EveryTruncationIsRefusedButAtTheVeryEnd) {
    const std::string bytes = "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 10\n2 3 5\n";
    for (std::size_t size = 1; size + 1 < bytes.size(); ++size) {
        expect_input_error([&] { read(bytes.substr(0, size)); }, {"x.mtx"});
    }
    EXPECT_EQ(dense(read(bytes.substr(0, bytes.size() - 1))), dense(read(bytes)));
}

TEST(MatrixMarket, FlippedBytesAreRefusedOrAMatrix) {
    const TemporaryFolder folder(memory_folder());
    const std::string bytes = "%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n2 1 1.5\n3 3 2\n4 2 5\n";
    for (const int mask : {0x01, 0x10, 0xff}) {
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            std::string bad = bytes;
            bad[at] = static_cast<char>(bad[at] ^ mask);
            try {
                ByteStream stream(folder.file("x.mtx", bad));
                const CsrMatrix<double> matrix = read_matrix_market(stream);
                validate(matrix);
                EXPECT_LE(matrix.entries(), 6U);
            } catch (const InputError& error) {
                expect_holds(error.what(), {"x.mtx"});
            }
        }
    }
}

}  // namespace
}  // namespace isogon::matrix_market_test
