#include "io/byte_order.hpp"
#include "io/growing_points.hpp"
#include "io/number_text.hpp"
#include "io/scalar_type.hpp"
#include "io/word_header.hpp"
#include "io/word_vectors.hpp"

namespace isogon {

namespace {

// Room for two numbers of 64 bits.
constexpr std::size_t most_header_bytes = 64;
// The longest words of the published sets, names joined by underscores, are some hundred bytes.
constexpr std::size_t most_word_bytes = std::size_t{64} * 1024;

/// The bytes before the next `end`, which is stepped over too. Throws InputError when it is not within `most` bytes.
std::string take_until(ByteStream& stream, char end, std::size_t most, const std::string& what) {
    const std::string_view shown = stream.peek(most + 1).substr(0, most + 1);
    const std::size_t at = shown.find(end);
    if (at == std::string_view::npos) {
        stream.fail("byte " + std::to_string(stream.position()),
                    what + (shown.size() <= most ? " has no end: the file is truncated"
                                                 : " has no end within " + std::to_string(most) + " bytes"));
    }
    std::string taken(shown.substr(0, at));
    stream.skip(at + 1);
    return taken;
}

WordHeader read_header(ByteStream& stream) {
    std::string line = take_until(stream, '\n', most_header_bytes, "the first line");
    if (line.ends_with('\r')) {
        line.pop_back();
    }
    const auto header = parse_word_header(line);
    if (!header) {
        stream.fail("line 1", "must be the number of words and the dimension, but is " + in_quotes(line));
    }
    check_word_header(stream, *header, sizeof(float), 2);
    return *header;
}

void skip_line_end(ByteStream& stream) {
    if (stream.peek(1).starts_with('\n')) {
        stream.skip(1);
    }
}

std::string read_word(ByteStream& stream, std::uint64_t number) {
    skip_line_end(stream);
    const std::string what = "word " + std::to_string(number);
    std::string word = take_until(stream, ' ', most_word_bytes, what);
    if (word.empty()) {
        stream.fail("byte " + std::to_string(stream.position() - 1), what + " is empty");
    }
    return word;
}

}  // namespace

Dataset read_word_binary(ByteStream& stream) {
    const WordHeader header = read_header(stream);
    GrowingPoints points(stream, header.words * header.dimension);
    std::vector<char> bytes;
    std::vector<std::string> words;
    for (std::uint64_t i = 0; i < header.words; ++i) {
        words.push_back(read_word(stream, i));
        stream.read(bytes, header.dimension * sizeof(float), "the numbers of word " + std::to_string(i));
        static_cast<void>(
            to_floats(ScalarType::Float32, std::endian::little, bytes.data(), points.extend(header.dimension)));
    }
    skip_line_end(stream);
    stream.require_end();
    Dataset dataset = std::move(points).finish(static_cast<Index>(header.dimension));
    dataset.words = std::move(words);
    return dataset;
}

FileInfo describe_word_binary(ByteStream& stream) {
    const WordHeader header = read_header(stream);
    FileInfo info;
    info.format = Format::WordBinary;
    info.scalar = "float32";
    info.shape = {header.words, header.dimension};
    info.has_words = true;
    info.has_header = true;
    return info;
}

}  // namespace isogon
