#include "isogon/io/output.hpp"

#include <string>

#include "io/byte_stream.hpp"
#include "io/point_formats.hpp"
#include "isogon/core/error.hpp"
#include "io/atomic_file.hpp"

namespace isogon {

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

namespace {

bool is_words(Format format) {
    return format == Format::WordText || format == Format::WordBinary;
}

bool is_table(Format format) {
    return format == Format::Csv || format == Format::Tsv;
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
    if (!shape.columns.empty()) {
        const std::size_t names = shape.columns.size();
        if (names != shape.dimension) {
            throw InvalidArgument(
                "columns", std::to_string(names),
                "must be none or one for each of the " + std::to_string(shape.dimension) + " columns");
        }
    }
    if (is_words(format) && !shape.words) {
        throw InvalidArgument(
            "words", "none",
            "the format " + std::string(name(format)) + " needs a word for each point; write .npy or .csv instead");
    }
    return shape;
}

std::string head(Format format, const PointsShape& shape) {
    return is_table(format) || is_words(format) ? text_head(format, shape) : array_head(format, shape);
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
        }
    }

    /// The header for the rows that were written, if it has the length of the first one.
    [[nodiscard]] bool mendable() const {
        PointsShape fewer = shape;
        fewer.count = written;
        return written > 0 && (head(format, fewer) == head(format, shape) ||
                               (!out.packed() && head(format, fewer).size() == head(format, shape).size()));
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
        PointsShape fewer = state.shape;
        fewer.count = state.written;
        if (const std::string mended = head(state.format, fewer); mended != head(state.format, state.shape)) {
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

}  // namespace isogon
