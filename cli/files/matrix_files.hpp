#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/io/matrix_file.hpp"
#include "isogon/io/output.hpp"
#include "program/cli11_types.hpp"
#include "program/json.hpp"
#include "program/session.hpp"

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

/// Numbers of dense rows as they go to a file: doubles, and as many floats beside them, in units of a float.
inline constexpr std::uint64_t floats_a_number = 3;

/// Where dense rows of a matrix go, block by block: Matrix Market (.mtx) with all digits and without zeros, or a format
/// of points in float32. All or nothing.
class MatrixOutput {
public:
    MatrixOutput(const std::string& path, Index rows, Index columns, bool overwrite);

    /// Appends whole rows. Throws OutputError, also for a value beyond float32 where that is what is written.
    void write(std::span<const double> values);
    void commit();

private:
    std::string path_;
    Index columns_;
    std::optional<MatrixWriter> sparse_;
    std::optional<PointWriter> dense_;
    std::vector<float> floats_;
};

/// Whether a name asks for a file that holds a matrix row by row without its zeros (.mtx).
[[nodiscard]] bool is_market_name(const std::string& path);
/// Whether a name asks for a file of a sparse matrix: .mtx, .mtx.gz, .npz.
[[nodiscard]] bool is_matrix_name(const std::string& path);

/// Writes a whole matrix, sparse or with its zeros, as the name says. Its memory beside the matrix is stated first.
void write_matrix_file(const std::string& path, const CsrMatrix<double>& matrix, Session& session);

}  // namespace isogon::cli
