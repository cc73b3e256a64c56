#include "isogon/io/label_writer.hpp"

#include <limits>

#include "io/byte_order.hpp"
#include "io/idx.hpp"
#include "io/npy.hpp"
#include "io/output_stream.hpp"
#include "isogon/core/error.hpp"

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

std::string head(LabelFormat format, Index count) {
    switch (format) {
        case LabelFormat::Npy: return npy_header(ScalarType::Int64, {count});
        case LabelFormat::Idx: return idx_header(ScalarType::UInt8, {count});
        case LabelFormat::Text: break;
    }
    return "";
}

}  // namespace

struct LabelWriter::State {
    State(const std::filesystem::path& path, LabelFormat as, Index promised, bool overwrite)
        : name(path.string()), format(as), count(promised), out(path, overwrite) {}

    [[nodiscard]] bool mendable() const {
        return written > 0 && (written == count || format == LabelFormat::Text || !out.packed());
    }

    std::string name;
    LabelFormat format;
    Index count;
    OutputStream out;
    Index written = 0;
};

LabelWriter::LabelWriter(const std::filesystem::path& path, Index count, const WriteOptions& options) {
    const LabelFormat format = label_format(path, options);
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
    if (state_->written < state_->count && state_->format != LabelFormat::Text) {
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

}  // namespace isogon
