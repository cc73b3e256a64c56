#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// The formats of files of sparse matrices: Matrix Market (.mtx), what scipy.sparse.save_npz writes (.npz), SVMlight's,
/// which is only read (.svm, .svmlight, .libsvm), and any format of points, whose zeros are dropped.
enum class MatrixFormat { MatrixMarket, Npz, Svmlight, Dense };

struct MatrixReadOptions {
    std::optional<MatrixFormat> format{};  ///< empty: by the file's name, then by its first bytes
    ReadOptions points{};                  ///< for dense files: format, header, columns that are not data
};

/// The format by the name of a file without a final .gz: .mtx, .npz, .svm ...; Dense for a name that format_from_name()
/// knows.
[[nodiscard]] std::optional<MatrixFormat> matrix_format_from_name(const std::filesystem::path& path);

/// The properties of a matrix file, found without reading its entries where the format allows.
struct MatrixInfo {
    std::string format{};  ///< "mtx", "npz", "npy", ...
    std::string scalar{};  ///< "real", "float64", ...
    bool gzip = false;
    bool symmetric = false;  ///< one half is in the file
    std::uint64_t file_bytes = 0;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::uint64_t entries = 0;        ///< in the file; of a dense one all
    std::uint64_t reading_bytes = 0;  ///< the largest memory need of reading it
};

/// Throws InputError as read_matrix() does, for errors in the header.
[[nodiscard]] MatrixInfo describe_matrix(const std::filesystem::path& path, const MatrixReadOptions& options = {});

/// Reads a matrix, zeros dropped, columns of a row ascending, in float64. Throws InputError naming file, line or entry,
/// and reason: for damaged, truncated or other files; for headers whose counts do not fit the file (checked before
/// memory is allocated); complex, skew-symmetric and Hermitian matrices; rows and columns out of range; NaN and
/// infinity; duplicate entries. Negative numbers are allowed. One pass; up to 28 bytes an entry while entries are
/// sorted, 12 afterwards.
[[nodiscard]] CsrMatrix<double> read_matrix(const std::filesystem::path& path, const MatrixReadOptions& options = {});

/// Whether a file holds a sparse matrix, .mtx, .svm, or .npz with the arrays of one: by its name, else by its first
/// bytes. False for an archive that cannot be read.
[[nodiscard]] bool is_matrix_file(const std::filesystem::path& path);

/// Called before a long run: throws OutputError if write_matrix() could not write such a file, as require_writable()
/// does, and unless its name ends in .mtx, .mtx.gz or .npz.
void require_writable_matrix(const std::filesystem::path& path, const WriteOptions& options = {});

/// Writes a matrix row by row as Matrix Market, coordinate real general, in the memory of one row. Numbers have the
/// fewest digits that reproduce the float64 bit for bit. All or nothing, as PointWriter.
class MatrixWriter {
public:
    /// `entries`: their number, if it is known. If it is not, the name must end in .mtx, because the header contains
    /// the number and the header of a compressed file (.mtx.gz) cannot be corrected. Throws OutputError as
    /// require_writable_matrix() does; InvalidArgument for no rows or no columns.
    MatrixWriter(const std::filesystem::path& path, Index rows, Index columns, const WriteOptions& options = {},
                 std::optional<std::uint64_t> entries = {});
    ~MatrixWriter();
    MatrixWriter(const MatrixWriter&) = delete;
    MatrixWriter& operator=(const MatrixWriter&) = delete;

    /// Appends the next row, one number for each column; zeros are omitted. Throws OutputError; InvalidArgument for a
    /// row too many, of another length, or with NaN or infinity.
    void write_row(std::span<const double> row);
    /// Appends the next row by its entries: columns ascending, and a value for each.
    void write_row(std::span<const Index> columns, std::span<const double> values);
    /// Completes the file. Throws OutputError, also if rows are missing, or the number of entries is not `entries`.
    void commit();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Writes a whole matrix, all or nothing: as Matrix Market (.mtx, .mtx.gz), or as scipy.sparse.save_npz does (.npz,
/// csr of float64). read_matrix() reads the same bits. Throws InvalidArgument as validate() does.
void write_matrix(const std::filesystem::path& path, const CsrMatrix<double>& matrix, const WriteOptions& options = {});

}  // namespace isogon
