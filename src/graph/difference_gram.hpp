#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/dense_cholesky.hpp"

// The systems of barycentric_weights(): differences between a row and its neighbours, and the products of all of them.
namespace isogon {

/// Differences of points in float64, and their products. The product of two vectors has the same bits from each
/// function and for any other vectors: components are summed in one order.
class DifferenceRows {
public:
    DifferenceRows() = default;
    DifferenceRows(std::size_t rows, Index dimension);

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] const double* row(std::size_t i) const { return lines_[i * lines_of_row_].numbers.data(); }
    /// From one row to the next: the dimension, filled up by zeros to whole lines.
    [[nodiscard]] std::size_t stride() const { return lines_of_row_ * numbers_in_line; }
    /// Row i := y - x.
    void set(std::size_t i, std::span<const float> y, std::span<const float> x);

    /// gram[j * stride + i] := v_i.v_j for some rows i, the first a multiple of 4, and j <= i. Up to 3 entries past the
    /// diagonal, and rows up to the next multiple of 4, are written as well. Blocks of rows are independent.
    void multiply(Range rows, double* gram, std::size_t stride) const;
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

    std::size_t rows_ = 0;
    std::size_t lines_of_row_ = 0;  ///< with zeros at the end of the last
    std::vector<Line> lines_{};     ///< the rows, filled up to a multiple of 4 with zero vectors
};

/// Few points, such as landmarks, and their products about a centre c:
///     g_jl = (x_j - c).(x_l - c),
/// from which the products of all differences between a row y and its neighbours are computed,
///     (y - x_j).(y - x_l) = (g_jl - p_j) + (q - p_l),   p_j = (y - c).(x_j - c),   q = |y - c|^2,
/// with k products a row in place of k^2 / 2. Either all g are computed in advance, which is faster for many rows, or
/// those of a row's neighbours when they are needed; the bits are the same.
class PointProducts {
public:
    /// Products about a centre are used for at most this many points, so that their table stays small.
    static constexpr Index most_points = 4096;

    /// Computes all g if `keep`. The points must outlive it.
    PointProducts(const PointsView& points, bool keep, const RunContext& context);

    [[nodiscard]] const PointsView& points() const { return points_; }
    /// Component by component a median, so that a few points far away do not move it.
    [[nodiscard]] const std::vector<float>& center() const { return center_; }
    /// Whether all g were computed.
    [[nodiscard]] bool kept() const { return !table_.empty(); }
    /// x_j - c, if all g were computed.
    [[nodiscard]] const DifferenceRows& rows() const { return rows_; }
    /// g_jl at [j], for j >= l.
    [[nodiscard]] const double* products_with(Index l) const { return table_.data() + l * stride_; }

    /// Memory of all g, for points that reconstruct `rows` rows from `neighbors` neighbours each; 0 where computing
    /// all of them would cost more time or memory than it saves.
    [[nodiscard]] static std::uint64_t bytes(Index points, Index dimension, std::size_t rows, Index neighbors);

private:
    void fill_table(const RunContext& context);

    PointsView points_;
    std::vector<float> center_;
    std::size_t stride_ = 0;
    DifferenceRows rows_{};
    std::vector<double> table_{};
};

/// C_jl = (y - x_j).(y - x_l), the products of all differences between a row and its neighbours, for one row after the
/// other in a reused workspace. All in float64: a ridge of 1e-5 must be resolved beside them.
class DifferenceGram {
public:
    /// Computes C by differences, k^2 D / 2 operations a row.
    DifferenceGram(const PointsView& points, Index neighbors);
    /// Computes C by products about a centre where their combination does not cancel too much, else by differences.
    DifferenceGram(const PointProducts& products, Index neighbors);

    /// C, of which the lower triangle becomes the matrix of the system. `neighbors` ascend.
    void fill(std::span<const float> row, std::span<const Index> neighbors, PositiveSystem& system);

    [[nodiscard]] static std::uint64_t bytes(Index neighbors, Index dimension);

private:
    void subtract_row(std::span<const float> row, std::span<const Index> neighbors, PositiveSystem& system);
    [[nodiscard]] bool combine_products(std::span<const float> row, std::span<const Index> neighbors,
                                        PositiveSystem& system);
    template <class Product>
    [[nodiscard]] bool combine(const Product& product, std::size_t size, double q, PositiveSystem& system) const;
    void take_room(std::size_t rows);

    PointsView points_;
    const PointProducts* products_ = nullptr;
    DifferenceRows around_{};         ///< y - c
    std::vector<double> with_row_{};  ///< p
    DifferenceRows differences_{};    ///< from the neighbours, and perhaps the row, to the row or to the centre
    std::vector<double> gram_{};
};

}  // namespace isogon
