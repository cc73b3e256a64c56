#include "isogon/io/matrix_file.hpp"

#include <algorithm>
#include <limits>

#include "io/byte_stream.hpp"
#include "io/dense_matrix.hpp"
#include "io/detect_format.hpp"
#include "io/matrix_market.hpp"
#include "io/matrix_market_head.hpp"
#include "io/sparse_npz.hpp"
#include "io/zip_file.hpp"
#include "isogon/core/error.hpp"

namespace isogon {

namespace {

constexpr std::size_t shown_bytes = 16;

// What one entry takes while a matrix is read: as told and put in order, of a dense file, and mirrored besides.
constexpr double told_bytes = 28.0;
constexpr double dense_bytes = 24.0;
constexpr double mirrored_bytes = 24.0;
constexpr double unpacked_bytes = 16.0;  // of gzip: how many will come is not believed, so lists grow
constexpr double side_bytes = 24.0;

std::string lower_case(std::string text) {
    for (char& c : text) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
}

std::optional<MatrixFormat> sparse_format_from_bytes(std::string_view first_bytes) {
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
    ByteStream stream(path);
    return sparse_format_from_bytes(stream.peek(shown_bytes).substr(0, shown_bytes)).value_or(MatrixFormat::Dense);
}

/// What reading takes, from what the head promises.
std::uint64_t reading_bytes(const MatrixInfo& info, double each) {
    each += (info.symmetric ? mirrored_bytes : 0.0) + (info.gzip ? unpacked_bytes : 0.0);
    const double bytes =
        static_cast<double>(info.entries) * each + static_cast<double>(info.rows + info.columns) * side_bytes;
    return static_cast<std::uint64_t>(std::min(bytes, 0x1p62));
}

MatrixInfo describe_market(const std::filesystem::path& path) {
    ByteStream stream(path);
    LineReader lines(stream);
    const MatrixMarketHead head = read_matrix_market_head(lines);
    MatrixInfo info{.format = "mtx", .scalar = head.field, .gzip = stream.gzip(), .symmetric = head.symmetric};
    info.file_bytes = stream.file().size();
    info.rows = head.rows;
    info.columns = head.columns;
    info.entries = head.entries;
    info.reading_bytes = reading_bytes(info, told_bytes);
    return info;
}

MatrixInfo describe_npz(const std::filesystem::path& path) {
    const SparseNpzHead head = read_sparse_npz_head(path);
    MatrixInfo info{.format = "npz", .scalar = head.scalar};
    info.file_bytes = InputFile(path).size();
    info.rows = head.rows;
    info.columns = head.columns;
    info.entries = head.entries;
    info.reading_bytes = reading_bytes(info, told_bytes);
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

CsrMatrix<double> read(const std::filesystem::path& path, const MatrixReadOptions& options) {
    switch (detect(path, options)) {
        case MatrixFormat::Npz: return read_sparse_npz(path);
        case MatrixFormat::MatrixMarket: {
            ByteStream stream(path);
            return read_matrix_market(stream);
        }
        case MatrixFormat::Dense: break;
    }
    ByteStream stream(path);
    return read_dense_matrix(stream, path, detect_format(stream, path, options.points.format), options.points);
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
    return format_from_name(path) ? std::optional(MatrixFormat::Dense) : std::nullopt;
}

MatrixInfo describe_matrix(const std::filesystem::path& path, const MatrixReadOptions& options) {
    switch (detect(path, options)) {
        case MatrixFormat::MatrixMarket: return describe_market(path);
        case MatrixFormat::Npz: return describe_npz(path);
        case MatrixFormat::Dense: break;
    }
    return describe_dense(path, options.points);
}

CsrMatrix<double> read_matrix(const std::filesystem::path& path, const MatrixReadOptions& options) {
    return read(path, options);
}

bool is_matrix_file(const std::filesystem::path& path) {
    const auto format = matrix_format_from_name(path);
    if (format) {
        return *format != MatrixFormat::Dense;
    }
    try {
        ByteStream stream(path);
        return sparse_format_from_bytes(stream.peek(shown_bytes).substr(0, shown_bytes)).has_value();
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace isogon
