#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"

namespace isogon {

/// The products of all pairs of differences between a row and its neighbours, for one row after the other in memory
/// that is taken once. All in float64: a ridge of 1e-5 is to be seen beside them.
class DifferenceGram {
public:
    DifferenceGram(Index neighbors, Index dimension);

    /// C_jl = (y - x_j).(y - x_l), exactly 0 on the diagonal where x_j = y and nowhere else there. k^2 D operations.
    void fill(std::span<const float> row, const PointsView& points, std::span<const Index> neighbors);

    /// Entry (i, j), j <= i, of the last fill at data()[j * stride() + i]. What lies above the diagonal has no meaning.
    [[nodiscard]] double* data() { return gram_.data(); }
    [[nodiscard]] std::size_t stride() const { return rows_; }

    [[nodiscard]] static std::uint64_t bytes(Index neighbors, Index dimension);

private:
    static constexpr std::size_t numbers_in_line = 8;
    /// A line of cache: vectors are loaded whole from one.
    struct alignas(64) Line {
        std::array<double, numbers_in_line> numbers{};
    };

    std::size_t rows_;   ///< the number of neighbours, filled up to a multiple of 4 with zero vectors
    std::size_t lines_;  ///< that a difference fills, with zeros at its end
    std::vector<Line> differences_;
    std::vector<double> gram_;
};

}  // namespace isogon
