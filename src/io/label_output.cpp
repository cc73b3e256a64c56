#include <limits>

#include "io/byte_order.hpp"
#include "io/idx.hpp"
#include "io/npy.hpp"
#include "io/output_stream.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

namespace {

/// What labels are written as: text is one number a line, whatever the text format's name.
enum class LabelFormat { Npy, Idx, Text };

LabelFormat label_format(const std::filesystem::path& path, const WriteOptions& options) {
    const auto format = options.format ? options.format : format_from_name(path);
    if (format == Format::Npy || format == Format::Idx) {
        return format == Format::Npy ? LabelFormat::Npy : LabelFormat::Idx;
    }
    const auto plain = path.extension() == ".gz" ? path.stem() : path;
    if (format == Format::Csv || format == Format::Tsv || plain.extension() == ".txt") {
        return LabelFormat::Text;
    }
    throw OutputError(path.string(), "labels are written as .npy, IDX (.idx, -ubyte) or text (.csv, .tsv, .txt)");
}

std::string label_bytes(LabelFormat format, std::int64_t label, std::size_t i) {
    std::string bytes;
    if (format == LabelFormat::Text) {
        return std::to_string(label) + '\n';
    }
    if (format == LabelFormat::Npy) {
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

}  // namespace

void write_labels(const std::filesystem::path& path, std::span<const std::int64_t> labels,
                  const WriteOptions& options) {
    const LabelFormat format = label_format(path, options);
    if (labels.empty() || labels.size() > std::numeric_limits<Index>::max()) {
        throw InvalidArgument("labels", std::to_string(labels.size()),
                              "there must be at least one, and fewer than 2^32");
    }
    OutputStream out(path, options.overwrite);
    if (format == LabelFormat::Npy) {
        out.write(npy_header(ScalarType::Int64, {labels.size()}));
    } else if (format == LabelFormat::Idx) {
        out.write(idx_header(ScalarType::UInt8, {static_cast<std::uint32_t>(labels.size())}));
    }
    for (std::size_t i = 0; i < labels.size(); ++i) {
        out.write(label_bytes(format, labels[i], i));
    }
    out.commit();
}

}  // namespace isogon
