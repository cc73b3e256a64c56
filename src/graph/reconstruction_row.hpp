#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "isogon/linalg/panel_cholesky.hpp"

namespace isogon {

/// The weights of one row after the other, in a reused workspace: (C + ridge I) v = c, where C contains the cosines
/// between k neighbours and c those with the row.
class ReconstructionRow {
public:
    ReconstructionRow(Index neighbors, Index dimension, double ridge);

    /// `points` are those that `neighbors` lists, `lengths` theirs. The result is valid until the next call.
    [[nodiscard]] std::span<const double> solve(std::span<const float> row, double row_length, const PointsView& points,
                                                std::span<const double> lengths, std::span<const Index> neighbors);

    [[nodiscard]] static std::uint64_t bytes(Index neighbors, Index dimension);

private:
    void fill_cosines();
    void subtract_mixture();
    void multiply_directions(std::span<const double> along, std::vector<double>& products) const;
    [[nodiscard]] bool solve_in_float32();
    void solve_in_float64();

    Index size_;
    double ridge_;
    PackedPoints directions_;  ///< the neighbours', then the row's own
    PanelMatrix cosines_;      ///< C + ridge I
    PanelMatrix factor_;
    std::vector<double> weights_;  ///< v, padded as all that follow but the remainder
    std::vector<double> remainder_;
    std::vector<double> residual_;
    std::vector<float> correction_;
};

}  // namespace isogon
