#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"

namespace isogon {

/// Differences of points in float64, and their products. The product of two vectors has the same bits from each
/// function and for any other vectors: components are summed in one order.
class DifferenceRows {
public:
    DifferenceRows() = default;
    DifferenceRows(std::size_t rows, Index dimension);

    [[nodiscard]] std::size_t rows() const { return rows_; }
    /// Row i := y - x.
    void set(std::size_t i, std::span<const float> y, std::span<const float> x);

    /// gram[j * stride + i] := v_i.v_j for the rows i in [begin, end), j <= i; begin a multiple of 4. Up to 3 entries
    /// past the diagonal, and rows up to the next multiple of 4, are written as well. Blocks of rows are independent.
    void multiply(std::size_t begin, std::size_t end, double* gram, std::size_t stride) const;
    /// products[k] := v_chosen[k].w, w the first row of another set of the same dimension.
    void multiply(std::span<const Index> chosen, const DifferenceRows& w, double* products) const;

    /// The number of rows for which a gram of so many rows needs memory.
    [[nodiscard]] static std::size_t padded(std::size_t rows) { return (rows + 3) / 4 * 4; }
    [[nodiscard]] static std::uint64_t bytes(std::size_t rows, Index dimension);

private:
    static constexpr std::size_t numbers_in_line = 8;
    /// A cache line, for aligned loads.
    struct alignas(64) Line {
        std::array<double, numbers_in_line> numbers{};
    };

    [[nodiscard]] const double* row(std::size_t i) const { return lines_[i * lines_of_row_].numbers.data(); }

    std::size_t rows_ = 0;
    std::size_t lines_of_row_ = 0;  ///< with zeros at the end of the last
    std::vector<Line> lines_{};     ///< of the rows, filled up to a multiple of 4 with zero vectors
};

}  // namespace isogon
