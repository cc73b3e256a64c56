#pragma once
#include <cstddef>
#include <vector>

#include "forces/fourier_lines.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Complex numbers on a grid.
struct FourierPlane {
    FourierPlane() = default;
    FourierPlane(std::size_t row_count, std::size_t column_count)
        : rows(row_count), columns(column_count), real(rows * stride()), imaginary(rows * stride()) {}

    /// Powers of two apart, all rows' beginnings would compete for one place in the cache.
    [[nodiscard]] std::size_t stride() const { return columns + FourierLines::lanes; }
    [[nodiscard]] std::size_t place(std::size_t row, std::size_t column) const { return row * stride() + column; }
    [[nodiscard]] static std::uint64_t bytes(std::size_t rows, std::size_t columns) {
        return std::uint64_t{rows} * (columns + FourierLines::lanes) * 2 * sizeof(double);
    }

    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<double> real{};
    std::vector<double> imaginary{};
};

/// Fourier transforms of such planes in both directions, rows and columns of lengths that FourierLines has. The same
/// bits for any number of threads.
class PlaneTransform {
public:
    PlaneTransform(std::size_t rows, std::size_t columns) : along_columns_(rows), along_rows_(columns) {}

    /// Only the first `used_rows` rows hold anything but zeros.
    void forward(FourierPlane& plane, std::size_t used_rows, const RunContext& context) const;
    /// Times rows * columns. Only the first `used_rows` rows of the result are wanted; the others are left undefined.
    void inverse(FourierPlane& plane, std::size_t used_rows, const RunContext& context) const;

private:
    FourierLines along_columns_;  // transforms of columns, of length `rows`
    FourierLines along_rows_;
};

}  // namespace isogon
