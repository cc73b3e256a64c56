#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/dense_matrix.hpp"

namespace isogon {

/// A block of `columns` tall vectors of `rows` float64, stored row by row without gaps: for eigenproblems whose wanted
/// eigenvalues are a millionth of the largest. Twice the bytes of BlockVectors, which suffice for a precision of 1e-6.
struct WideVectors {
    Index rows = 0;
    Index columns = 0;
    std::vector<double> values{};  ///< entry (i, j) at i * columns + j

    WideVectors() = default;
    WideVectors(Index row_count, Index column_count)
        : rows(row_count), columns(column_count), values(std::size_t{row_count} * column_count) {}

    [[nodiscard]] double* row(std::size_t i) { return values.data() + i * columns; }
    [[nodiscard]] const double* row(std::size_t i) const { return values.data() + i * columns; }
    [[nodiscard]] double& at(std::size_t i, std::size_t j) { return values[i * columns + j]; }
    [[nodiscard]] double at(std::size_t i, std::size_t j) const { return values[i * columns + j]; }
    [[nodiscard]] static std::uint64_t bytes(Index rows, Index columns) {
        return std::uint64_t{rows} * columns * sizeof(double);
    }
};

/// U^T V for blocks of as many rows. O(n u v) time; the same bits for any number of threads.
[[nodiscard]] DenseMatrix cross_product(const WideVectors& u, const WideVectors& v, const RunContext& context);

/// V C: as many columns as C. O(n v c) time.
[[nodiscard]] WideVectors combination(const WideVectors& v, const DenseMatrix& c, const RunContext& context);

/// out -= V C.
void subtract_combination(const WideVectors& v, const DenseMatrix& c, WideVectors& out, const RunContext& context);

/// The columns that `chosen` lists, in that order.
[[nodiscard]] WideVectors chosen_columns(const WideVectors& v, std::span<const Index> chosen);

/// Blocks side by side; those without columns may have any number of rows.
[[nodiscard]] WideVectors side_by_side(std::span<const WideVectors* const> blocks);

/// The Euclidean length of every column.
[[nodiscard]] std::vector<double> column_lengths(const WideVectors& v, const RunContext& context);

}  // namespace isogon
