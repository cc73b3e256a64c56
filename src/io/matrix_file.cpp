#include "io/matrix_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/byte_stream.hpp"
#include "io/matrix_formats.hpp"
#include "io/point_formats.hpp"
#include "io/text_file.hpp"
#include "io/zip_file.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

// Bytes of one entry while a matrix is read: as read and sorted, from a dense file, and for its mirror image.
constexpr double told_bytes = 28.0;
constexpr double dense_bytes = 24.0;
constexpr double mirrored_bytes = 24.0;
constexpr double unpacked_bytes = 16.0;  // for gzip: the number in the header is not trusted, so vectors grow
constexpr double side_bytes = 24.0;

/// The format of a sparse matrix by its first bytes.
std::optional<MatrixFormat> sparse_format_of(const std::filesystem::path& path) {
    constexpr std::size_t shown_bytes = 16;
    ByteStream stream(path);
    const std::string_view first_bytes = stream.peek(shown_bytes);
    if (is_matrix_market(first_bytes)) {
        return MatrixFormat::MatrixMarket;
    }
    return is_zip(first_bytes) ? std::optional(MatrixFormat::Npz) : std::nullopt;
}

MatrixFormat detect(const std::filesystem::path& path, const MatrixReadOptions& options) {
    if (options.format) {
        return *options.format;
    }
    if (options.points.format) {
        return MatrixFormat::Dense;
    }
    if (const auto format = matrix_format_from_name(path)) {
        return *format;
    }
    return sparse_format_of(path).value_or(MatrixFormat::Dense);
}

/// Memory for reading, from the sizes in the header.
std::uint64_t reading_bytes(const MatrixInfo& info, double each) {
    each += (info.symmetric ? mirrored_bytes : 0.0) + (info.gzip ? unpacked_bytes : 0.0);
    const double bytes =
        static_cast<double>(info.entries) * each + static_cast<double>(info.rows + info.columns) * side_bytes;
    return static_cast<std::uint64_t>(std::min(bytes, 0x1p62));
}

template <class Head>
void take_sizes(const Head& head, MatrixInfo& info) {
    info.rows = head.rows;
    info.columns = head.columns;
    info.entries = head.entries;
    info.reading_bytes = reading_bytes(info, told_bytes);
}

MatrixInfo describe_market(const std::filesystem::path& path) {
    ByteStream stream(path);
    LineReader lines(stream);
    const MatrixMarketHead head = read_matrix_market_head(lines);
    MatrixInfo info{.format = "mtx", .scalar = head.field, .gzip = stream.gzip(), .symmetric = head.symmetric};
    info.file_bytes = stream.file().size();
    take_sizes(head, info);
    return info;
}

MatrixInfo describe_svmlight(const std::filesystem::path& path) {
    ByteStream stream(path);
    MatrixInfo info{.format = "svmlight", .scalar = "real", .gzip = stream.gzip()};
    info.file_bytes = stream.file().size();
    take_sizes(read_svmlight_head(stream), info);
    return info;
}

MatrixInfo describe_npz(const std::filesystem::path& path) {
    const SparseNpzHead head = read_sparse_npz_head(path);
    MatrixInfo info{.format = "npz", .scalar = head.scalar};
    info.file_bytes = InputFile(path).size();
    take_sizes(head, info);
    return info;
}

MatrixInfo describe_dense(const std::filesystem::path& path, const ReadOptions& options) {
    const FileInfo file = describe_file(path, options);
    MatrixInfo info{.format = std::string(name(file.format)), .scalar = file.scalar, .gzip = file.gzip};
    info.file_bytes = file.file_bytes;
    info.rows = file.shape.front();
    info.columns = 1;
    for (std::size_t k = 1; k < file.shape.size(); ++k) {
        info.columns *= file.shape[k];
    }
    info.entries = info.rows * info.columns;
    info.reading_bytes = reading_bytes(info, dense_bytes);
    return info;
}

}  // namespace

std::optional<MatrixFormat> matrix_format_from_name(const std::filesystem::path& path) {
    std::filesystem::path file = lower_case(path.filename().string());
    const bool packed = file.extension() == ".gz";
    if (packed) {
        file = file.stem();
    }
    if (file.extension() == ".mtx") {
        return MatrixFormat::MatrixMarket;
    }
    if (file.extension() == ".npz" && !packed) {
        return MatrixFormat::Npz;
    }
    if (file.extension() == ".svm" || file.extension() == ".svmlight" || file.extension() == ".libsvm") {
        return MatrixFormat::Svmlight;
    }
    return format_from_name(path) ? std::optional(MatrixFormat::Dense) : std::nullopt;
}

MatrixInfo describe_matrix(const std::filesystem::path& path, const MatrixReadOptions& options) {
    switch (detect(path, options)) {
        case MatrixFormat::MatrixMarket: return describe_market(path);
        case MatrixFormat::Npz: return describe_npz(path);
        case MatrixFormat::Svmlight: return describe_svmlight(path);
        case MatrixFormat::Dense: break;
    }
    return describe_dense(path, options.points);
}

CsrMatrix<double> read_matrix(const std::filesystem::path& path, const MatrixReadOptions& options) {
    const MatrixFormat format = detect(path, options);
    if (format == MatrixFormat::Npz) {
        return read_sparse_npz(path);
    }
    ByteStream stream(path);
    if (format == MatrixFormat::MatrixMarket) {
        return read_matrix_market(stream);
    }
    if (format == MatrixFormat::Svmlight) {
        return read_svmlight(stream);
    }
    return read_dense_matrix(stream, path, detect_format(stream, path, options.points.format), options.points);
}

