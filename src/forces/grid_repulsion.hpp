#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// A pass of a transform: butterflies of `radix` numbers, `parts` factors, `stride` butterflies for each.
struct FourierPass {
    std::size_t radix = 4;
    std::size_t parts = 1;
    std::size_t stride = 1;
    const double* cosines = nullptr;
    const double* sines = nullptr;
};

/// Fourier transforms of several lines at once, side by side in vectors: X_k = sum_t x_t exp(-2 pi i t k / length).
/// Stockham's order, radix 4, 2 and 3: data alternate between two arrays, and no reordering is needed (Van Loan,
/// "Computational frameworks for the fast Fourier transform", 1992, section 1.7).
class FourierLines {
public:
    static constexpr std::size_t lanes = 8;

    /// Lengths are those that length_for() gives. O(length) time and memory.
    explicit FourierLines(std::size_t length);

    /// The least length of at least `wanted` that is a power of two, or three times one.
    [[nodiscard]] static std::size_t length_for(std::size_t wanted);

    /// Memory of a transform: number t of all lines at real(t), which their imaginary parts follow.
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
    std::vector<double> cosines_;  // cosines of -2 pi t / length
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

/// Equally spaced nodes along one coordinate, the first of them one and a half steps below `low`.
struct GridAxis {
    double low = 0.0;
    double step = 1.0;
    std::size_t nodes = 1;
};

/// Nodes for reading in [low, high]: as far apart as `longest_step`, or closer where that
/// leaves fewer than `least_nodes`, so that short ranges are resolved as well.
[[nodiscard]] GridAxis enclosing_axis(double low, double high, double longest_step, std::size_t least_nodes);

/// The four nodes around a place, and what the cubic B-splines of these are there: positive, and 1 together.
struct NodeWeights {
    std::size_t first = 0;
    std::size_t count = 1;
    std::array<double, 4> weights{1.0, 0.0, 0.0, 0.0};
};
[[nodiscard]] NodeWeights node_weights(const GridAxis& axis, double place);

/// The Fourier transform of the weights that a node itself has, 2/3, and its neighbours, 1/6, on a circle of `period`
/// nodes. What is divided by it comes out at the nodes as it went in, and between them as the cubic spline through
/// these values. 1 for a period of 1, where there is no interpolation.
[[nodiscard]] double node_symbol(std::size_t frequency, std::size_t period);

/// A grid over outputs of one or two numbers, as in Linderman, Rachh, Hoskins, Steinerberger and Kluger, "Fast
/// interpolation-based t-SNE for improved visualization of single-cell RNA-seq data", Nature Methods 2019, but with
/// cubic splines, as in particle-mesh methods (Essmann et al., J. Chem. Phys. 103, 1995), in place of a polynomial for
/// each cell: as many nodes for a ninth of the error, and forces without jumps. Rows run along the first number; of one
/// number, the grid has one column. `y` must outlive it.
class InterpolationGrid {
public:
    static constexpr std::size_t width = 4;  ///< nodes that a point reaches, along each number

    InterpolationGrid(const MultiVector<double>& y, const GridAxis& rows, const GridAxis& columns);

    /// Row and column weights of point i.
    [[nodiscard]] NodeWeights along_rows(std::size_t i) const { return node_weights(rows_, y_.at(i, 0)); }
    [[nodiscard]] NodeWeights along_columns(std::size_t i) const {
        return y_.columns() == 1 ? NodeWeights{} : node_weights(columns_, y_.at(i, 1));
    }

    /// The planes become sums of charges, spread over the nodes: those of `charges(i)` for point i, real and
    /// imaginary of each plane in turn. Strips of rows are filled by themselves, points in one order: the same bits
    /// for any threads.
    template <std::size_t Planes, class Charges>
    void spread(std::array<FourierPlane*, Planes> planes, const Charges& charges, const RunContext& context) const;

    /// The values of the planes at point i, in the same order.
    template <std::size_t Planes>
    [[nodiscard]] std::array<double, 2 * Planes> read(const std::array<const FourierPlane*, Planes>& planes,
                                                      std::size_t i) const;

    /// Points by the first row that they reach: a loop in this order finds the grid in the cache.
    [[nodiscard]] const std::vector<Index>& order() const { return order_; }
    [[nodiscard]] const GridAxis& rows() const { return rows_; }
    [[nodiscard]] const GridAxis& columns() const { return columns_; }

private:
    static constexpr std::size_t rows_of_strip = 16;

    const MultiVector<double>& y_;
    GridAxis rows_;
    GridAxis columns_;
    std::vector<Index> order_;
    std::vector<std::size_t> begins_;  ///< begins of the points of each first row in the order
};

template <std::size_t Planes, class Charges>
void InterpolationGrid::spread(std::array<FourierPlane*, Planes> planes, const Charges& charges,
                               const RunContext& context) const {
    parallel_blocks(context, rows_.nodes, rows_of_strip, [&](Range strip) {
        for (FourierPlane* plane : planes) {
            std::fill(plane->real.begin() + plane->place(strip.begin, 0),
                      plane->real.begin() + plane->place(strip.end, 0), 0.0);
            std::fill(plane->imaginary.begin() + plane->place(strip.begin, 0),
                      plane->imaginary.begin() + plane->place(strip.end, 0), 0.0);
        }
        const std::size_t first_row = strip.begin < width ? 0 : strip.begin - (width - 1);
        for (std::size_t k = begins_[first_row]; k < begins_[strip.end]; ++k) {
            const std::size_t i = order_[k];
            const NodeWeights down = along_rows(i);
            const NodeWeights across = along_columns(i);
            const std::array<double, 2 * Planes> charge = charges(i);
            for (std::size_t a = 0; a < down.count; ++a) {
                const std::size_t row = down.first + a;
                if (row < strip.begin || row >= strip.end) {
                    continue;
                }
                for (std::size_t b = 0; b < across.count; ++b) {
                    const double weight = down.weights[a] * across.weights[b];
                    for (std::size_t p = 0; p < Planes; ++p) {
                        const std::size_t at = planes[p]->place(row, across.first + b);
                        planes[p]->real[at] += weight * charge[2 * p];
                        planes[p]->imaginary[at] += weight * charge[2 * p + 1];
                    }
                }
            }
        }
    });
}

template <std::size_t Planes>
std::array<double, 2 * Planes> InterpolationGrid::read(const std::array<const FourierPlane*, Planes>& planes,
                                                       std::size_t i) const {
    const NodeWeights down = along_rows(i);
    const NodeWeights across = along_columns(i);
    std::array<double, 2 * Planes> sums{};
    for (std::size_t a = 0; a < down.count; ++a) {
        for (std::size_t b = 0; b < across.count; ++b) {
            const double weight = down.weights[a] * across.weights[b];
            for (std::size_t p = 0; p < Planes; ++p) {
                const std::size_t at = planes[p]->place(down.first + a, across.first + b);
                sums[2 * p] += weight * planes[p]->real[at];
                sums[2 * p + 1] += weight * planes[p]->imaginary[at];
            }
        }
    }
    return sums;
}

}  // namespace isogon
