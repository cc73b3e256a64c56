#include "io/line_reader.hpp"

namespace isogon {

namespace {
constexpr std::size_t most_line_bytes = std::size_t{64} * 1024 * 1024;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
}  // namespace

LineReader::LineReader(ByteStream& stream) : stream_(stream) {
    if (stream_.peek(byte_order_mark.size()).starts_with(byte_order_mark)) {
        stream_.skip(byte_order_mark.size());
    }
}

bool LineReader::next(std::string_view& line) {
    stream_.skip(shown_);
    shown_ = 0;
    std::string_view buffered = stream_.peek(1);
    if (buffered.empty()) {
        return false;
    }
    ++number_;
    std::size_t searched = 0;
    std::size_t end = buffered.find('\n');
    while (end == std::string_view::npos) {
        searched = buffered.size();
        if (searched > most_line_bytes) {
            fail("the line is longer than " + std::to_string(most_line_bytes) + " bytes; is this a text file?");
        }
        buffered = stream_.peek(searched + 1);
        if (buffered.size() == searched) {
            break;  // the last line, without an end
        }
        end = buffered.find('\n', searched);
    }
    line = buffered.substr(0, end);
    const bool ended = end != std::string_view::npos;
    shown_ = line.size() + (ended ? 1 : 0);
    const bool carriage_return = line.ends_with('\r');
    line.remove_suffix(carriage_return ? 1 : 0);
    line_end_ = !ended ? "" : carriage_return ? "\r\n" : "\n";
    return true;
}

void LineReader::fail(const std::string& why) const {
    stream_.fail("line " + std::to_string(number_), why);
}

}  // namespace isogon