bool is_matrix_file(const std::filesystem::path& path) {
    const auto format = matrix_format_from_name(path);
    try {
        if (format == MatrixFormat::Npz || (!format && sparse_format_of(path) == MatrixFormat::Npz)) {
            return is_sparse_npz(path);
        }
        return format ? *format != MatrixFormat::Dense : sparse_format_of(path).has_value();
    } catch (const InputError&) {
        return false;
    }
}

namespace {

constexpr std::size_t count_width = 20;  // digits of the largest 64-bit number

/// The header, of the same length for any number of entries, which is known only at the end.
std::string head_text(Index rows, Index columns, std::uint64_t entries) {
    std::string count = std::to_string(entries);
    count.insert(0, count_width - count.size(), ' ');
    return "%%MatrixMarket matrix coordinate real general\n" + std::to_string(rows) + " " + std::to_string(columns) +
           " " + count + "\n";
}

Index checked(Index side, const char* what) {
    if (side == 0) {
        throw InvalidArgument(what, "0", "a matrix has at least one");
    }
    return side;
}

}  // namespace

struct MatrixWriter::State {
    State(const std::filesystem::path& path, Index row_count, Index column_count, bool overwrite,
          std::optional<std::uint64_t> entry_count)
        : name(path.string()),
          rows(checked(row_count, "rows")),
          columns(checked(column_count, "columns")),
          promised(entry_count),
          file(path, overwrite) {
        file.write(head_text(rows, columns, promised.value_or(0)));
    }

    std::string name;
    Index rows;
    Index columns;
    std::optional<std::uint64_t> promised;  ///< entries
    OutputStream file;
    Index written = 0;
    std::uint64_t entries = 0;
    std::vector<Index> places{};
    std::vector<double> values{};
};

void require_writable_matrix(const std::filesystem::path& path, const WriteOptions& options) {
    const auto format = matrix_format_from_name(path);
    if (!format || *format == MatrixFormat::Dense || *format == MatrixFormat::Svmlight) {
        throw OutputError(path.string(), "the name of a sparse matrix must end in .mtx, .mtx.gz or .npz");
    }
    require_writable_target(path, options.overwrite);
}

MatrixWriter::MatrixWriter(const std::filesystem::path& path, Index rows, Index columns, const WriteOptions& options,
                           std::optional<std::uint64_t> entries) {
    if (matrix_format_from_name(path) != MatrixFormat::MatrixMarket || (path.extension() == ".gz" && !entries)) {
        throw OutputError(path.string(), "the name of a matrix that is written row by row must end in .mtx");
    }
    require_writable_target(path, options.overwrite);
    state_ = std::make_unique<State>(path, rows, columns, options.overwrite, entries);
}

MatrixWriter::~MatrixWriter() = default;

void MatrixWriter::write_row(std::span<const double> row) {
    State& state = *state_;
    if (row.size() != state.columns) {
        throw InvalidArgument("row", std::to_string(row.size()) + " numbers",
                              "must have " + std::to_string(state.columns));
    }
    state.places.clear();
    state.values.clear();
    for (std::size_t j = 0; j < row.size(); ++j) {
        if (row[j] != 0.0) {
            state.places.push_back(static_cast<Index>(j));
            state.values.push_back(row[j]);
        }
    }
    write_row(state.places, state.values);
}

void MatrixWriter::write_row(std::span<const Index> columns, std::span<const double> values) {
    State& state = *state_;
    if (state.written == state.rows || columns.size() != values.size()) {
        throw InvalidArgument("row", std::to_string(state.written),
                              "there are " + std::to_string(state.rows) + ", each with a value for every column given");
    }
    std::string text;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (columns[k] >= state.columns || !std::isfinite(values[k])) {
            throw InvalidArgument("entry",
                                  "row " + std::to_string(state.written) + ", column " + std::to_string(columns[k]),
                                  "columns must be below " + std::to_string(state.columns) + ", values finite");
        }
        text += std::to_string(std::uint64_t{state.written} + 1) + " " + std::to_string(std::uint64_t{columns[k]} + 1) +
                " ";
        append_number(text, values[k]);
        text += '\n';
    }
    state.file.write(text);
    state.entries += columns.size();
    ++state.written;
}

void MatrixWriter::commit() {
    State& state = *state_;
    if (state.written < state.rows) {
        throw OutputError(state.name,
                          "only " + std::to_string(state.written) + " of " + std::to_string(state.rows) + " rows came");
    }
    if (state.promised && *state.promised != state.entries) {
        throw OutputError(state.name, std::to_string(state.entries) + " entries came, but " +
                                          std::to_string(*state.promised) + " were promised");
    }
    if (!state.promised) {
        state.file.replace_first(head_text(state.rows, state.columns, state.entries));
    }
    state.file.commit();
}

void write_matrix(const std::filesystem::path& path, const CsrMatrix<double>& matrix, const WriteOptions& options) {
    validate(matrix);
    require_writable_matrix(path, options);
    if (matrix_format_from_name(path) == MatrixFormat::Npz) {
        write_sparse_npz(path, matrix, options);
        return;
    }
    MatrixWriter writer(path, matrix.rows, matrix.columns, options, matrix.entries());
    for (Index i = 0; i < matrix.rows; ++i) {
        writer.write_row(matrix.row_indices(i), matrix.row_values(i));
    }
    writer.commit();
}

}  // namespace isogon
