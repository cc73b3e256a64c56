#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "graph/difference_rows.hpp"
#include "graph/point_products.hpp"
#include "isogon/core/points.hpp"
#include "isogon/linalg/positive_system.hpp"

namespace isogon {

/// C_jl = (y - x_j).(y - x_l), the products of all differences between a row and its neighbours, for one row after the
/// other in memory that is taken once. All in float64: a ridge of 1e-5 is to be seen beside them.
class DifferenceGram {
public:
    /// By differences, k^2 D / 2 operations a row.
    DifferenceGram(const PointsView& points, Index neighbors);
    /// By products about a centre where what is left of them is not much smaller than they are, else by differences.
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
    DifferenceRows differences_{};    ///< of the neighbours, and perhaps the row, to the row or to the centre
    std::vector<double> gram_{};
};

}  // namespace isogon
