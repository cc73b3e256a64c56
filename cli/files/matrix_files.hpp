#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "io/matrix_file.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/io/output.hpp"
#include "program/command_line.hpp"
#include "program/json.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// The file of a matrix, and its format.
struct MatrixFlags {
    std::string file;
    std::string format;  ///< empty: detected from the file
};

/// Adds --format, which applies to all matrices that the verb reads.
void add_matrix_flags(CLI::App& app, std::string& format);

/// Reads a matrix; its memory is stated first. Throws InputError, LimitExceeded; UsageError for an unknown format.
[[nodiscard]] CsrMatrix<double> read_matrix_within(const MatrixFlags& flags, Session& session);

/// Whether points are given as a sparse matrix: by --format, else by the file.
[[nodiscard]] bool is_sparse_input(const std::vector<std::string>& paths, const InputFlags& flags);

/// Reads such points, the rows that --every and --from choose. Throws UsageError for several files, and for flags that
/// have no effect; else as read_matrix_within().
[[nodiscard]] CsrMatrix<double> read_sparse_input(const std::vector<std::string>& paths, const InputFlags& flags,
                                                  Session& session);

/// The same as rows that become dense block by block, while they are read.
[[nodiscard]] InputRows open_sparse_input(const std::vector<std::string>& paths, const InputFlags& flags,
                                          Session& session);

/// Throws InputError naming the first negative entry, or if there is no positive one.
void require_nonnegative(const CsrMatrix<double>& matrix, const std::string& file);

/// {"file": ..., "rows": m, "columns": n, "entries": those that are not zero}
[[nodiscard]] Json matrix_json(const std::string& file, const CsrMatrix<double>& matrix);

/// Memory per number of dense rows that are written, in floats: one double and one float.
inline constexpr std::uint64_t floats_a_number = 3;

/// Writes dense rows of a matrix block by block: Matrix Market (.mtx) with all digits and without zeros, or a format of
/// points in float32. The file appears complete or not at all.
class MatrixOutput {
public:
    MatrixOutput(const std::string& path, Index rows, Index columns, const WriteOptions& how);

    /// Appends complete rows. Throws OutputError, also for a value beyond float32 in a format of points.
    void write(std::span<const double> values);
    void commit();

private:
    std::string path_;
    Index columns_;
    std::optional<MatrixWriter> sparse_;
    std::optional<PointWriter> dense_;
    std::vector<float> floats_;
};

/// Whether the name has the extension of Matrix Market, which is written row by row without zeros (.mtx).
[[nodiscard]] bool is_market_name(const std::string& path);
/// Whether the name has the extension of a sparse matrix: .mtx, .mtx.gz, .npz.
[[nodiscard]] bool is_matrix_name(const std::string& path);

/// Writes a matrix in the format of the name, sparse or dense. The additional memory is stated first.
void write_matrix_file(const std::string& path, const CsrMatrix<double>& matrix, Session& session);

}  // namespace isogon::cli
