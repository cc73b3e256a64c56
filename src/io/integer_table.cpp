#include "isogon/io/integer_table.hpp"

#include <algorithm>
#include <limits>

#include "io/array_reader.hpp"
#include "io/byte_order.hpp"
#include "io/byte_stream.hpp"
#include "io/detect_format.hpp"
#include "io/idx.hpp"
#include "io/npy.hpp"
#include "io/output_stream.hpp"
#include "io/table_reader.hpp"
#include "io/vecs.hpp"
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
        case Format::Fvecs:
        case Format::WordText:
        case Format::WordBinary: break;
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

}  // namespace isogon
