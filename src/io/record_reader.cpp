#include "io/record_reader.hpp"

#include "io/number_text.hpp"

namespace isogon {

namespace {
// A quote that is never closed would take in the rest of the file.
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
