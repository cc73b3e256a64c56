#pragma once
#include <algorithm>
#include <cstddef>
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
/// Built in O(p^2 d) for p = n / 48 panels; memory a bit a pair of panels, n^2 / 37,000 bytes: 28 MB of a million
/// points.
class NearPanels {
public:
    /// The context may end it (throws Interruption).
    NearPanels(const MultiVector<float>& y, double share, const RunContext& context);

    /// Whether one is among the nearest of the other, or they are the same.
    [[nodiscard]] bool are_near(Index a, Index b) const { return near_of(std::min(a, b), std::max(a, b), 1) != 0; }
    /// Bit b: whether that holds of this panel and panel first + b, of `count` panels, 64 at most; first >= panel.
    [[nodiscard]] std::uint64_t near_of(Index panel, Index first, Index count) const;

    [[nodiscard]] double share() const { return share_; }
    [[nodiscard]] Index count() const { return static_cast<Index>(begins_.size() - 1); }
    /// Of n points.
    [[nodiscard]] static std::uint64_t bytes(Index n);

private:
    double share_;
    std::vector<std::size_t> begins_;  ///< of each panel's words, of which the first has the panel itself
    std::vector<std::uint64_t> words_;
};

}  // namespace isogon
