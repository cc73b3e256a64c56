#include "io/byte_order.hpp"
#include "io/number_text.hpp"
#include "io/point_writers.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// Appends a field, in quotes where it must be: it would not read back as it is otherwise.
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

char delimiter_of(Format format) {
    return format == Format::Tsv ? '\t' : ',';
}

std::string header_line(const PointsShape& shape, char delimiter) {
    std::string line = shape.words ? std::string("word") + delimiter : "";
    for (Index j = 0; j < shape.dimension; ++j) {
        line += (j > 0 ? std::string(1, delimiter) : "") + "x" + std::to_string(j);
    }
    line += shape.labels ? delimiter + std::string("label") : "";
    return line + '\n';
}

void append_numbers(std::string& line, std::span<const float> row, char delimiter) {
    for (std::size_t j = 0; j < row.size(); ++j) {
        line.append(j > 0 ? 1 : 0, delimiter);
        append_number(line, row[j]);
    }
}

/// Throws InvalidArgument unless a reader can tell where the word begins and ends.
void require_word(const std::string& word, Index i, Format format) {
    const bool text = format == Format::WordText;
    const bool marked = i == 0 && text && word.starts_with("\xef\xbb\xbf");
    if (word.empty() || word.find_first_of(" \n") != std::string::npos || marked) {
        throw InvalidArgument(
            "words", in_quotes(word) + " of row " + std::to_string(i),
            "." + std::string(text ? "vec" : "bin") +
                " cannot hold a word that is empty or has a space or line end in it; replace them by '_'");
    }
}

}  // namespace

std::string text_head(Format format, const PointsShape& shape) {
    if (format == Format::Csv || format == Format::Tsv) {
        return header_line(shape, delimiter_of(format));
    }
    return std::to_string(shape.count) + " " + std::to_string(shape.dimension) + "\n";
}

void write_table_rows(OutputStream& out, const PointsView& rows, const Companions& companions, Format format) {
    const char delimiter = delimiter_of(format);
    std::string line;
    for (Index i = 0; i < rows.count; ++i) {
        line.clear();
        if (!companions.words.empty()) {
            append_field(line, companions.words[i], delimiter);
            line += delimiter;
        }
        append_numbers(line, rows[i], delimiter);
        if (!companions.labels.empty()) {
            line += delimiter + std::to_string(companions.labels[i]);
        }
        out.write(line += '\n');
    }
}

void write_word_rows(OutputStream& out, const PointsView& rows, std::span<const std::string> words, Format format,
                     Index first) {
    std::string record;
    for (Index i = 0; i < rows.count; ++i) {
        require_word(words[i], first + i, format);
        record = words[i] + ' ';
        if (format == Format::WordText) {
            append_numbers(record, rows[i], ' ');
        } else {
            for (const float value : rows[i]) {
                store(record, value, std::endian::little);
            }
        }
        out.write(record += '\n');
    }
}

}  // namespace isogon
