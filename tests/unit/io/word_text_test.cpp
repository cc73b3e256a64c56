#include <limits>

#include "io/word_vectors.hpp"
#include "unit/io/files.hpp"

namespace isogon::word_text_test {
namespace {

using namespace test;

Dataset read(const std::string& text) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x.vec", text));
    return read_word_text(stream);
}

TEST(WordText, ReadsEveryVariantAsTheSame) {
    for (const char* text :
         {"2 2\ncat 1 2\nd\xc3\xb6g 3 4\n", "cat 1 2\nd\xc3\xb6g 3 4", "2 2 \r\ncat 1 2 \r\nd\xc3\xb6g 3 4 \r\n\r\n"}) {
        const Dataset data = read(text);
        EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2, 3, 4})) << text;
        EXPECT_EQ(data.words, (std::vector<std::string>{"cat", "d\xc3\xb6g"})) << text;
        EXPECT_EQ(data.points.dimension, 2U);
    }
}

TEST(WordText, WordsMayBeAnyBytesButSpace) {
    const Dataset data = read("1.5 1 2\n\" 3 4\n,\t 5 6\n\xff\x01 7 8\n");
    EXPECT_EQ(data.words, (std::vector<std::string>{"1.5", "\"", ",\t", "\xff\x01"}));
    EXPECT_EQ(data.points.count, 4U);
}

TEST(WordText, FaultsAreNamedByLine) {
    expect_input_error([] { read("2 2\ncat 1 2\ndog 3\n"); }, {"x.vec, line 3"});
    expect_input_error([] { read("2 2\ncat 1 2\ndog 3 4 5\n"); }, {"x.vec, line 3", "more than 2"});
    expect_input_error([] { read("cat 1 2 3\ndog 33 44\n"); }, {"x.vec, line 2", "only 2 numbers", "line 1 has"});
    expect_input_error([] { read("2 2\ncat 1 2\ndog 3 x\n"); }, {"x.vec, line 3", "number 2", "\"x\""});
    expect_input_error([] { read("2 2\ncat 1  2\ndog 3 4\n"); }, {"x.vec, line 2"});
    expect_input_error([] { read("2 2\ncat 1 2\n 3 4 5\n"); }, {"x.vec, line 3", "begins with a space"});
    expect_input_error([] { read("cat 1 2\n\ndog 3 4\n"); }, {"x.vec, line 2", "blank"});
    expect_input_error([] { read("cat\n"); }, {"x.vec, line 1", "a word and its numbers"});
    expect_input_error([] { read("cat 1 1e39\n"); }, {"x.vec, line 1", "float32"});
}

TEST(WordText, TheHeadersCountMustBeRight) {
    expect_input_error([] { read("3 1\ncat 1\ndog 2\n"); }, {"x.vec, line 1", "3 words", "has 2"});
    expect_input_error([] { read("1 1\ncat 1\ndog 2\n"); }, {"x.vec, line 1", "1 words", "has 2"});
    expect_input_error([] { read("4000000000 4000000000\ncat 1\n"); }, {"x.vec, line 1", "more than the file"});
}

TEST(WordText, APackedPromiseTakesNoMemory) {
    // The file is believed to unpack to enough, but the line is too short for the numbers promised.
    const std::string packed = gzip("1 10000\ncat 1\n");
    expect_input_error([&] { read(packed); }, {"x.vec, line 2", "too short"});
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

}  // namespace
}  // namespace isogon::word_text_test
