#include "io/row_file.hpp"

#include <algorithm>

#include "io/array_reader.hpp"
#include "io/byte_stream.hpp"
#include "io/point_formats.hpp"
#include "io/scalar_type.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

/// Where the rows of a file lie: equally long, one after the other.
struct RowLayout {
    std::uint64_t begin = 0;   ///< byte of the first
    std::uint64_t prefix = 0;  ///< bytes before the numbers of each: the dimension, of .fvecs and the like
    ScalarType scalar = ScalarType::Float32;
    std::endian order = std::endian::little;
    Index count = 0;
    Index dimension = 0;

    [[nodiscard]] std::uint64_t row_bytes() const { return prefix + std::uint64_t{dimension} * size_of(scalar); }
    /// The bytes are the floats.
    [[nodiscard]] bool plain() const {
        return prefix == 0 && scalar == ScalarType::Float32 && order == std::endian::native;
    }
};

class FileRows final : public RowSource {
public:
    FileRows(const std::filesystem::path& path, const RowLayout& layout) : file_(path), layout_(layout) {}

    [[nodiscard]] Index count() const override { return layout_.count; }
    [[nodiscard]] Index dimension() const override { return layout_.dimension; }
    [[nodiscard]] bool always_finite() const override { return is_integer(layout_.scalar); }
    [[nodiscard]] std::string place(Index row) const override { return file_.name() + ", row " + std::to_string(row); }

    void read(Index first, std::span<float> values) const override {
        const std::uint64_t begin = layout_.begin + first * layout_.row_bytes();
        if (layout_.plain()) {
            file_.read_at(begin, {reinterpret_cast<char*>(values.data()), values.size_bytes()});
            return;
        }
        // In steps: the bytes of a whole block would double the memory.
        const std::uint64_t step = step_bytes / layout_.row_bytes();
        const std::uint64_t rows = values.size() / layout_.dimension;
        std::vector<char> bytes(step == 0 ? step_bytes : std::min(step, rows) * layout_.row_bytes());
        for (std::uint64_t done = 0; done < rows; done += std::max<std::uint64_t>(step, 1)) {
            const std::uint64_t at = begin + done * layout_.row_bytes();
            if (step == 0) {
                read_wide(first + done, at, bytes, values.subspan(done * layout_.dimension, layout_.dimension));
                continue;
            }
            const std::uint64_t some = std::min(step, rows - done);
            const auto part = std::span(bytes).first(some * layout_.row_bytes());
            file_.read_at(at, part);
            convert(first + done, part, values.subspan(done * layout_.dimension, some * layout_.dimension));
        }
    }

private:
    static constexpr std::uint64_t step_bytes = 1'000'000;

    /// One row, in pieces.
    void read_wide(std::uint64_t row, std::uint64_t at, std::span<char> bytes, std::span<float> values) const {
        if (layout_.prefix > 0) {
            file_.read_at(at, bytes.first(layout_.prefix));
            require_prefix(bytes.data(), row);
        }
        const std::size_t size = size_of(layout_.scalar);
        const std::size_t piece = bytes.size() / size;
        for (std::size_t column = 0; column < values.size(); column += piece) {
            const auto to = values.subspan(column, std::min(piece, values.size() - column));
            file_.read_at(at + layout_.prefix + column * size, bytes.first(to.size() * size));
            convert_numbers(row, column, bytes.data(), to);
        }
    }

    void convert(std::uint64_t first, std::span<const char> bytes, std::span<float> values) const {
        for (std::uint64_t i = 0; i * layout_.dimension < values.size(); ++i) {
            const char* row = bytes.data() + i * layout_.row_bytes();
            if (layout_.prefix > 0) {
                require_prefix(row, first + i);
            }
            convert_numbers(first + i, 0, row + layout_.prefix,
                            values.subspan(i * layout_.dimension, layout_.dimension));
        }
    }

    void convert_numbers(std::uint64_t row, std::size_t column, const char* bytes, std::span<float> to) const {
        const std::size_t good = to_floats(layout_.scalar, layout_.order, bytes, to);
        if (good < to.size()) {
            throw InputError(file_.name(), "row " + std::to_string(row) + ", column " + std::to_string(column + good),
                             "the value is beyond the range of float32 (3.4e38); scale the data first");
        }
    }

