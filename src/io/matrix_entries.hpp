#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/byte_stream.hpp"
#include "isogon/core/csr_matrix.hpp"

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

}  // namespace isogon
