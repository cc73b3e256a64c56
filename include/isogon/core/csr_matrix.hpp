#pragma once
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// A sparse matrix in compressed rows (CSR): the entries of row i are indices[k], values[k] for k in
/// [offsets[i], offsets[i + 1]), by ascending column. 4 bytes and a value an entry, and 8 bytes a row. Similarities and
/// weights of an extension are float; eigenproblems whose wanted end is a millionth of the other (graphs, Laplacians,
/// weights that sum to one) are double.
template <class Value>
struct CsrMatrix {
    Index rows = 0;
    Index columns = 0;
    std::vector<Offset> offsets{0};
    std::vector<Index> indices{};
    std::vector<Value> values{};

    [[nodiscard]] Offset entries() const { return indices.size(); }
    /// Bytes that the three arrays hold.
    [[nodiscard]] std::uint64_t bytes() const {
        return offsets.size() * sizeof(Offset) + entries() * (sizeof(Index) + sizeof(Value));
    }
    [[nodiscard]] std::span<const Index> row_indices(Index i) const {
        return {indices.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
    }
    [[nodiscard]] std::span<const Value> row_values(Index i) const {
        return {values.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
    }
};

/// Throws InvalidArgument naming the first row whose offsets, columns or order break the format above, or whose values
/// are not finite. O(entries). This and the transposes are compiled for float and double.
template <class Value>
void validate(const CsrMatrix<Value>& matrix);

/// The rows that `chosen` lists, in its order. O(entries chosen).
[[nodiscard]] CsrMatrix<double> rows_of(const CsrMatrix<double>& matrix, std::span<const Index> chosen);

/// The same matrix with values of another type. Offsets and indices are moved, not copied.
[[nodiscard]] CsrMatrix<float> narrow(CsrMatrix<double> matrix);
[[nodiscard]] CsrMatrix<double> widen(CsrMatrix<float> matrix);

/// The transpose, rows sorted. O(rows + columns + entries).
template <class Value>
[[nodiscard]] CsrMatrix<Value> transpose(const CsrMatrix<Value>& matrix);
/// The same on the context's threads, with up to 16 counts a column beside it. Rows of the matrix need not be sorted.
template <class Value>
[[nodiscard]] CsrMatrix<Value> transpose(const CsrMatrix<Value>& matrix, const RunContext& context);

}  // namespace isogon
