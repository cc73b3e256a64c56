#include "io/word_vectors.hpp"
#include "unit/io/files.hpp"
#include "unit/io/npy_bytes.hpp"

namespace isogon::word_binary_test {
namespace {

using namespace test;

Dataset read(const std::string& bytes) {
    const TemporaryFolder folder;
    ByteStream stream(folder.file("x.bin", bytes));
    return read_word_binary(stream);
}

std::string whole(const std::string& end = "\n") {
    return "2 2\ncat " + packed<float>({1, 2}) + end + "d\xc3\xb6g " + packed<float>({3, 4}) + end;
}

TEST(WordBinary, ReadsWithAndWithoutLineEndsPlainAndPacked) {
    for (const std::string& bytes : {whole(), whole(""), gzip(whole())}) {
        const Dataset data = read(bytes);
        EXPECT_EQ(flat(data.points), (std::vector<float>{1, 2, 3, 4}));
        EXPECT_EQ(data.words, (std::vector<std::string>{"cat", "d\xc3\xb6g"}));
    }
}

TEST(WordBinary, EveryTruncationIsFound) {
    const std::string bytes = whole("");
    for (std::size_t size = 1; size < bytes.size(); ++size) {
        expect_input_error([&] { read(bytes.substr(0, size)); }, {"x.bin"});
        expect_input_error([&] { read(gzip(bytes.substr(0, size))); }, {"x.bin"});
    }
}

TEST(WordBinary, FaultsAreNamedByPlace) {
    expect_input_error([] { read("cat 1 2\n"); }, {"x.bin, line 1", "number of words", "cat"});
    expect_input_error([] { read(std::string(100, 'x')); }, {"x.bin, byte 0", "no end within"});
    expect_input_error([] { read("4000000000 300\nx"); }, {"x.bin, line 1", "more than the file holds"});
    expect_input_error([] { read("1 1\n " + packed<float>({1}) + "x"); }, {"x.bin, byte 4", "word 0 is empty"});
    expect_input_error([] { read(whole() + "x"); }, {"x.bin", "more bytes follow"});
    expect_input_error([] { read("1 1\n" + std::string(70000, 'x')); }, {"x.bin, byte 4", "word 0", "65536"});
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
}  // namespace isogon::word_binary_test
