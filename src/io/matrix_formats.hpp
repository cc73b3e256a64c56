#pragma once
// The formats of files of sparse matrices, and the step from the entries of a file to a CsrMatrix that they share.
// matrix_file.cpp chooses among them.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_stream.hpp"
#include "io/text_file.hpp"
#include "isogon/core/csr_matrix.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// The entries of a matrix in the order of a file, with subscripts from 0.
struct MatrixEntries {
    Index rows = 0;
    Index columns = 0;
    std::vector<Index> row{};
    std::vector<Index> column{};
    std::vector<double> values{};  ///< empty: all are 1
    bool symmetric = false;        ///< every entry off the diagonal also represents its mirror image

    [[nodiscard]] Offset count() const { return row.size(); }
    [[nodiscard]] double value(Offset k) const { return values.empty() ? 1.0 : values[k]; }
};

/// How messages name an entry of a file.
struct EntryNames {
    std::function<std::string(Offset)> place;  ///< "line 17"
    Index first = 0;                           ///< the number of the first row and column
};

/// Checks the sizes in a header: rows and columns must fit an Index, and be at most a million plus a hundred for each
/// entry, so that a few bytes cannot cause gigabytes of empty rows. Throws InputError.
void require_believable_sides(const ByteStream& stream, std::uint64_t rows, std::uint64_t columns,
                              std::uint64_t entries);

/// The matrix, zeros dropped. Throws InputError naming the first entry, in the file's order, that occurs twice, or
/// whose value is NaN or infinite. O(entries + sides) time; 28 bytes an entry at most, those of `entries` included.
[[nodiscard]] CsrMatrix<double> assemble(MatrixEntries&& entries, const ByteStream& stream, const EntryNames& names);

// The Matrix Market exchange formats (Boisvert, Pozo, Remington, NISTIR 5935): a line "%%MatrixMarket matrix ...",
// comments, a line of sizes, and one entry a line, counted from 1.

/// The content of the first line and the line of sizes.
struct MatrixMarketHead {
    bool coordinate = true;  ///< "row column value" a line; else "array": all numbers, column by column
    bool pattern = false;    ///< no values: all are 1
    bool symmetric = false;
    std::string field{};  ///< "real", "integer", "pattern", as the file says
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::uint64_t entries = 0;  ///< lines that follow
};

[[nodiscard]] bool is_matrix_market(std::string_view first_bytes);

/// Reads the header; the lines of entries follow. Throws InputError for what is not Matrix Market, for vectors, complex
/// numbers, skew-symmetric and Hermitian matrices (by name), impossible sizes, and more entries than the stream has
/// bytes for.
[[nodiscard]] MatrixMarketHead read_matrix_market_head(LineReader& lines);

/// The next line that is neither blank nor a comment; false at the end.
bool next_matrix_market_line(LineReader& lines, std::string_view& line);

/// The first words of a line; `count` is one more than fit if there are more.
template <std::size_t most>
struct LineWords {
    std::array<std::string_view, most> word{};
    std::size_t count = 0;

    explicit LineWords(std::string_view line) {
        constexpr std::string_view blanks = " \t";
        std::size_t begin = line.find_first_not_of(blanks);
        while (begin != std::string_view::npos && count < most) {
            const std::size_t end = line.find_first_of(blanks, begin);
            word[count++] = line.substr(begin, end == std::string_view::npos ? end : end - begin);
            begin = line.find_first_not_of(blanks, end);
        }
        count += begin != std::string_view::npos ? 1 : 0;
    }
};

/// Reads a Matrix Market file, zeros dropped, the other half of a symmetric matrix filled in. Throws InputError naming
/// the line: as read_matrix_market_head() does; for a row or column that does not exist, text in place of a number, NaN
/// and infinity, an entry that occurs twice, more or fewer entries than the header states.
[[nodiscard]] CsrMatrix<double> read_matrix_market(ByteStream& stream);

// The format of SVMlight and LIBSVM: a row a line, its class or target and then COLUMN:NUMBER for each entry, columns
// counted from 1, or from 0 where there is a column 0. "qid:7" and what follows # is passed over.

struct SparseHead {
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::uint64_t entries = 0;
};

/// Reads the file to its end. Throws InputError as read_svmlight() does.
[[nodiscard]] SparseHead read_svmlight_head(ByteStream& stream);

/// Reads a matrix, zeros dropped, without the classes. Throws InputError naming the line, for anything else than such a
/// row, NaN and infinity, and a column that is there twice.
[[nodiscard]] CsrMatrix<double> read_svmlight(ByteStream& stream);

// Sparse matrices as scipy.sparse.save_npz writes them: a zip archive of .npy arrays `format`, `shape`, `data`, and
// `indices` and `indptr` (csr, csc) or `row` and `col` (coo).

/// What a reader of points says of a sparse matrix.
inline constexpr const char* sparse_instead =
    "holds a sparse matrix, not dense points: embed, neighbors, transform and decompose read such (.mtx, .npz, .svm), "
    "and `isogon convert` makes them dense";

/// Whether an archive has the arrays of a sparse matrix. Throws InputError for what is no archive.
[[nodiscard]] bool is_sparse_npz(const std::filesystem::path& path);

struct SparseNpzHead : SparseHead {
    std::string format{};  ///< "csr", "csc", "coo"
    std::string scalar{};  ///< "float64", ...
};

/// The description of a matrix, from the small arrays and the headers of the others.
[[nodiscard]] SparseNpzHead read_sparse_npz_head(const std::filesystem::path& path);

/// Reads a matrix, zeros dropped; entries of a row may come in any order. Throws InputError for anything but a whole
/// archive of one of these formats: damaged zip or .npy, arrays whose lengths disagree, indices out of range, NaN and
/// infinity, duplicate entries.
[[nodiscard]] CsrMatrix<double> read_sparse_npz(const std::filesystem::path& path);

/// Writes a matrix as scipy.sparse.save_npz writes a csr matrix of float64, not packed, for scipy.sparse.load_npz and
/// read_sparse_npz(): int32 for columns (int64 where 2^31 and more of them are), int64 for where rows begin. The same
/// matrix gives the same bytes. All or nothing. Throws OutputError, also for a file of 4 GB or more. Needs memory for
/// one more list of the matrix.
void write_sparse_npz(const std::filesystem::path& path, const CsrMatrix<double>& matrix, const WriteOptions& options);

/// Reads an array of rows as a sparse matrix: zeros are dropped, the first subscript counts rows, the others are
/// flattened. .npy, IDX, csv and tsv keep what float64 holds; other formats are read as read_points() reads them.
/// Throws InputError as read_points() does, and naming row and column of the first NaN or infinity. 12 bytes for each
/// number that is not zero, 24 while .npy in Fortran order is transposed.
[[nodiscard]] CsrMatrix<double> read_dense_matrix(ByteStream& stream, const std::filesystem::path& path, Format format,
                                                  const ReadOptions& options);

}  // namespace isogon
