#pragma once
#include <string>

#include "cli11_types.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/io/matrix_file.hpp"
#include "json.hpp"
#include "session.hpp"

namespace isogon::cli {

/// A matrix as a verb reads it: which file, and how that is read.
struct MatrixFlags {
    std::string file;
    std::string format;  ///< empty: as the file says
};

/// Adds --format, for all matrices that the verb reads.
void add_matrix_flags(CLI::App& app, std::string& format);

/// Reads a matrix. What that takes is stated first. Throws InputError, LimitExceeded; UsageError for a format that
/// there is not.
[[nodiscard]] CsrMatrix<double> read_matrix_within(const MatrixFlags& flags, Session& session);

/// Throws InputError naming the first entry below zero, or that none is above.
void require_nonnegative(const CsrMatrix<double>& matrix, const std::string& file);

/// {"file": ..., "rows": m, "columns": n, "entries": those that are not zero}
[[nodiscard]] Json matrix_json(const std::string& file, const CsrMatrix<double>& matrix);

}  // namespace isogon::cli
