#include "files/matrix_files.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "files/output_files.hpp"
#include "io/matrix_file.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"

namespace isogon::cli {

namespace {

MatrixReadOptions options_of(const std::string& format) {
    if (format.empty()) {
        return {};
    }
    if (format == "mtx") {
        return {.format = MatrixFormat::MatrixMarket};
    }
    if (format == "npz") {
        return {.format = MatrixFormat::Npz};
    }
    if (format == "svmlight") {
        return {.format = MatrixFormat::Svmlight};
    }
    try {
        return {.points = {.format = parse_format(format)}};
    } catch (const InvalidArgument&) {
        const std::vector<std::string> known{"mtx", "npz",   "svmlight", "npy",   "csv", "tsv",
                                             "idx", "fvecs", "bvecs",    "ivecs", "vec", "word2vec"};
        static_cast<void>(parse_choice("--format", format, known));
        throw;
    }
}

}  // namespace

void add_matrix_flags(CLI::App& app, std::string& format) {
    add_value(
        app, "--format NAME", format,
        "Format of the input: mtx, npz, svmlight, or one of points, whose zeros are dropped (npy, csv, tsv, idx, ...); "
        "default: by the file's name, then by its first bytes")
        ->group("Reading");
}

CsrMatrix<double> read_matrix_within(const MatrixFlags& flags, Session& session) {
    const MatrixReadOptions options = options_of(flags.format);
    session.reserve(flags.file + " in memory", describe_matrix(flags.file, options).reading_bytes,
                    "raise --memory-limit, or give a part of the matrix");
    return read_matrix(flags.file, options);
}

bool is_sparse_input(const std::vector<std::string>& paths, const InputFlags& flags) {
    return flags.format == "mtx" || flags.format == "svmlight" ||
           ((flags.format.empty() || flags.format == "npz") &&
            std::ranges::any_of(paths, [](const std::string& path) { return is_matrix_file(path); }));
}

CsrMatrix<double> read_sparse_input(const std::vector<std::string>& paths, const InputFlags& flags, Session& session) {
    if (paths.size() > 1) {
        throw UsageError(paths.front() + ", " + paths[1] +
                         ": a sparse matrix is read from one file; stack them before (scipy.sparse.vstack)");
    }
    require_table({}, flags);
    if (!flags.vectors.empty()) {
        throw UsageError("--vectors " + flags.vectors + " has no effect here: " + paths.front() +
                         " is a sparse matrix; leave it out");
    }
    CsrMatrix<double> matrix = read_matrix_within({paths.front(), flags.format}, session);
    const RowPicker picker = row_picker(flags);
    if (picker.every == 1 && picker.from == 0) {
        return matrix;
    }
    const std::vector<Index> rows = picker.rows(0, matrix.rows);
    require_picked(rows.size(), flags, matrix.rows);
    return rows_of(matrix, rows);
}

namespace {

class DenseRowsOf final : public RowSource {
public:
    DenseRowsOf(CsrMatrix<double> matrix, std::string path) : matrix_(std::move(matrix)), path_(std::move(path)) {}
    [[nodiscard]] Index count() const override { return matrix_.rows; }
    [[nodiscard]] Index dimension() const override { return matrix_.columns; }
    [[nodiscard]] std::string place(Index row) const override { return fmt::format("{}, row {}", path_, row); }
    void read(Index first, std::span<float> values) const override {
        std::ranges::fill(values, 0.0F);
        for (std::size_t i = 0; i < values.size() / matrix_.columns; ++i) {
            const auto columns = matrix_.row_indices(first + static_cast<Index>(i));
            for (std::size_t k = 0; k < columns.size(); ++k) {
                values[i * matrix_.columns + columns[k]] =
                    static_cast<float>(matrix_.row_values(first + static_cast<Index>(i))[k]);
            }
        }
    }

private:
    CsrMatrix<double> matrix_;
    std::string path_;
};

}  // namespace

InputRows open_sparse_input(const std::vector<std::string>& paths, const InputFlags& flags, Session& session) {
    InputRows input;
    input.rows = std::make_unique<DenseRowsOf>(read_sparse_input(paths, flags, session), paths.front());
    input.rows_in_files = input.rows->count();
    return input;
}

void require_nonnegative(const CsrMatrix<double>& matrix, const std::string& file) {
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Offset k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
            if (matrix.values[k] < 0.0) {
                throw InputError(file, "row " + std::to_string(i) + ", column " + std::to_string(matrix.indices[k]),
                                 "is " + to_text(OptionValue{matrix.values[k]}) +
                                     ", below zero, which no max(0, L) is (counted from 0)");
            }
        }
    }
    if (matrix.entries() == 0) {
        throw InputError(file, "", "has no entry above zero");
    }
}

Json matrix_json(const std::string& file, const CsrMatrix<double>& matrix) {
    return {{"file", file}, {"rows", matrix.rows}, {"columns", matrix.columns}, {"entries", matrix.entries()}};
}

namespace {

void write_dense(const std::string& path, const CsrMatrix<double>& matrix, Session& session) {
    const auto held = session.while_writing();
    MatrixOutput file(path, matrix.rows, matrix.columns, write_options(session));
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

MatrixOutput::MatrixOutput(const std::string& path, Index rows, Index columns, const WriteOptions& how)
    : path_(path), columns_(columns) {
    if (is_market_name(path)) {
        sparse_.emplace(path, rows, columns, how);
    } else {
        dense_.emplace(path, PointsShape{.count = rows, .dimension = columns}, how);
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
