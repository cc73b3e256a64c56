#include "decomposition/active_set.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <utility>
#include <vector>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/wide_panels.hpp"

namespace isogon {

namespace {

/// Some rows of the set as they are found.
struct FoundRows {
    std::vector<Offset> lengths;
    std::vector<Index> columns;
    std::vector<double> targets;
};

using RowEntries = std::vector<std::pair<Index, double>>;

/// A tile of L and, on the support, of S. Entry (i, j) at j * 48 + i.
struct MarkedTile {
    static constexpr double not_on_support = -1.0;  // S is above zero
    alignas(64) std::array<double, panel_width * panel_width> latent;
    std::array<double, panel_width * panel_width> targets;
};

bool any_above_zero(const double* column) {
    double most = 0.0;
    for (std::size_t i = 0; i < panel_width; ++i) {
        most = std::max(most, column[i]);
    }
    return most > 0.0;
}

/// Appends what counts in a tile to the rows that it belongs to.
void collect(MarkedTile& tile, TileCursor& support, Index first_column, std::array<RowEntries, panel_width>& rows) {
    tile.targets.fill(MarkedTile::not_on_support);
    support.visit(first_column, [&](Index i, Index j, double s) {
        tile.targets[j * panel_width + i] = s;
        tile.latent[j * panel_width + i] = std::numeric_limits<double>::infinity();
    });
    for (std::size_t j = 0; j < panel_width; ++j) {
        const double* latent = tile.latent.data() + j * panel_width;
        if (!any_above_zero(latent)) {
            continue;
        }
        for (std::size_t i = 0; i < panel_width; ++i) {
            if (latent[i] > 0.0) {
                const double target = tile.targets[j * panel_width + i];
                rows[i].emplace_back(first_column + static_cast<Index>(j), std::max(0.0, target));
            }
        }
    }
}

FoundRows joined(const std::array<RowEntries, panel_width>& rows, std::size_t count) {
    FoundRows found;
    std::size_t entries = 0;
    for (std::size_t i = 0; i < count; ++i) {
        entries += rows[i].size();
    }
    found.columns.reserve(entries);
    found.targets.reserve(entries);
    for (std::size_t i = 0; i < count; ++i) {
        found.lengths.push_back(rows[i].size());
        for (const auto& [column, target] : rows[i]) {
            found.columns.push_back(column);
            found.targets.push_back(target);
        }
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
FoundRows observed_rows(const ReluSide& side, const ReluFactors& factors, Range rows) {
    FoundRows found;
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
        const auto i = static_cast<Index>(row);
        const std::size_t before = found.columns.size();
        const auto support = side.s.row_indices(i);
        std::size_t k = 0;
        for (const Index j : side.observed->row_indices(i)) {
            const bool on_support = k < support.size() && support[k] == j;
            if (on_support || dot(factors.left, i, factors.right, j) > 0.0) {
                found.columns.push_back(j);
                found.targets.push_back(on_support ? side.s.row_values(i)[k] : 0.0);
            }
            k += on_support ? 1 : 0;
        }
        found.lengths.push_back(found.columns.size() - before);
    }
    return found;
}

WideSparseMatrix assembled(std::vector<FoundRows>&& parts, const ReluSide& side, Offset entries) {
    WideSparseMatrix result{.rows = side.rows(), .columns = side.columns()};
    result.offsets.reserve(std::size_t{side.rows()} + 1);
    result.indices.reserve(entries);
    result.values.reserve(entries);
    for (FoundRows& part : parts) {
        for (const Offset length : part.lengths) {
            result.offsets.push_back(result.offsets.back() + length);
        }
        result.indices.insert(result.indices.end(), part.columns.begin(), part.columns.end());
        result.values.insert(result.values.end(), part.targets.begin(), part.targets.end());
        part = {};
    }
    return result;
}

}  // namespace

std::optional<ActiveSet> active_set(const ReluSide& side, const ReluFactors& factors, Offset capacity,
                                    const RunContext& context) {
    const WidePanels rows(factors.left, context);
    const WidePanels columns(factors.right, context);
    std::vector<FoundRows> parts(rows.panels());
    std::atomic<Offset> entries = 0;  // a sum of whole numbers: the same in any order
    parallel_tasks(context, parts.size(), [&](std::size_t p) {
        stop_if_asked(context);
        if (entries > capacity) {
            return;
        }
        const Range range = block_range(p, side.rows(), panel_width);
        if (side.observed) {
            parts[p] = observed_rows(side, factors, range);
        } else {
            TileCursor support(side.s, static_cast<Index>(range.begin));
            std::array<RowEntries, panel_width> found;
            MarkedTile tile;
            for (Index q = 0; q < columns.panels(); ++q) {
                multiply_panels(columns.panel(q), rows.panel(static_cast<Index>(p)), rows.depth(), tile.latent.data(),
                                panel_width, false);
                collect(tile, support, q * static_cast<Index>(panel_width), found);
            }
            parts[p] = joined(found, range.size());
        }
        entries += parts[p].columns.size();
    });
    if (entries > capacity) {
        return std::nullopt;
    }
    ActiveSet result;
    result.targets = assembled(std::move(parts), side, entries);
    result.transposed = transpose(result.targets);
    return result;
}

}  // namespace isogon
