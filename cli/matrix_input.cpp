#include "matrix_input.hpp"

#include <CLI/CLI.hpp>

#include "failure.hpp"
#include "isogon/core/error.hpp"
#include "quantity.hpp"

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
    try {
        return {.points = {.format = parse_format(format)}};
    } catch (const InvalidArgument&) {
        const std::vector<std::string> known{"mtx",   "npz",   "npy",   "csv", "tsv",     "idx",
                                             "fvecs", "bvecs", "ivecs", "vec", "word2vec"};
        static_cast<void>(parse_choice("--format", format, known));
        throw;
    }
}

}  // namespace

void add_matrix_flags(CLI::App& app, std::string& format) {
    app.add_option(
           "--format", format,
           "Format of the input: mtx, npz, or one of points, whose zeros are dropped (npy, csv, tsv, idx, ...); "
           "default: by the file's name, then by its first bytes")
        ->type_name("NAME")
        ->group("Reading");
}

CsrMatrix<double> read_matrix_within(const MatrixFlags& flags, Session& session) {
    const MatrixReadOptions options = options_of(flags.format);
    session.reserve(flags.file + " in memory", describe_matrix(flags.file, options).reading_bytes,
                    "raise --memory-limit, or give a part of the matrix");
    return read_matrix(flags.file, options);
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

}  // namespace isogon::cli