    void require_prefix(const char* row, std::uint64_t i) const {
        const auto has = load<std::int32_t>(row, std::endian::little);
        if (has < 0 || static_cast<Index>(has) != layout_.dimension) {
            throw InputError(
                file_.name(), "row " + std::to_string(i),
                "has " + std::to_string(has) + " numbers, but row 0 has " + std::to_string(layout_.dimension));
        }
    }

    InputFile file_;
    RowLayout layout_;
};

/// A file whose rows are all in memory.
class DatasetRows final : public RowSource {
public:
    DatasetRows(const std::filesystem::path& path, const PointsView& points, std::shared_ptr<const void> storage)
        : name_(path.string()), points_(points), rows_(points), storage_(std::move(storage)) {}

    [[nodiscard]] Index count() const override { return points_.count; }
    [[nodiscard]] Index dimension() const override { return points_.dimension; }
    [[nodiscard]] std::string place(Index row) const override { return name_ + ", row " + std::to_string(row); }
    void read(Index first, std::span<float> values) const override { rows_.read(first, values); }

private:
    std::string name_;
    PointsView points_;
    ViewRows rows_;
    std::shared_ptr<const void> storage_;
};

RowLayout layout_of_array(ByteStream& stream, const ArrayLayout& array) {
    const ArrayExtent extent = checked_extent(stream, array);
    if (extent.bytes < stream.most_bytes_left()) {
        stream.fail("byte " + std::to_string(stream.position() + extent.bytes),
                    "more bytes follow where the data should end");
    }
    return {stream.position(), 0, array.scalar, array.order, extent.points, extent.dimension};
}

RowLayout layout_of_vecs(ByteStream& stream, const FileInfo& info) {
    require_countable(stream, info.shape[0]);
    return {0,
            sizeof(std::int32_t),
            vecs_scalar(info.format),
            std::endian::little,
            static_cast<Index>(info.shape[0]),
            static_cast<Index>(info.shape[1])};
}

RowLayout layout_of(const std::filesystem::path& path, const FileInfo& info) {
    ByteStream stream(path);
    switch (info.format) {
        case Format::Npy: return layout_of_array(stream, read_npy_header(stream));
        case Format::Idx: return layout_of_array(stream, read_idx_header(stream));
        default: return layout_of_vecs(stream, info);
    }
}

}  // namespace

bool is_streamed(const FileInfo& info) {
    const bool rows_alike = info.format == Format::Npy || info.format == Format::Idx || info.format == Format::Fvecs ||
                            info.format == Format::Bvecs || info.format == Format::Ivecs;
    return rows_alike && !info.gzip && (!info.fortran_order || info.shape.size() == 1);
}

bool has_short_head(const std::filesystem::path& path, const ReadOptions& options) {
    ByteStream stream(path);
    switch (detect_format(stream, path, options.format)) {
        case Format::Npy:
        case Format::Idx:
        case Format::Npz: return true;
        case Format::Fvecs:
        case Format::Bvecs:
        case Format::Ivecs: return !stream.gzip();
        default: return false;
    }
}

RowFile open_rows(const std::filesystem::path& path, const ReadOptions& options) {
    RowFile file;
    // Other files would be read twice: once for their description, once for their rows.
    if (has_short_head(path, options)) {
        const FileInfo info = describe_file(path, options);
        file.shape = info.shape;
        file.streamed = is_streamed(info);
        if (file.streamed) {
            file.rows = std::make_unique<FileRows>(path, layout_of(path, info));
            return file;
        }
    }
    Dataset data = read_points(path, options);
    if (file.shape.empty()) {
        file.shape = {data.points.count, data.points.dimension};
    }
    file.labels = std::move(data.labels);
    file.label_names = std::move(data.label_names);
    file.notes = std::move(data.notes);
    file.words = std::move(data.words);
    file.column_names = std::move(data.column_names);
    file.rows = std::make_unique<DatasetRows>(path, data.points, std::move(data.storage));
    return file;
}

}  // namespace isogon
