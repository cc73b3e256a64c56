#include "io/line_reader.hpp"

#include "io/number_text.hpp"

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

namespace {
// Bounds the memory: an unclosed quote would otherwise extend to the end of the file.
constexpr std::size_t most_quoted_bytes = std::size_t{16} * 1024 * 1024;
}  // namespace

bool RecordReader::next(std::vector<std::string_view>& fields) {
    std::string_view line;
    if (!next_line(line)) {
        return false;
    }
    fields.clear();
    if (line.find('"') == std::string_view::npos) {
        split_plain(line, fields);
    } else {
        split_quoted(line, fields);
    }
    return true;
}

bool RecordReader::next_line(std::string_view& line) {
    bool more = lines_.next(line);
    line_ = lines_.number();
    if (more && line.empty()) {
        while (more && line.empty()) {
            more = lines_.next(line);
        }
        if (more) {
            fail("is blank, but more lines follow");
        }
    }
    return more;
}

void RecordReader::split_plain(std::string_view line, std::vector<std::string_view>& fields) const {
    while (true) {
        const std::size_t end = line.find(delimiter_);
        fields.push_back(trim(line.substr(0, end)));
        if (end == std::string_view::npos) {
            return;
        }
        line.remove_prefix(end + 1);
    }
}

void RecordReader::split_quoted(std::string_view line, std::vector<std::string_view>& fields) {
    joined_ = line;
    values_.clear();
    std::vector<std::size_t> ends;
    std::size_t at = 0;
    while (true) {
        if (at < joined_.size() && joined_[at] == '"') {
            at = take_quoted(at);
            if (at < joined_.size() && joined_[at] != delimiter_) {
                fail(ends.size(), "something follows the closing quote; a quote within quotes is written twice");
            }
        } else {
            const std::size_t end = std::min(joined_.find(delimiter_, at), joined_.size());
            values_ += trim(std::string_view(joined_).substr(at, end - at));
            at = end;
        }
        ends.push_back(values_.size());
        if (at == joined_.size()) {
            break;
        }
        ++at;
    }
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        fields.push_back(std::string_view(values_).substr(begin, end - begin));
        begin = end;
    }
}

/// Appends the field whose opening quote is at `at` to values_, joining lines as needed; returns where it ends.
std::size_t RecordReader::take_quoted(std::size_t at) {
    ++at;
    while (true) {
        const std::size_t quote = joined_.find('"', at);
        values_.append(joined_, at, quote == std::string::npos ? quote : quote - at);
        if (quote == std::string::npos) {
            const std::string_view line_end = lines_.line_end();
            std::string_view line;
            if (joined_.size() > most_quoted_bytes || !lines_.next(line)) {
                fail("a quote on this line is never closed");
            }
            at = joined_.size();
            joined_.append(line_end).append(line);
        } else if (quote + 1 < joined_.size() && joined_[quote + 1] == '"') {
            values_ += '"';
            at = quote + 2;
        } else {
            return quote + 1;
        }
    }
}

void RecordReader::fail(const std::string& why) const {
    lines_.stream().fail("line " + std::to_string(line_), why);
}

void RecordReader::fail(std::size_t column, const std::string& why) const {
    lines_.stream().fail("line " + std::to_string(line_) + ", column " + std::to_string(column + 1), why);
}

}  // namespace isogon
