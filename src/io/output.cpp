#include "isogon/io/output.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "io/atomic_file.hpp"
#include "io/byte_stream.hpp"
#include "io/point_formats.hpp"
#include "io/scalar_type.hpp"
#include "io/table_columns.hpp"
#include "io/text_file.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// The format to write: that of the options, else that of the file's name.
Format format_to_write(const std::filesystem::path& path, const WriteOptions& options) {
    const auto format = options.format ? options.format : written_format(path);
    if (!format) {
        throw OutputError(path.string(),
                          "its name tells no format; end it in .npy, .csv, .tsv, .fvecs, .bvecs, .ivecs, "
                          ".vec, .bin or .idx, or say which format it is");
    }
    return *format;
}

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

/// The bytes before the first row. Tables have a header line "word,x0,...,label" (word and label only if there are
/// any), word vectors "n dimension".
std::string head(Format format, const PointsShape& shape) {
    switch (format) {
        case Format::Npy: return npy_header(ScalarType::Float32, {shape.count, shape.dimension});
        case Format::Idx:
            return shape.image_height > 0
                       ? idx_header(ScalarType::UInt8, {shape.count, shape.image_height, shape.image_width})
                       : idx_header(ScalarType::Float32, {shape.count, shape.dimension});
        case Format::Csv:
        case Format::Tsv: return header_line(shape, delimiter_of(format));
        case Format::WordText:
        case Format::WordBinary: return std::to_string(shape.count) + " " + std::to_string(shape.dimension) + "\n";
        default: return "";
    }
}

// Rows, block by block. `first` is the number of the block's first row, for messages.

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

char pixel(float value, Index i, Index j) {
    if (std::isnan(value)) {
        throw InvalidArgument("images", "NaN in row " + std::to_string(i) + ", column " + std::to_string(j),
                              "an IDX image holds whole numbers from 0 to 255");
    }
    return static_cast<char>(std::lround(std::clamp(value, 0.0F, 255.0F)));
}

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

PointsShape checked(const PointsShape& shape, Format format) {
    const bool images = shape.image_height > 0 || shape.image_width > 0;
    if (images && std::uint64_t{shape.image_height} * shape.image_width != shape.dimension) {
        throw InvalidArgument("height x width",
                              std::to_string(shape.image_height) + " x " + std::to_string(shape.image_width),
                              "must be the dimension of the images, " + std::to_string(shape.dimension));
    }
    if (shape.count == 0 || shape.dimension == 0) {
        throw InvalidArgument("points",
                              std::to_string(shape.count) + " of dimension " + std::to_string(shape.dimension),
                              "there must be at least one point of at least one number");
    }
    if (!shape.columns.empty() && shape.columns.size() != shape.dimension) {
        throw InvalidArgument("columns", std::to_string(shape.columns.size()),
                              "must be none or one for each of the " + std::to_string(shape.dimension) + " columns");
    }
    if ((format == Format::WordText || format == Format::WordBinary) && !shape.words) {
        throw InvalidArgument(
            "words", "none",
            "the format " + std::string(name(format)) + " needs a word for each point; write .npy or .csv instead");
    }
    return shape;
}

void require_one_each(const std::string& field, std::size_t given, bool promised, Index count) {
    if (given != (promised ? count : 0)) {
        throw InvalidArgument(field, std::to_string(given),
                              "must be none or one for each of the " + std::to_string(count) + " points");
    }
}

void require_named(const Companions& companions) {
    const auto names = static_cast<std::int64_t>(companions.label_names.size());
    for (const std::int64_t label : companions.labels) {
        if (names > 0 && label >= names) {
            throw InvalidArgument("labels", std::to_string(label),
                                  "must be the place of one of the " + std::to_string(names) +
                                      " names, from 0, or below 0 where it is unknown");
        }
    }
}

}  // namespace

std::uint64_t file_bytes(Format format, const PointsShape& shape) {
    const std::uint64_t count = shape.count;
    const std::uint64_t dimension = shape.dimension;
    const std::uint64_t begin = head(format, shape).size();
    switch (format) {
        case Format::Npy: return begin + count * dimension * sizeof(float);
        case Format::Idx: return begin + count * dimension * (shape.image_height > 0 ? 1 : sizeof(float));
        case Format::Fvecs:
        case Format::Ivecs: return count * (dimension + 1) * sizeof(float);
        case Format::Bvecs: return count * (dimension + sizeof(std::int32_t));
        default: return 0;
    }
}

