#include "decomposition/stored_completion.hpp"

#include <algorithm>
#include <cmath>

#include "isogon/core/parallel.hpp"

namespace isogon {

TileArray::TileArray(Index rows, Index columns)
    : row_panels_(block_count(rows, panel_width)),
      column_panels_(block_count(columns, panel_width)),
      values_(row_panels_ * column_panels_ * tile_size) {}

std::uint64_t TileArray::bytes(Index rows, Index columns) {
    return std::uint64_t{block_count(rows, panel_width)} * block_count(columns, panel_width) * tile_size *
           sizeof(double);
}

StoredCompletion::StoredCompletion(const ReluProblem& problem)
    : Completion(problem), z_(problem.forward.rows(), problem.forward.columns()) {}

void StoredCompletion::fill(bool back, Index p, Index q, CompletionCursor& /*cursor*/, EntryTile& tile) const {
    if (!back) {
        std::copy_n(z_.tile(p, q), TileArray::tile_size, tile.values.begin());
        return;
    }
    const double* from = z_.tile(q, p);
    for (std::size_t j = 0; j < panel_width; ++j) {
        for (std::size_t i = 0; i < panel_width; ++i) {
            tile.at(i, j) = from[i * panel_width + j];
        }
    }
}

void StoredCompletion::complete(const TileArray& latent, double beta, const StoredCompletion& previous,
                                const RunContext& context) {
    parallel_tasks(context, z_.row_panels(), [&](std::size_t panel) {
        throw_if_cancelled_in_task(context);
        const auto p = static_cast<Index>(panel);
        CompletionCursor cursor(problem().forward, p * static_cast<Index>(panel_width));
        EntryTile tile;
        for (Index q = 0; q < z_.column_panels(); ++q) {
            std::copy_n(latent.tile(p, q), TileArray::tile_size, tile.values.begin());
            complete_tile(tile, cursor, q * static_cast<Index>(panel_width),
                          [](double value) { return std::min(0.0, value); });
            const double* before = previous.z_.tile(p, q);
            double* z = z_.tile(p, q);
            for (std::size_t k = 0; k < TileArray::tile_size; ++k) {
                z[k] = tile.values[k] + beta * (tile.values[k] - before[k]);
            }
        }
    });
}

void StoredCompletion::hold(const Completion& other, const RunContext& context) {
    parallel_tasks(context, z_.row_panels(), [&](std::size_t panel) {
        throw_if_cancelled_in_task(context);
        const auto p = static_cast<Index>(panel);
        CompletionCursor cursor(problem().forward, p * static_cast<Index>(panel_width));
        EntryTile tile;
        for (Index q = 0; q < z_.column_panels(); ++q) {
            other.fill(false, p, q, cursor, tile);
            std::copy(tile.values.begin(), tile.values.end(), z_.tile(p, q));
        }
    });
}

void StoredCompletion::add_difference(double gamma, const StoredCompletion& newer, const StoredCompletion& older,
                                      const RunContext& context) {
    parallel_tasks(context, z_.row_panels(), [&](std::size_t panel) {
        const auto p = static_cast<Index>(panel);
        double* z = z_.tile(p, 0);
        const double* plus = newer.z_.tile(p, 0);
        const double* minus = older.z_.tile(p, 0);
        for (std::size_t k = 0; k < TileArray::tile_size * z_.column_panels(); ++k) {
            z[k] += gamma * (plus[k] - minus[k]);
        }
    });
}

double StoredCompletion::distance(const TileArray& latent, const RunContext& context) const {
    return std::sqrt(parallel_sum(context, z_.row_panels(), 1, [&](Range panel) {
        const auto p = static_cast<Index>(panel.begin);
        const double* a = z_.tile(p, 0);
        const double* b = latent.tile(p, 0);
        double sum = 0.0;
        for (std::size_t k = 0; k < TileArray::tile_size * z_.column_panels(); ++k) {
            sum += (a[k] - b[k]) * (a[k] - b[k]);
        }
        return sum;
    }));
}

void extrapolate(const ReluFactors& factors, double beta, const TileArray& previous, TileArray& latent,
                 const RunContext& context) {
    const PackedRows rows(factors.left, context);
    const PackedRows columns(factors.right, context);
    parallel_tasks(context, rows.panels(), [&](std::size_t panel) {
        throw_if_cancelled_in_task(context);
        const auto p = static_cast<Index>(panel);
        EntryTile tile;
        for (Index q = 0; q < columns.panels(); ++q) {
            multiply_panels(columns.panel(q), rows.panel(p), rows.depth(), tile.values.data(), panel_width, false);
            const double* before = previous.tile(p, q);
            double* out = latent.tile(p, q);
            for (std::size_t k = 0; k < TileArray::tile_size; ++k) {
                out[k] = tile.values[k] + beta * (tile.values[k] - before[k]);
            }
        }
    });
}

}  // namespace isogon
