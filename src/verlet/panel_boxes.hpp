#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "linalg/multi_vector.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

/// The box around each panel of 48 points in their first coordinates, with the panel's largest radius and skin: two
/// panels whose boxes are further apart than that hold no pair for a list. Where many points in few dimensions are in
/// spatial order, that is most pairs of panels; in many dimensions it is none. In few dimensions each point of the rows
/// is compared with the box of the columns, and where that is within its reach with the points in it.
/// Memory 152 bytes a panel, and in few dimensions d another 4 d bytes a point.
class PanelBoxes {
public:
    /// Those after the first few are hardly divided by spatial_order(), so that boxes span all of them. Points of no
    /// more are compared: of 70,000 digits products of bytes (QuantizedPoints) take as long with 8, no longer with 12,
    /// and half as long with 16, on a machine that multiplies matrices of bytes.
    static constexpr Index most_coordinates = 8;
    static constexpr Index columns_at_once = 8;  ///< panels that the kernel compares with one

    PanelBoxes() = default;
    /// `radii` and `skins`, padded to whole panels, as PairScan has them. Both must outlive this.
    PanelBoxes(const MultiVector<float>& positions, const std::vector<float>& radii, const std::vector<float>& skins,
               const RunContext& context);

    /// Bit b tells whether panel first + b of these may hold a point j with |z_i - z_j| < max(r_i, r_j) + s_i + s_j for
    /// a point i of panel `row` of `rows`. At most 64.
    [[nodiscard]] std::uint64_t within_reach(const PanelBoxes& rows, Index row, Index first, Index count) const;

    /// The same of any panels of two blocks of pair_blocks().
    [[nodiscard]] bool blocks_within_reach(std::size_t a, std::size_t b) const;

    /// Whether mark_within_reach() may be called.
    [[nodiscard]] bool compare_points() const { return by_coordinate_.size() != 0; }
    struct Marked {
        std::size_t rows = 0;  ///< that were compared with the points of the columns, as they are in reach of their box
        bool any = false;      ///< whether a place was marked
    };
    /// Marks the places with |z_i - z_j| < max(r_i, r_j) + s_i + s_j, some that are hardly further, and some of
    /// padding, for points i of panel `row` of `rows` and j of panel `column` of these.
    [[nodiscard]] Marked mark_within_reach(const PanelBoxes& rows, Index row, Index column, TilePlaces& places) const;
    [[nodiscard]] static std::uint64_t bytes(Index count, Index dimension);

    /// The 48 points of a panel, for the kernel: each coordinate of all in one piece.
    struct Points {
        const float* coordinates;
        const float* radii;
        const float* skins;
    };
    /// The box of one panel, for the kernel.
    struct Box {
        std::size_t coordinates = 0;
        float radius = 0.0F;
        float skin = 0.0F;
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
    [[nodiscard]] Points points(Index panel) const;

    Index dimension_ = 0;
    Index coordinates_ = 0;  ///< of boxes
    std::vector<Box> boxes_;
    std::vector<Box> blocks_;
    /// The same for several at once. Rows: the least and largest of each coordinate; columns: panels, and some that are
    /// read with the last ones.
    MultiVector<float> values_;
    std::vector<float> radii_;
    std::vector<float> skins_;
    AlignedArray<float> by_coordinate_;
    const float* radii_of_points_ = nullptr;
    const float* skins_of_points_ = nullptr;
};

/// How many points rows and columns are of, and whether these are the same points, of which each pair counts once.
struct PairedPoints {
    Index rows;
    Index columns;
    bool same;
};

/// Unmarks padding and, of the same points, what is on and below the diagonal.
void unmark_non_pairs(const PanelPair& pair, const PairedPoints& points, TilePlaces& places);

}  // namespace isogon
