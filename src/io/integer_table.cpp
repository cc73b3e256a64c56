#include "io/integer_table.hpp"

#include <algorithm>
#include <limits>

#include "io/array_reader.hpp"
#include "io/byte_stream.hpp"
#include "io/point_formats.hpp"
#include "io/scalar_type.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

constexpr std::uint32_t most_int32 = std::numeric_limits<std::int32_t>::max();

Format integer_format(const std::filesystem::path& path, const WriteOptions& options) {
    const auto format = options.format ? options.format : format_from_name(path);
    if (format == Format::Npy || format == Format::Ivecs || format == Format::Csv || format == Format::Tsv) {
        return *format;
    }
    throw OutputError(path.string(), "whole numbers are written as .npy, .ivecs, .csv or .tsv");
}

/// One row as the format holds it.
std::string row_bytes(std::span<const std::uint32_t> row, Format format, bool wide) {
    std::string bytes;
    if (format == Format::Ivecs) {
        store(bytes, static_cast<std::int32_t>(row.size()), std::endian::little);
    }
    for (std::size_t k = 0; k < row.size(); ++k) {
        if (format == Format::Csv || format == Format::Tsv) {
            bytes += k == 0 ? "" : format == Format::Csv ? "," : "\t";
            bytes += std::to_string(row[k]);
        } else if (wide) {
            store(bytes, static_cast<std::int64_t>(row[k]), std::endian::little);
        } else {
            store(bytes, static_cast<std::int32_t>(row[k]), std::endian::little);
        }
    }
    if (format == Format::Csv || format == Format::Tsv) {
        bytes += '\n';
    }
    return bytes;
}

/// Rows of whole numbers, as many in each, without a header.
IntegerTable read_text_integers(ByteStream& stream, char delimiter) {
    RecordReader reader(stream, delimiter);
    std::vector<std::string_view> fields;
    IntegerTable table;
    while (reader.next(fields)) {
        table.columns = table.rows == 0 ? fields.size() : table.columns;
        if (fields.size() != table.columns) {
            reader.fail("has " + std::to_string(fields.size()) + " columns, but the first line has " +
                        std::to_string(table.columns));
        }
        for (std::size_t k = 0; k < fields.size(); ++k) {
            const auto value = parse_integer(fields[k]);
            if (!value) {
                reader.fail(k, in_quotes(fields[k]) + " is not a whole number");
            }
            table.values.push_back(*value);
        }
        ++table.rows;
    }
    if (table.rows == 0) {
        stream.fail("", "holds no numbers");
    }
    return table;
}

}  // namespace

IntegerTable read_integer_table(const std::filesystem::path& path) {
    ByteStream stream(path);
    const Format format = detect_format(stream, path, std::nullopt);
    switch (format) {
        case Format::Npy: return read_integer_rows(stream, read_npy_header(stream));
        case Format::Idx: return read_integer_rows(stream, read_idx_header(stream));
        case Format::Csv: return read_text_integers(stream, ',');
        case Format::Tsv: return read_text_integers(stream, '\t');
        case Format::Bvecs:
        case Format::Ivecs: return read_vecs_integers(stream, format);
        default: break;
    }
    stream.fail("", "a file of format " + std::string(name(format)) +
                        " holds no whole numbers; give .npy of integers, .ivecs, .csv or .tsv");
}

void require_writable_integers(const std::filesystem::path& path, const WriteOptions& options) {
    static_cast<void>(integer_format(path, options));
    require_writable_target(path, options.overwrite);
}

void write_integer_table(const std::filesystem::path& path, std::span<const std::uint32_t> values, Index columns,
                         const WriteOptions& options) {
    const Format format = integer_format(path, options);
    if (columns == 0 || values.empty() || values.size() % columns != 0) {
        throw InvalidArgument("columns", std::to_string(columns),
                              "must be at least 1 and divide the number of values, " + std::to_string(values.size()));
    }
    const std::uint32_t largest = *std::max_element(values.begin(), values.end());
    const bool wide = largest > most_int32;
    if (wide && format == Format::Ivecs) {
        throw InvalidArgument("values", std::to_string(largest), "is beyond what .ivecs holds; write .npy");
    }
    OutputStream out(path, options.overwrite);
    if (format == Format::Npy) {
        out.write(npy_header(wide ? ScalarType::Int64 : ScalarType::Int32, {values.size() / columns, columns}));
    }
    for (std::size_t begin = 0; begin < values.size(); begin += columns) {
        out.write(row_bytes(values.subspan(begin, columns), format, wide));
    }
    out.commit();
}

