#include <optional>

#include "io/growing_points.hpp"
#include "io/line_reader.hpp"
#include "io/number_text.hpp"
#include "io/word_header.hpp"
#include "io/word_vectors.hpp"

namespace isogon {

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

    Dataset read() {
        GrowingPoints points(lines_.stream(), header_ ? header_->words * header_->dimension : 0);
        std::size_t dimension = header_ ? header_->dimension : count_numbers(line_);
        std::vector<std::string> words;
        bool more = header_ ? lines_.next(line_) : true;
        while (more && !line_.empty()) {
            require_countable(lines_.stream(), words.size() + 1);
            words.emplace_back(take_word());
            require_room(dimension);
            read_numbers(points.extend(dimension));
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

    /// Before memory is taken: `count` numbers of a byte each, with spaces between, must fit into the line.
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
    return WordTextReader(stream).read();
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
        const PointsView points = reader.read().points;
        info.shape = {points.count, points.dimension};
    }
    return info;
}

}  // namespace isogon
