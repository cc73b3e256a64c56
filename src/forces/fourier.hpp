#pragma once
#include <cstddef>
#include <vector>

#include "isogon/core/run_context.hpp"

namespace isogon {

/// Fourier transforms of several lines at once, side by side, so that the innermost loop runs over lines and the
/// compiler can vectorise it: X_k = sum_t x_t exp(-2 pi i t k / length). Stockham's order, radix 4, 2 and 3: data
/// alternate between two arrays, and no reordering is needed (Van Loan, "Computational frameworks for the fast Fourier
/// transform", 1992, section 1.7).
class FourierLines {
public:
    static constexpr std::size_t lanes = 8;

    /// Lengths are those that length_for() gives. O(length) time and memory.
    explicit FourierLines(std::size_t length);

    /// The least length of at least `wanted` that is a power of two, or three times one.
    [[nodiscard]] static std::size_t length_for(std::size_t wanted);

    /// What a transform works in: number t of all lines at real(t), which their imaginary parts follow.
    struct Workspace {
        explicit Workspace(std::size_t length) : values(2 * length * lanes), others(2 * length * lanes) {}
        [[nodiscard]] double* real(std::size_t t) { return values.data() + 2 * t * lanes; }
        [[nodiscard]] double* imaginary(std::size_t t) { return real(t) + lanes; }
        std::vector<double> values;
        std::vector<double> others;
    };

    /// Transforms the workspace's numbers in place. With real and imaginary parts exchanged it is the inverse, times
    /// length. 5 length log2(length) operations a line.
    void transform(Workspace& work) const;

    [[nodiscard]] std::size_t length() const { return length_; }

private:
    std::size_t length_;
    std::vector<std::size_t> radices_;
    std::vector<double> cosines_;  // of -2 pi t / length
    std::vector<double> sines_;
};

/// Complex numbers on a grid.
struct FourierPlane {
    FourierPlane() = default;
    FourierPlane(std::size_t row_count, std::size_t column_count)
        : rows(row_count), columns(column_count), real(rows * stride()), imaginary(rows * stride()) {}

    /// Padded: with a stride of a power of two the beginnings of all rows would map to the same cache set.
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
