#include "io/point_formats.hpp"

#include <limits>

#include "io/files.hpp"
#include "io/npy_bytes.hpp"

namespace isogon::word_vectors_test {
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

Dataset read_text(const std::string& text) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x.vec", text));
    return read_word_text(stream);
}

TEST(WordText, ReadsEveryVariantAsTheSame) {
    for (const char* text :
         {"2 2\ncat 1 2\nd\xc3\xb6g 3 4\n", "cat 1 2\nd\xc3\xb6g 3 4", "2 2 \r\ncat 1 2 \r\nd\xc3\xb6g 3 4 \r\n\r\n"}) {
        const Dataset data = read_text(text);
        EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2, 3, 4})) << text;
        EXPECT_EQ(data.words, (std::vector<std::string>{"cat", "d\xc3\xb6g"})) << text;
        EXPECT_EQ(data.points.dimension, 2U);
    }
}

TEST(WordText, WordsMayBeAnyBytesButSpace) {
    const Dataset data = read_text("1.5 1 2\n\" 3 4\n,\t 5 6\n\xff\x01 7 8\n");
    EXPECT_EQ(data.words, (std::vector<std::string>{"1.5", "\"", ",\t", "\xff\x01"}));
    EXPECT_EQ(data.points.count, 4U);
}

TEST(WordText, FaultsAreNamedByLine) {
    expect_input_error([] { read_text("2 2\ncat 1 2\ndog 3\n"); }, {"x.vec, line 3"});
    expect_input_error([] { read_text("2 2\ncat 1 2\ndog 3 4 5\n"); }, {"x.vec, line 3", "more than 2"});
    expect_input_error([] { read_text("cat 1 2 3\ndog 33 44\n"); }, {"x.vec, line 2", "only 2 numbers", "line 1 has"});
    expect_input_error([] { read_text("2 2\ncat 1 2\ndog 3 x\n"); }, {"x.vec, line 3", "number 2", "\"x\""});
    expect_input_error([] { read_text("2 2\ncat 1  2\ndog 3 4\n"); }, {"x.vec, line 2"});
    expect_input_error([] { read_text("2 2\ncat 1 2\n 3 4 5\n"); }, {"x.vec, line 3", "begins with a space"});
    expect_input_error([] { read_text("cat 1 2\n\ndog 3 4\n"); }, {"x.vec, line 2", "blank"});
    expect_input_error([] { read_text("cat\n"); }, {"x.vec, line 1", "a word and its numbers"});
    expect_input_error([] { read_text("cat 1 1e39\n"); }, {"x.vec, line 1", "float32"});
}

TEST(WordText, TheHeadersCountMustBeRight) {
    expect_input_error([] { read_text("3 1\ncat 1\ndog 2\n"); }, {"x.vec, line 1", "3 words", "has 2"});
    expect_input_error([] { read_text("1 1\ncat 1\ndog 2\n"); }, {"x.vec, line 1", "1 words", "has 2"});
    expect_input_error([] { read_text("4000000000 4000000000\ncat 1\n"); }, {"x.vec, line 1", "more than the file"});
}

TEST(WordText, APackedPromiseTakesNoMemory) {
    // The file is believed to unpack to enough, but the line is too short for the numbers promised.
    const std::string packed = gzip("1 10000\ncat 1\n");
    expect_input_error([&] { read_text(packed); }, {"x.vec, line 2", "too short"});
}

TEST(WordText, DescriptionsAgreeWithTheData) {
    const TemporaryFolder folder;
    for (const bool header : {true, false}) {
        ByteStream stream(folder.file("x.vec", std::string(header ? "2 3\n" : "") + "a 1 2 3\nb 4 5 6\n"));
        const FileInfo info = describe_word_text(stream);
        EXPECT_EQ(info.shape, (std::vector<std::uint64_t>{2, 3}));
        EXPECT_EQ(info.has_header, header);
        EXPECT_TRUE(info.has_words);
    }
}

Dataset read_binary(const std::string& bytes) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x.bin", bytes));
    return read_word_binary(stream);
}

std::string whole(const std::string& end = "\n") {
    return "2 2\ncat " + packed<float>({1, 2}) + end + "d\xc3\xb6g " + packed<float>({3, 4}) + end;
}

TEST(WordBinary, ReadsWithAndWithoutLineEndsPlainAndPacked) {
    for (const std::string& bytes : {whole(), whole(""), gzip(whole())}) {
        const Dataset data = read_binary(bytes);
        EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2, 3, 4}));
        EXPECT_EQ(data.words, (std::vector<std::string>{"cat", "d\xc3\xb6g"}));
    }
}

TEST(WordBinary, FaultsAreNamedByPlace) {
    expect_input_error([] { read_binary("cat 1 2\n"); }, {"x.bin, line 1", "number of words", "cat"});
    expect_input_error([] { read_binary(std::string(100, 'x')); }, {"x.bin, byte 0", "no end within"});
    expect_input_error([] { read_binary("4000000000 300\nx"); }, {"x.bin, line 1", "more than the file holds"});
    expect_input_error([] { read_binary("1 1\n " + packed<float>({1}) + "x"); }, {"x.bin, byte 4", "word 0 is empty"});
    expect_input_error([] { read_binary(whole() + "x"); }, {"x.bin", "more bytes follow"});
    expect_input_error([] { read_binary("1 1\n" + std::string(70000, 'x')); }, {"x.bin, byte 4", "word 0", "65536"});
}

TEST(WordBinary, IsDescribedByItsFirstLine) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x.bin", whole()));
    const FileInfo info = describe_word_binary(stream);
    EXPECT_EQ(info.shape, (std::vector<std::uint64_t>{2, 2}));
    EXPECT_EQ(info.scalar, "float32");
    EXPECT_TRUE(info.has_words);
}

}  // namespace
}  // namespace isogon::word_vectors_test