namespace {

/// The format in which labels are written. Text, whatever its format's name, is one number a line: Format::Csv.
Format label_format(const std::filesystem::path& path, const WriteOptions& options) {
    const auto format = options.format ? options.format : format_from_name(path);
    if (format == Format::Npy || format == Format::Idx) {
        return *format;
    }
    const auto plain = path.extension() == ".gz" ? path.stem() : path;
    if (format == Format::Csv || format == Format::Tsv || plain.extension() == ".txt") {
        return Format::Csv;
    }
    throw OutputError(path.string(), "labels are written as .npy, IDX (.idx, -ubyte) or text (.csv, .tsv, .txt)");
}

std::string label_bytes(Format format, std::int64_t label, std::size_t i) {
    std::string bytes;
    if (format == Format::Csv) {
        return std::to_string(label) + '\n';
    }
    if (format == Format::Npy) {
        store(bytes, label, std::endian::little);
        return bytes;
    }
    if (label < 0 || label > 255) {
        throw InvalidArgument("labels", std::to_string(label) + " of row " + std::to_string(i),
                              "IDX labels are 0 to 255; write .npy or .txt instead");
    }
    bytes.push_back(static_cast<char>(label));
    return bytes;
}

std::string head(Format format, Index count) {
    return format == Format::Npy   ? npy_header(ScalarType::Int64, {count})
           : format == Format::Idx ? idx_header(ScalarType::UInt8, {count})
                                   : "";
}

}  // namespace

struct LabelWriter::State {
    State(const std::filesystem::path& path, Format as, Index promised, bool overwrite)
        : name(path.string()), format(as), count(promised), out(path, overwrite) {}

    [[nodiscard]] bool mendable() const {
        return written > 0 && (written == count || format == Format::Csv || !out.packed());
    }

    std::string name;
    Format format;
    Index count;
    OutputStream out;
    Index written = 0;
};

LabelWriter::LabelWriter(const std::filesystem::path& path, Index count, const WriteOptions& options) {
    const Format format = label_format(path, options);
    if (count == 0) {
        throw InvalidArgument("labels", "0", "there must be at least one, and fewer than 2^32");
    }
    state_ = std::make_unique<State>(path, format, count, options.overwrite);
    state_->out.write(head(format, count));
}

LabelWriter::~LabelWriter() = default;

void LabelWriter::write(std::span<const std::int64_t> labels) {
    if (labels.size() > state_->count - state_->written) {
        throw InvalidArgument(
            "labels", std::to_string(labels.size()),
            "at most " + std::to_string(state_->count - state_->written) + " more belong into " + state_->name);
    }
    for (const std::int64_t label : labels) {
        state_->out.write(label_bytes(state_->format, label, state_->written++));
    }
}

void LabelWriter::commit() {
    if (!can_end_early()) {
        throw OutputError(state_->name, "only " + std::to_string(state_->written) + " of " +
                                            std::to_string(state_->count) +
                                            " labels came, and its head, which counts them, cannot be mended");
    }
    if (state_->written < state_->count && state_->format != Format::Csv) {
        state_->out.replace_first(head(state_->format, state_->written));
    }
    state_->out.commit();
}

bool LabelWriter::can_end_early() const {
    return state_->mendable();
}

void write_labels(const std::filesystem::path& path, std::span<const std::int64_t> labels,
                  const WriteOptions& options) {
    if (labels.size() > std::numeric_limits<Index>::max()) {
        throw InvalidArgument("labels", std::to_string(labels.size()), "there must be fewer than 2^32");
    }
    LabelWriter writer(path, static_cast<Index>(labels.size()), options);
    writer.write(labels);
    writer.commit();
}

bool holds_names(const std::filesystem::path& path) {
    return label_format(path, {}) == Format::Csv;
}

void write_named_labels(const std::filesystem::path& path, const Labels& labels, const WriteOptions& options) {
    if (labels.names.empty() || label_format(path, options) != Format::Csv) {
        write_labels(path, labels.values, options);
        return;
    }
    OutputStream out(path, options.overwrite);
    std::string line;
    for (const std::int64_t label : labels.values) {
        line.clear();
        append_field(line, label < 0 ? "" : labels.names.at(static_cast<std::size_t>(label)), ',');
        out.write(line += '\n');
    }
    out.commit();
}

}  // namespace isogon
