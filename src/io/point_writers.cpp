#include "io/point_formats.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/scalar_type.hpp"
#include "io/table_columns.hpp"
#include "io/text_file.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

namespace {

void append_label(std::string& line, const Companions& companions, Index i, char delimiter) {
    const std::int64_t label = companions.labels[i];
    if (companions.label_names.empty()) {
        line += std::to_string(label);
    } else {
        append_field(line, label < 0 ? "" : companions.label_names[static_cast<std::size_t>(label)], delimiter);
    }
}

char delimiter_of(Format format) {
    return format == Format::Tsv ? '\t' : ',';
}

/// Whether a reader takes all names for those of coordinates, whatever the numbers below them.
bool are_plain_names(const std::vector<std::string>& names) {
    return !names.empty() && std::none_of(names.begin(), names.end(), [](const std::string& name) {
        return kind_of(name) != FieldKind::Text || has_a_role(name) || !separator_trouble(name, ',').empty() ||
               !separator_trouble(name, '\t').empty();
    });
}

std::string header_line(const PointsShape& shape, char delimiter) {
    std::string line = shape.words ? std::string("word") + delimiter : "";
    const bool named = are_plain_names(shape.columns);
    for (Index j = 0; j < shape.dimension; ++j) {
        line.append(j > 0 ? 1 : 0, delimiter);
        append_field(line, named ? shape.columns[j] : "x" + std::to_string(j), delimiter);
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

/// Throws InvalidArgument unless a reader can determine where the word begins and ends.
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
            line += delimiter;
            append_label(line, companions, i, delimiter);
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

namespace {

/// Appends a row as float32 of the given byte order.
void append_row(std::string& bytes, std::span<const float> row, std::endian order) {
    if (order == std::endian::native) {
        bytes.append(reinterpret_cast<const char*>(row.data()), row.size_bytes());
        return;
    }
    for (const float value : row) {
        store(bytes, value, order);
    }
}

/// Appends a row as whole numbers of type Number.
template <class Number>
void append_whole(std::string& bytes, std::span<const float> row, Index number, Format format) {
    constexpr double low = std::numeric_limits<Number>::min();
    constexpr double high = std::numeric_limits<Number>::max();
    for (std::size_t j = 0; j < row.size(); ++j) {
        const double value = row[j];
        if (!(value >= low && value <= high) || value != std::trunc(value)) {
            throw InvalidArgument(
                "points", std::to_string(value) + " in row " + std::to_string(number) + ", column " + std::to_string(j),
                "." + std::string(name(format)) + " holds whole numbers from " +
                    std::to_string(static_cast<std::int64_t>(low)) + " to " +
                    std::to_string(static_cast<std::int64_t>(high)) + "; write .fvecs or .npy");
        }
        store(bytes, static_cast<Number>(value), std::endian::little);
    }
}

}  // namespace

std::string array_head(Format format, const PointsShape& shape) {
    if (format == Format::Npy) {
        return npy_header(ScalarType::Float32, {shape.count, shape.dimension});
    }
    if (format != Format::Idx) {
        return "";
    }
    return shape.image_height > 0 ? idx_header(ScalarType::UInt8, {shape.count, shape.image_height, shape.image_width})
                                  : idx_header(ScalarType::Float32, {shape.count, shape.dimension});
}

void write_float_rows(OutputStream& out, const PointsView& rows, std::endian order) {
    if (order == std::endian::native && rows.stride == rows.dimension) {
        const std::size_t numbers = std::size_t{rows.count} * rows.dimension;
        out.write({reinterpret_cast<const char*>(rows.data), numbers * sizeof(float)});
        return;
    }
    std::string bytes;
    for (Index i = 0; i < rows.count; ++i) {
        bytes.clear();
        append_row(bytes, rows[i], order);
        out.write(bytes);
    }
}

void write_vecs_rows(OutputStream& out, const PointsView& rows, Format format, Index first) {
    std::string bytes;
    for (Index i = 0; i < rows.count; ++i) {
        bytes.clear();
        store(bytes, rows.dimension, std::endian::little);
        if (format == Format::Fvecs) {
            append_row(bytes, rows[i], std::endian::little);
        } else if (format == Format::Bvecs) {
            append_whole<std::uint8_t>(bytes, rows[i], first + i, format);
        } else {
            append_whole<std::int32_t>(bytes, rows[i], first + i, format);
        }
        out.write(bytes);
    }
}

namespace {

char pixel(float value, Index i, Index j) {
    if (std::isnan(value)) {
        throw InvalidArgument("images", "NaN in row " + std::to_string(i) + ", column " + std::to_string(j),
                              "an IDX image holds whole numbers from 0 to 255");
    }
    return static_cast<char>(std::lround(std::clamp(value, 0.0F, 255.0F)));
}

}  // namespace

void write_image_rows(OutputStream& out, const PointsView& rows, Index first) {
    std::string bytes(rows.dimension, '\0');
    for (Index i = 0; i < rows.count; ++i) {
        const auto row = rows[i];
        for (Index j = 0; j < rows.dimension; ++j) {
            bytes[j] = pixel(row[j], first + i, j);
        }
        out.write(bytes);
    }
}

void write_idx_images(const std::filesystem::path& path, const PointsView& images, Index height, Index width,
                      const WriteOptions& options) {
    PointsShape shape{.count = images.count, .dimension = images.dimension};
    shape.image_height = height;
    shape.image_width = width;
    PointWriter writer(path, shape, {Format::Idx, options.overwrite});
    writer.write(images);
    writer.commit();
}

}  // namespace isogon
