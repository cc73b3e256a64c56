#include "io/text_file.hpp"

#include <algorithm>

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

void LineReader::fail(const Text& why) const {
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
    text_ = line;
    is_quoted_ = line.find('"') != std::string_view::npos;
    if (!is_quoted_) {
        split_plain(line, fields);
    } else {
        split_quoted(line, fields);
    }
    return true;
}

bool RecordReader::next_line(std::string_view& line) {
    if (blanks_left_ > 0) {
        --blanks_left_;
        ++line_;
        line = {};
        return true;
    }
    if (held_) {
        line = *held_;
        held_.reset();
        line_ = lines_.number();
        return true;
    }
    bool more = lines_.next(line);
    line_ = lines_.number();
    while (more && line.empty()) {
        ++blanks_left_;
        more = lines_.next(line);
    }
    if (blanks_left_ == 0 || !more) {
        blanks_left_ = 0;
        return more;
    }
    if (blank_ == Blank::Refused) {
        fail("is blank, but more lines follow");
    }
    --blanks_left_;
    held_ = line;
    line = {};
    return true;
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
    std::vector<bool> quoted;
    std::size_t at = 0;
    while (true) {
        if (at < joined_.size() && joined_[at] == '"') {
            at = take_quoted(at);
            quoted.push_back(true);
            if (at < joined_.size() && joined_[at] != delimiter_) {
                fail(ends.size(), "something follows the closing quote; a quote within quotes is written twice");
            }
        } else {
            const std::size_t end = std::min(joined_.find(delimiter_, at), joined_.size());
            values_ += std::string_view(joined_).substr(at, end - at);
            quoted.push_back(false);
            at = end;
        }
        ends.push_back(values_.size());
        values_ += delimiter_;
        if (at == joined_.size()) {
            break;
        }
        ++at;
    }
    std::size_t begin = 0;
    for (std::size_t column = 0; column < ends.size(); ++column) {
        const auto field = std::string_view(values_).substr(begin, ends[column] - begin);
        fields.push_back(quoted[column] ? field : trim(field));
        begin = ends[column] + 1;
    }
}

std::string_view RecordReader::with_blanks(std::string_view field) const {
    const std::string_view record = is_quoted_ ? std::string_view(values_) : text_;
    const auto is_blank = [&](char c) { return (c == ' ' || c == '\t') && c != delimiter_; };
    auto begin = static_cast<std::size_t>(field.data() - record.data());
    std::size_t end = begin + field.size();
    while (begin > 0 && is_blank(record[begin - 1])) {
        --begin;
    }
    while (end < record.size() && is_blank(record[end])) {
        ++end;
    }
    return record.substr(begin, end - begin);
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

void RecordReader::fail(const Text& why) const {
    lines_.stream().fail("line " + std::to_string(line_), why);
}

void RecordReader::fail(std::size_t column, const Text& why) const {
    lines_.stream().fail("line " + std::to_string(line_) + ", column " + std::to_string(column + 1), why);
}

namespace {

/// Takes the first line from a text.
std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return trim(line.substr(0, line.find('\r')));
}

std::size_t count_unquoted(std::string_view line, char wanted) {
    bool quoted = false;
    return static_cast<std::size_t>(std::ranges::count_if(line, [&](char c) {
        quoted = quoted != (c == '"');
        return c == wanted && !quoted;
    }));
}

}  // namespace

char csv_delimiter(ByteStream& stream) {
    constexpr std::size_t most_looked_at = std::size_t{64} * 1024;
    std::string_view text = stream.peek(most_looked_at);
    const std::string_view first = take_line(text);
    const std::string_view second = text.empty() ? first : take_line(text);
    const std::size_t commas = count_unquoted(first, ',');
    const std::size_t semicolons = count_unquoted(first, ';');
    const bool by_commas = commas > 0 && commas == count_unquoted(second, ',');
    const bool by_semicolons = semicolons > 0 && (commas == 0 || semicolons == count_unquoted(second, ';'));
    return by_semicolons && (!by_commas || is_numbers_between(first, ';')) ? ';' : ',';
}

void append_field(std::string& line, std::string_view text, char delimiter) {
    const bool plain = text.find_first_of("\"\r\n") == std::string_view::npos &&
                       text.find(delimiter) == std::string_view::npos && trim(text) == text && !text.empty();
    if (plain) {
        line += text;
        return;
    }
    line += '"';
    for (const char c : text) {
        line.append(c == '"' ? 2 : 1, c);
    }
    line += '"';
}

}  // namespace isogon
