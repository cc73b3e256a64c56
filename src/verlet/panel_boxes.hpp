#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// The box around each panel of 48 points in their first coordinates, with the panel's largest radius and skin: two
/// panels whose boxes are further apart than that hold no pair for a list. Where many points in few dimensions are in
/// spatial order, that is most pairs of panels; in many dimensions it is none. Memory 72 bytes a panel.
class PanelBoxes {
public:
    /// Those after the first few are hardly divided by spatial_order(), so that boxes span all of them.
    static constexpr Index most_coordinates = 8;
    static constexpr Index columns_at_once = 8;  ///< panels that the kernel compares with one

    PanelBoxes() = default;
    /// `radii` and `skins`, padded to whole panels, as PairScan has them.
    PanelBoxes(const MultiVector<float>& positions, const std::vector<float>& radii, const std::vector<float>& skins,
               const RunContext& context);

    /// Bit b tells whether panel first + b of these may hold a point j with |z_i - z_j| < max(r_i, r_j) + s_i + s_j for
    /// a point i of panel `row` of `rows`. At most 64.
    [[nodiscard]] std::uint64_t within_reach(const PanelBoxes& rows, Index row, Index first, Index count) const;

    /// The box of one panel, for the kernel.
    struct Row {
        std::size_t coordinates;
        float radius;
        float skin;
        float lows[most_coordinates]{};   // NOLINT(*-avoid-c-arrays): read by intrinsics
        float highs[most_coordinates]{};  // NOLINT(*-avoid-c-arrays): likewise
    };
    /// The boxes of columns_at_once panels that follow each other.
    struct Columns {
        const float* boxes;  ///< `stride` numbers apart: the least and the largest of each coordinate
        std::size_t stride;
        const float* radii;
        const float* skins;
    };

private:
    Index coordinates_ = 0;
    /// Rows: the least and largest of each coordinate; columns: panels, and some that are read with the last ones.
    MultiVector<float> values_;
    std::vector<float> radii_;
    std::vector<float> skins_;
};

}  // namespace isogon
