#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/io/output.hpp"

namespace isogon {

/// Called before a long run: throws OutputError if write_matrix() could not write such a file, as require_writable()
/// does, and unless its name ends in .mtx, .mtx.gz or .npz.
void require_writable_matrix(const std::filesystem::path& path, const WriteOptions& options = {});

/// A matrix written row by row as Matrix Market, coordinate real general, in the memory of one row: numbers as short as
/// they can be without losing a bit of a float64. All or nothing, as PointWriter.
class MatrixWriter {
public:
    /// `entries`: how many will come, if that is known: then the file may be packed (.mtx.gz), else its name must end
    /// in .mtx, as their number stands in the head and a packed one could not be mended. Throws OutputError as
    /// require_writable_matrix() does; InvalidArgument for no rows or no columns.
    MatrixWriter(const std::filesystem::path& path, Index rows, Index columns, const WriteOptions& options = {},
                 std::optional<std::uint64_t> entries = {});
    ~MatrixWriter();
    MatrixWriter(const MatrixWriter&) = delete;
    MatrixWriter& operator=(const MatrixWriter&) = delete;

    /// Appends the next row, one number for each column; zeros are left out. Throws OutputError; InvalidArgument for a
    /// row too many, of another length, or with NaN or infinity.
    void write_row(std::span<const double> row);
    /// Appends the next row by its entries: columns ascending, and a value for each.
    void write_row(std::span<const Index> columns, std::span<const double> values);
    /// Puts the file in its place. Throws OutputError, also if rows are missing, or entries not as many as promised.
    void commit();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Writes a whole matrix, all or nothing: as Matrix Market (.mtx, .mtx.gz), or as scipy.sparse.save_npz does (.npz, csr
/// of float64). To the bit what read_matrix() reads. InvalidArgument as validate() has it.
void write_matrix(const std::filesystem::path& path, const CsrMatrix<double>& matrix, const WriteOptions& options = {});

}  // namespace isogon
