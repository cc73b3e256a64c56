#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// The formats that sparse matrices come in: Matrix Market (.mtx), what scipy.sparse.save_npz writes (.npz), and any
/// format of points, whose zeros are dropped.
enum class MatrixFormat { MatrixMarket, Npz, Dense };

struct MatrixReadOptions {
    std::optional<MatrixFormat> format{};  ///< empty: by the file's name, then by its first bytes
    ReadOptions points{};                  ///< of dense files: format, header, columns that are left out
};

/// From the name of a file, a final .gz set aside: .mtx and .npz; Dense for a name that format_from_name() knows.
[[nodiscard]] std::optional<MatrixFormat> matrix_format_from_name(const std::filesystem::path& path);

/// What a file says of itself, without reading its entries where the format allows.
struct MatrixInfo {
    std::string format{};  ///< "mtx", "npz", "npy", ...
    std::string scalar{};  ///< "real", "float64", ...
    bool gzip = false;
    bool symmetric = false;  ///< one half is in the file
    std::uint64_t file_bytes = 0;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::uint64_t entries = 0;        ///< in the file; of a dense one all
    std::uint64_t reading_bytes = 0;  ///< the most that reading it takes
};

/// Throws InputError as read_matrix() does, for what the head tells.
[[nodiscard]] MatrixInfo describe_matrix(const std::filesystem::path& path, const MatrixReadOptions& options = {});

/// Reads a matrix, zeros dropped, columns of a row ascending, in float64. Throws InputError naming file, line or entry,
/// and why: for what is damaged, truncated or no such file; for heads whose counts do not fit the file (nothing is
/// allocated on their word); complex, skew-symmetric and Hermitian matrices; rows and columns that are not there; NaN
/// and infinity; an entry that is there twice. Negative numbers are read as they are. One pass; up to 28 bytes an entry
/// while it is put in order, 12 when it is done.
[[nodiscard]] CsrMatrix<double> read_matrix(const std::filesystem::path& path, const MatrixReadOptions& options = {});

/// Whether a file holds a sparse matrix, .mtx or .npz: by its name, else by its first bytes. False for a file that
/// cannot be read.
[[nodiscard]] bool is_matrix_file(const std::filesystem::path& path);

}  // namespace isogon
