#include "decomposition/active_rows.hpp"

#include <algorithm>
#include <array>

#include "isogon/core/parallel.hpp"

namespace isogon {

namespace {

using RowColumns = std::array<std::vector<Index>, panel_width>;

bool any_above_zero(const double* column) {
    double most = 0.0;
    for (std::size_t i = 0; i < panel_width; ++i) {
        most = std::max(most, column[i]);
    }
    return most > 0.0;
}

/// Appends what counts in a tile to the rows that it belongs to.
void collect(EntryTile& tile, TileCursor& support, Index first_column, RowColumns& rows) {
    support.visit(first_column, [&](Index i, Index j, double /*s*/) { tile.at(i, j) = 1.0; });
    for (std::size_t j = 0; j < panel_width; ++j) {
        const double* latent = tile.values.data() + j * panel_width;
        if (!any_above_zero(latent)) {
            continue;
        }
        for (std::size_t i = 0; i < panel_width; ++i) {
            if (latent[i] > 0.0) {
                rows[i].push_back(first_column + static_cast<Index>(j));
            }
        }
    }
}

ActiveRows joined(const RowColumns& rows, std::size_t count) {
    ActiveRows found;
    std::size_t entries = 0;
    for (std::size_t i = 0; i < count; ++i) {
        entries += rows[i].size();
    }
    found.columns.reserve(entries);
    for (std::size_t i = 0; i < count; ++i) {
        found.lengths.push_back(rows[i].size());
        found.columns.insert(found.columns.end(), rows[i].begin(), rows[i].end());
    }
    return found;
}

double dot(const WideVectors& left, Index i, const WideVectors& right, Index j) {
    double sum = 0.0;
    for (Index k = 0; k < left.columns; ++k) {
        sum += left.at(i, k) * right.at(j, k);
    }
    return sum;
}

/// Rows of which only some entries are known: these are looked at one by one.
ActiveRows observed_rows(const ReluSide& side, const ReluFactors& factors, Range rows) {
    ActiveRows found;
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
        const auto i = static_cast<Index>(row);
        const std::size_t before = found.columns.size();
        const auto support = side.s.row_indices(i);
        std::size_t k = 0;
        for (const Index j : side.observed->row_indices(i)) {
            const bool on_support = k < support.size() && support[k] == j;
            if (on_support || dot(factors.left, i, factors.right, j) > 0.0) {
                found.columns.push_back(j);
            }
            k += on_support ? 1 : 0;
        }
        found.lengths.push_back(found.columns.size() - before);
    }
    return found;
}

}  // namespace

ActiveRows active_rows(const ReluSide& side, const ReluFactors& factors, const WidePanels& rows,
                       const WidePanels& columns, Index panel) {
    const Range range = block_range(panel, side.rows(), panel_width);
    if (side.observed) {
        return observed_rows(side, factors, range);
    }
    TileCursor support(side.s, static_cast<Index>(range.begin));
    RowColumns found;
    EntryTile tile;
    for (Index q = 0; q < columns.panels(); ++q) {
        multiply_panels(columns.panel(q), rows.panel(panel), rows.depth(), tile.values.data(), panel_width, false);
        collect(tile, support, q * static_cast<Index>(panel_width), found);
    }
    return joined(found, range.size());
}

}  // namespace isogon
