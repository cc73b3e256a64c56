#include "io/word_header.hpp"

#include <charconv>
#include <limits>

namespace isogon {

namespace {

bool parse(std::string_view text, std::uint64_t& value) {
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    return parsed.ec == std::errc{} && parsed.ptr == end;
}

}  // namespace

std::optional<WordHeader> parse_word_header(std::string_view line) {
    line.remove_suffix(line.ends_with(' ') ? 1 : 0);
    const std::size_t space = line.find(' ');
    WordHeader header;
    if (space == std::string_view::npos || !parse(line.substr(0, space), header.words) ||
        !parse(line.substr(space + 1), header.dimension)) {
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

}  // namespace isogon
