#pragma once
#include <span>
#include <vector>

#include "isogon/linalg/packed_points.hpp"

namespace isogon {

/// A fitted point and its cosine with a new one.
struct CosineNeighbor {
    Index place = 0;
    float cosine = 0.0F;
};

/// The fitted points above tau of a new point, by place, and its nearest, nearest first (equal cosines: by place).
class Neighborhood {
public:
    Neighborhood(float threshold, std::size_t nearest) : threshold_(threshold), capacity_(nearest) {}

    /// Takes the next fitted point; to be called in the order of places.
    void offer(CosineNeighbor neighbor);
    /// A cosine at or below this changes nothing.
    [[nodiscard]] float floor() const;

    [[nodiscard]] const std::vector<CosineNeighbor>& support() const { return support_; }
    [[nodiscard]] const std::vector<CosineNeighbor>& nearest() const { return nearest_; }

private:
    std::vector<CosineNeighbor> support_;
    std::vector<CosineNeighbor> nearest_;
    float threshold_;
    std::size_t capacity_;
};

/// Offers every fitted direction to the neighbourhoods of a panel of up to 48 directions, one for each. What one row
/// gets is independent of the other rows. Time 48 m D; memory is that of the neighbourhoods.
void find_neighborhoods(PanelView rows, const PackedPoints& fitted, std::span<Neighborhood> found);

}  // namespace isogon