struct PointWriter::State {
    State(const std::filesystem::path& path, Format as, const PointsShape& promised, bool overwrite)
        : name(path.string()),
          format(as),
          shape(checked(promised, as)),
          out(path, overwrite, file_bytes(format, shape)) {
        out.write(head(format, shape));
    }

    void append(const PointsView& rows, const Companions& companions) {
        switch (format) {
            case Format::Npy: write_float_rows(out, rows, std::endian::little); break;
            case Format::Idx:
                if (shape.image_height > 0) {
                    write_image_rows(out, rows, written);
                } else {
                    write_float_rows(out, rows, std::endian::big);
                }
                break;
            case Format::Csv:
            case Format::Tsv: write_table_rows(out, rows, companions, format); break;
            case Format::Fvecs:
            case Format::Bvecs:
            case Format::Ivecs: write_vecs_rows(out, rows, format, written); break;
            case Format::WordText:
            case Format::WordBinary: write_word_rows(out, rows, companions.words, format, written); break;
            default: break;  // refused before
        }
    }

    /// The header for the rows that were written.
    [[nodiscard]] std::string mended_head() const {
        PointsShape fewer = shape;
        fewer.count = written;
        return head(format, fewer);
    }

    [[nodiscard]] bool mendable() const {
        const std::string first = head(format, shape);
        return written > 0 && (mended_head() == first || (!out.packed() && mended_head().size() == first.size()));
    }

    std::string name;
    Format format;
    PointsShape shape;
    OutputStream out;
    Index written = 0;
};

PointWriter::PointWriter(const std::filesystem::path& path, const PointsShape& shape, const WriteOptions& options)
    : state_(std::make_unique<State>(path, format_to_write(path, options), shape, options.overwrite)) {}

PointWriter::~PointWriter() = default;

void PointWriter::write(const PointsView& rows, const Companions& companions) {
    const PointsShape& shape = state_->shape;
    if (rows.dimension != shape.dimension || rows.count > shape.count - state_->written) {
        throw InvalidArgument("rows", std::to_string(rows.count) + " of dimension " + std::to_string(rows.dimension),
                              "at most " + std::to_string(shape.count - state_->written) + " more of dimension " +
                                  std::to_string(shape.dimension) + " belong into " + state_->name);
    }
    require_one_each("labels", companions.labels.size(), shape.labels, rows.count);
    require_one_each("words", companions.words.size(), shape.words, rows.count);
    require_named(companions);
    state_->append(rows, companions);
    state_->written += rows.count;
}

void PointWriter::commit() {
    State& state = *state_;
    if (state.written < state.shape.count) {
        if (!state.mendable()) {
            throw OutputError(state.name, "only " + std::to_string(state.written) + " of " +
                                              std::to_string(state.shape.count) +
                                              " points came, and its head, which counts them, cannot be mended");
        }
        if (const std::string mended = state.mended_head(); mended != head(state.format, state.shape)) {
            state.out.replace_first(mended);
        }
    }
    state.out.commit();
}

Index PointWriter::written() const {
    return state_->written;
}

bool PointWriter::can_end_early() const {
    return state_->mendable();
}

std::optional<Format> written_format(const std::filesystem::path& path) {
    const auto format = path == standard_stream ? Format::Csv : format_from_name(path);
    return format >= Format::Npz ? std::nullopt : format;
}

void require_writable(const std::filesystem::path& path, const WriteOptions& options) {
    static_cast<void>(format_to_write(path, options));
    require_writable_target(path, options.overwrite);
}

void write_points(const std::filesystem::path& path, const PointsView& points, const Companions& companions,
                  const WriteOptions& options) {
    PointWriter writer(path,
                       {.count = points.count,
                        .dimension = points.dimension,
                        .labels = !companions.labels.empty(),
                        .words = !companions.words.empty(),
                        .columns = {companions.columns.begin(), companions.columns.end()}},
                       options);
    writer.write(points, companions);
    writer.commit();
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
