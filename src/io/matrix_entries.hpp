#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/byte_stream.hpp"
#include "isogon/core/csr_matrix.hpp"

namespace isogon {

/// The entries of a matrix in the order in which a file tells them, counted from 0.
struct MatrixEntries {
    Index rows = 0;
    Index columns = 0;
    std::vector<Index> row{};
    std::vector<Index> column{};
    std::vector<double> values{};  ///< empty: all are 1
    bool symmetric = false;        ///< every entry off the diagonal stands for its mirror image too

    [[nodiscard]] Offset count() const { return row.size(); }
    [[nodiscard]] double value(Offset k) const { return values.empty() ? 1.0 : values[k]; }
};

/// How a file speaks of its entries.
struct EntryNames {
    std::function<std::string(Offset)> place;  ///< "line 17"
    Index first = 0;                           ///< the number of the first row and column
};

/// What a head may promise: sides that an Index counts, and at most a million rows or columns and a hundred more for
/// each entry, so that a few bytes cannot ask for gigabytes of empty rows. Throws InputError.
void require_believable_sides(const ByteStream& stream, std::uint64_t rows, std::uint64_t columns,
                              std::uint64_t entries);

/// The matrix, zeros dropped. Throws InputError naming the first entry, in the file's order, that is there twice, or
/// whose value is NaN or infinite. O(entries + sides) time; 28 bytes an entry at most, those of `entries` included.
[[nodiscard]] CsrMatrix<double> assemble(MatrixEntries&& entries, const ByteStream& stream, const EntryNames& names);

}  // namespace isogon
