#include "io/point_formats.hpp"

#include <limits>
#include <optional>

#include "io/array_reader.hpp"
#include "io/scalar_type.hpp"
#include "io/text_file.hpp"

namespace isogon {

std::optional<WordHeader> parse_word_header(std::string_view line) {
    line.remove_suffix(line.ends_with(' ') ? 1 : 0);
    const std::size_t space = line.find(' ');
    WordHeader header;
    if (space == std::string_view::npos || parse_all(line.substr(0, space), header.words) != std::errc{} ||
        parse_all(line.substr(space + 1), header.dimension) != std::errc{}) {
        return std::nullopt;
    }
    return header;
}

void check_word_header(const ByteStream& stream, const WordHeader& header, std::uint64_t bytes_per_number,
                       std::uint64_t bytes_per_word) {
    constexpr std::uint64_t limit = std::numeric_limits<Index>::max();
    const std::string promise =
        std::to_string(header.words) + " words of " + std::to_string(header.dimension) + " numbers";
    if (header.words == 0 || header.dimension == 0) {
        stream.fail("line 1", "promises " + promise + "; both must be positive");
    }
    if (header.words > limit || header.dimension > limit) {
        stream.fail("line 1", "promises " + promise + "; at most " + std::to_string(limit) + " of each can be held");
    }
    // No overflow: the dimension is below 2^32, and the bytes are a handful.
    const std::uint64_t each = header.dimension * bytes_per_number + bytes_per_word;
    if (header.words > stream.most_bytes_left() / each) {
        stream.fail("line 1", "promises " + promise + ", at least " + std::to_string(each) +
                                  " bytes a word, which is more than the file holds: it is truncated or damaged");
    }
}

namespace {

// "a 1": the least a word and a number can be. The last line needs no end.
constexpr std::uint64_t least_number_bytes = 2;

class WordTextReader {
public:
    explicit WordTextReader(ByteStream& stream) : lines_(stream) {
        if (!lines_.next(line_)) {
            stream.fail("", "holds no words");
        }
        header_ = parse_word_header(line_);
        if (header_) {
            check_word_header(stream, *header_, least_number_bytes, 1);
        }
    }

    [[nodiscard]] const std::optional<WordHeader>& header() const { return header_; }

    /// `points`: where the numbers go, which may be nowhere.
    Dataset read(GrowingPoints points) {
        std::size_t dimension = header_ ? header_->dimension : count_numbers(line_);
        std::vector<std::string> words;
        bool more = header_ ? lines_.next(line_) : true;
        while (more && !line_.empty()) {
            require_countable(lines_.stream(), words.size() + 1);
            words.emplace_back(take_word());
            require_room(dimension);
            read_numbers(points.extend(dimension));
            lines_.stream().require_memory(2 * words.size() * sizeof(std::string));
            more = lines_.next(line_);
        }
        require_end(more, words.size());
        Dataset dataset = std::move(points).finish(static_cast<Index>(dimension));
        dataset.words = std::move(words);
        return dataset;
    }

private:
    std::size_t count_numbers(std::string_view line) {
        line.remove_suffix(line.ends_with(' ') ? 1 : 0);
        std::size_t spaces = 0;
        for (const char c : line) {
            spaces += c == ' ' ? 1 : 0;
        }
        if (spaces == 0) {
            lines_.fail("a word and its numbers belong here, with a space between");
        }
        return spaces;
    }

    /// The word before the first space; line_ keeps what follows that space.
    std::string_view take_word() {
        const std::size_t space = line_.find(' ');
        if (space == 0 || space == std::string_view::npos) {
            lines_.fail(space == 0 ? "the line begins with a space where a word belongs"
                                   : "a word and its numbers belong here, with a space between");
        }
        const std::string_view word = line_.substr(0, space);
        line_.remove_prefix(space + 1);
        line_.remove_suffix(line_.ends_with(' ') ? 1 : 0);
        return word;
    }

    /// Checks before memory is allocated that `count` numbers of a byte each, with spaces between, fit into the line.
    void require_room(std::size_t count) {
        if (line_.size() + 1 < least_number_bytes * count) {
            lines_.fail("is too short for " + std::to_string(count) + " numbers, as " +
                        (header_ ? "line 1 says" : "line 1 has"));
        }
    }

    void read_numbers(std::span<float> out) {
        for (std::size_t j = 0; j < out.size(); ++j) {
            const bool last = j + 1 == out.size();
            const std::size_t space = line_.find(' ');
            if (last != (space == std::string_view::npos)) {
                lines_.fail((last ? "has more than " : "has only " + std::to_string(j + 1) + " numbers, not ") +
                            std::to_string(out.size()) + (last ? " numbers" : "") + ", as " +
                            (header_ ? "line 1 says" : "line 1 has"));
            }
            const std::string_view text = line_.substr(0, space);
            const NumberFault fault = parse_float(text, out[j]);
            if (fault != NumberFault::None) {
                lines_.fail("number " + std::to_string(j + 1) + ": " + number_trouble(fault, text));
            }
            line_.remove_prefix(last ? line_.size() : space + 1);
        }
    }

    /// Only blank lines may follow the words, and the header's count must be right.
    void require_end(bool more, std::size_t words) {
        const std::uint64_t blank = lines_.number();
        while (more) {
            if (!line_.empty()) {
                lines_.stream().fail("line " + std::to_string(blank), "is blank, but more lines follow");
            }
            more = lines_.next(line_);
        }
        if (header_ && words != header_->words) {
            lines_.stream().fail("line 1", "promises " + std::to_string(header_->words) + " words, but the file has " +
                                               std::to_string(words));
        }
    }

    LineReader lines_;
    std::string_view line_;
    std::optional<WordHeader> header_;
};

}  // namespace

Dataset read_word_text(ByteStream& stream) {
    WordTextReader reader(stream);
    const auto& header = reader.header();
    return reader.read(GrowingPoints(stream, header ? header->words * header->dimension : 0));
}

FileInfo describe_word_text(ByteStream& stream) {
    WordTextReader reader(stream);
    FileInfo info;
    info.format = Format::WordText;
    info.scalar = "text";
    info.has_words = true;
    info.has_header = reader.header().has_value();
    if (info.has_header) {
        info.shape = {reader.header()->words, reader.header()->dimension};
    } else {
        const PointsView points = reader.read(GrowingPoints(GrowingPoints::Count())).points;
        info.shape = {points.count, points.dimension};
    }
    return info;
}

namespace {

// Enough for two numbers of 64 bits.
constexpr std::size_t most_first_line_bytes = 64;
// The longest words of the published sets, names joined by underscores, are some hundred bytes.
constexpr std::size_t most_word_bytes = std::size_t{64} * 1024;

/// The bytes before the next `end`; skips them and `end`. Throws InputError if `end` is not within `most` bytes.
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
    std::string line = take_until(stream, '\n', most_first_line_bytes, "the first line");
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
