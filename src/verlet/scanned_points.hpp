#pragma once
#include <cstdint>
#include <vector>

#include "pairs/pair_tiles.hpp"
#include "pairs/quantized_points.hpp"
#include "verlet/local_pass.hpp"
#include "verlet/near_panels.hpp"
#include "verlet/panel_boxes.hpp"

namespace isogon {

/// Points where they were scanned, and the pairs of them that scans look at.
struct ScannedPoints {
    ScannedPoints(const LocalTargets& of, PanelPairs which_panels);

    /// Point i is here now.
    void place(Index i, const float* position);
    /// All points of panel p are where y has them.
    void place_panel(Index p, const MultiVector<float>& y);
    /// Whether products of bytes tell pairs apart; else PanelBoxes do, and `quantized` counts panels alone.
    [[nodiscard]] bool are_quantized() const { return positions.columns() > PanelBoxes::most_coordinates; }
    [[nodiscard]] bool looks_at(Index row_panel, Index column_panel) const;
    /// Of all pairs of panels, those that scans look at.
    [[nodiscard]] double share() const {
        return which == PanelPairs::All ? 1.0 : which == PanelPairs::Near ? panels->share() : 1.0 - panels->share();
    }
    /// Few of panels that are not near.
    [[nodiscard]] static MarksExpected expected(PanelPairs which) {
        return which == PanelPairs::Others ? MarksExpected::Few : MarksExpected::Many;
    }

    const LocalTargets& targets;
    std::vector<float> radii;      ///< r_i, not squared, padded
    std::vector<float> skins;      ///< s_i, padded
    MultiVector<float> positions;  ///< z_i
    QuantizedPoints quantized;     ///< the same, where are_quantized()
    PanelPairs which = PanelPairs::All;
    const NearPanels* panels = nullptr;  ///< not used where `which` is all
    /// One of so many pairs of panels is looked at by a scan of all points, another one for each date.
    unsigned parts = 1;
    std::uint32_t date = 0;
};

/// Some of these points, as rows of tiles.
struct ScannedRows {
    /// `of_columns` are the boxes of all points.
    ScannedRows(const ScannedPoints& all, const std::vector<Index>& of_all, const PanelBoxes& of_columns,
                const RunContext& context);

    /// Whether the pair's boxes are within reach, and scans look at it for any of its rows.
    [[nodiscard]] bool look_at(const PanelPair& pair) const {
        return (looked_at[pair.rows * words_of_row + pair.columns / NearPanels::word] >>
                    pair.columns % NearPanels::word &
                1) != 0;
    }
    const std::vector<Index>& points;
    MultiVector<float> positions;
    QuantizedPoints quantized;
    std::vector<float> radii;
    std::vector<float> skins;
    PanelBoxes boxes;
    std::size_t words_of_row;
    std::vector<std::uint64_t> looked_at;  ///< a bit for each panel of columns, for each panel of these rows

private:
    [[nodiscard]] std::uint64_t any_looked_at(const ScannedPoints& all, std::size_t row, std::size_t w) const;
};

}  // namespace isogon
