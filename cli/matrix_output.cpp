#include "matrix_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "isogon/core/error.hpp"
#include "isogon/core/rows.hpp"
#include "isogon/io/matrix_file.hpp"
#include "output_files.hpp"

namespace isogon::cli {

namespace {

void write_dense(const std::string& path, const CsrMatrix<double>& matrix, Session& session) {
    const auto held = session.while_writing();
    MatrixOutput file(path, matrix.rows, matrix.columns, session.overwrite());
    const Index block = rows_per_block(matrix.rows, floats_a_number * std::uint64_t{matrix.columns});
    require_memory(session.context(),
                   {{"a block of rows", std::uint64_t{block} * matrix.columns * floats_a_number * sizeof(float)}},
                   "raise --memory-limit, or write .mtx or .npz, which leave zeros out");
    std::vector<double> values;
    for (Index begin = 0; begin < matrix.rows; begin += block) {
        throw_if_cancelled(session.context());
        const Index count = std::min(block, matrix.rows - begin);
        values.assign(std::size_t{count} * matrix.columns, 0.0);
        for (Index i = 0; i < count; ++i) {
            const auto columns = matrix.row_indices(begin + i);
            for (std::size_t k = 0; k < columns.size(); ++k) {
                values[std::size_t{i} * matrix.columns + columns[k]] = matrix.row_values(begin + i)[k];
            }
        }
        file.write(values);
        session.context().report({"rows", std::uint64_t{begin} + count, matrix.rows, 0.0});
    }
    file.commit();
}

}  // namespace

MatrixOutput::MatrixOutput(const std::string& path, Index rows, Index columns, bool overwrite)
    : path_(path), columns_(columns) {
    const WriteOptions options{.format = {}, .overwrite = overwrite};
    if (is_market_name(path)) {
        sparse_.emplace(path, rows, columns, options);
    } else {
        dense_.emplace(path, PointsShape{.count = rows, .dimension = columns}, options);
    }
}

void MatrixOutput::write(std::span<const double> values) {
    if (sparse_) {
        for (std::size_t begin = 0; begin < values.size(); begin += columns_) {
            sparse_->write_row(values.subspan(begin, columns_));
        }
        return;
    }
    floats_.resize(values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (std::abs(values[k]) > std::numeric_limits<float>::max()) {
            throw OutputError(path_,
                              fmt::format("a value of {} is beyond the range of float32; write .mtx", values[k]));
        }
        floats_[k] = static_cast<float>(values[k]);
    }
    dense_->write(PointsView(floats_.data(), static_cast<Index>(values.size() / columns_), columns_));
}

void MatrixOutput::commit() {
    sparse_ ? sparse_->commit() : dense_->commit();
}

bool is_market_name(const std::string& path) {
    return std::filesystem::path(path).extension() == ".mtx";
}

bool is_matrix_name(const std::string& path) {
    const auto format = matrix_format_from_name(path);
    return format && *format != MatrixFormat::Dense;
}

void write_matrix_file(const std::string& path, const CsrMatrix<double>& matrix, Session& session) {
    if (is_matrix_name(path)) {
        write_output(session, [&](const WriteOptions& how) { write_matrix(path, matrix, how); });
    } else {
        write_dense(path, matrix, session);
    }
}

}  // namespace isogon::cli
