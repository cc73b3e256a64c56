#include "verlet/scanned_points.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace isogon {

namespace {

/// With zeros up to whole panels.
std::vector<float> padded_roots(const std::vector<float>& squares) {
    std::vector<float> roots(block_count(squares.size(), tile_width) * tile_width);
    std::ranges::transform(squares, roots.begin(), [](float square) { return std::sqrt(square); });
    return roots;
}

}  // namespace

ScannedPoints::ScannedPoints(const LocalTargets& of, PanelPairs which_panels)
    : targets(of), radii(padded_roots(of.radii)), skins(radii.size()), which(which_panels) {}

void ScannedPoints::place(Index i, const float* position) {
    std::copy_n(position, positions.columns(), positions.row(i));
    if (are_quantized()) {
        quantized.set(i, position);
    }
}

void ScannedPoints::place_panel(Index p, const MultiVector<float>& y) {
    const std::size_t first = std::size_t{p} * tile_width;
    const std::size_t end = std::min<std::size_t>(first + tile_width, y.rows());
    std::copy_n(y.row(first), (end - first) * y.stride(), positions.row(first));
    if (are_quantized()) {
        quantized.set_panel(p, y.row(first), y.stride());
    }
}

bool ScannedPoints::looks_at(Index row_panel, Index column_panel) const {
    return which == PanelPairs::All || panels->are_near(row_panel, column_panel) == (which == PanelPairs::Near);
}

ScannedRows::ScannedRows(const ScannedPoints& all, const std::vector<Index>& of_all, const PanelBoxes& of_columns,
                         const RunContext& context)
    : points(of_all),
      positions(static_cast<Index>(points.size()), all.positions.columns()),
      quantized(positions.rows(), positions.columns(), ScannedPoints::expected(all.which)),
      radii(block_count(points.size(), tile_width) * tile_width),
      skins(radii.size()),
      words_of_row(block_count(all.quantized.panels(), NearPanels::word)),
      looked_at(quantized.panels() * words_of_row) {
    for (Index m = 0; m < positions.rows(); ++m) {
        std::copy_n(all.positions.row(points[m]), positions.columns(), positions.row(m));
        radii[m] = all.radii[points[m]];
        skins[m] = all.skins[points[m]];
    }
    for (Index p = 0; all.are_quantized() && p < quantized.panels(); ++p) {
        quantized.set_panel(p, positions.row(p * tile_width), positions.stride());
    }
    boxes = PanelBoxes(positions, radii, skins, context);
    parallel_tasks(context, quantized.panels(), [&](std::size_t row) {
        for (std::size_t w = 0; w < words_of_row; ++w) {
            const auto first = static_cast<Index>(w * NearPanels::word);
            const Index count = std::min<Index>(NearPanels::word, all.quantized.panels() - first);
            looked_at[row * words_of_row + w] =
                of_columns.within_reach(boxes, static_cast<Index>(row), first, count) & any_looked_at(all, row, w);
        }
    });
}

/// The columns' panels of word w that scans look at for any of the panels of these rows.
std::uint64_t ScannedRows::any_looked_at(const ScannedPoints& all, std::size_t row, std::size_t w) const {
    std::uint64_t any = all.which == PanelPairs::All ? ~std::uint64_t{0} : 0;
    Index last = all.quantized.panels();
    for (std::size_t m = row * tile_width; ~any != 0 && m < std::min((row + 1) * tile_width, points.size()); ++m) {
        const auto panel = static_cast<Index>(points[m] / tile_width);
        if (panel != last) {
            const std::uint64_t near = all.panels->near_of(panel)[w];
            any |= all.which == PanelPairs::Others ? ~near : near;
            last = panel;
        }
    }
    return any;
}

}  // namespace isogon
