#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

/// Of which pairs of panels the pairs of points are meant.
enum class PanelPairs {
    All,
    Near,    ///< of panels that are near each other (NearPanels)
    Others,  ///< of all others
};

/// Which panels of 48 points lie near each other: for each the given share of all panels, by their centres. Points in
/// an order of places have most of their near pairs in near panels. No bound: pairs of panels that are not near may
/// have near points, as in many dimensions panels are about as wide as they are apart.
///
/// Built in O(n d + sample n / 48 d); memory 4 (d + 2) bytes a panel.
class NearPanels {
public:
    NearPanels(const MultiVector<float>& y, double share, const RunContext& context);

    /// Whether one is among the nearest of the other, or they are the same. O(d).
    [[nodiscard]] bool are_near(Index a, Index b) const { return near_of(a, b, 1) != 0; }
    /// Bit b: whether that holds of this panel and panel first + b, of `count` panels, 64 at most. O(count d).
    [[nodiscard]] std::uint64_t near_of(Index panel, Index first, Index count) const;

    [[nodiscard]] double share() const { return share_; }
    [[nodiscard]] Index count() const { return centres_.rows(); }

private:
    double share_;
    MultiVector<float> centres_;
    std::vector<Index> numbers_;  ///< of all panels
    std::vector<float> reaches_;  ///< squared, of the share of all panels
};

}  // namespace isogon
