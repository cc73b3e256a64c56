#include "isogon/pairs/positive_pairs.hpp"

#include <algorithm>

#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/tile_kernel.hpp"

namespace isogon {

PairRuns collect_positive_pairs(const PackedPoints& left, const PackedPoints& right, const RunContext& context,
                                const char* phase) {
    PairRuns runs(pair_task_count(left.count()));
    for_each_pair_tile(
        left, right, context,
        [&](PairTile& tile) {
            TileEntries hits;
            collect_positive(tile.values, hits);
            auto& run = runs[tile.task];
            for (std::size_t h = 0; h < hits.count; ++h) {
                const std::uint32_t place = hits.places[h];
                run.push_back({tile.first_row + (place >> tile_place_shift),
                               tile.first_column + (place & tile_place_mask), hits.values[h]});
            }
        },
        phase);
    return runs;
}

void append_pairs(Index size, PairRuns& runs, CsrMatrix<float>& upper) {
    std::vector<Offset> counts(std::size_t{size} + 1, 0);
    for (const auto& run : runs) {
        for (const PairEntry& entry : run) {
            ++counts[std::size_t{entry.row} + 1];
        }
    }
    CsrMatrix<float> grown;
    grown.rows = grown.columns = size;
    grown.offsets.assign(std::size_t{size} + 1, 0);
    for (Index i = 0; i < size; ++i) {
        const Offset had = i < upper.rows ? upper.offsets[i + 1] - upper.offsets[i] : 0;
        grown.offsets[i + 1] = grown.offsets[i] + had + counts[i + 1];
    }
    grown.indices.resize(grown.offsets.back());
    grown.values.resize(grown.offsets.back());
    std::vector<Offset> next(grown.offsets.begin(), grown.offsets.end() - 1);
    for (Index i = 0; i < upper.rows; ++i) {
        std::copy_n(upper.row_indices(i).begin(), upper.row_indices(i).size(), grown.indices.begin() + next[i]);
        std::copy_n(upper.row_values(i).begin(), upper.row_values(i).size(), grown.values.begin() + next[i]);
        next[i] += upper.row_indices(i).size();
    }
    for (auto& run : runs) {
        for (const PairEntry& entry : run) {
            const Offset slot = next[entry.row]++;
            grown.indices[slot] = entry.column;
            grown.values[slot] = entry.value;
        }
        std::vector<PairEntry>().swap(run);  // freed as we go: the peak stays near one copy
    }
    upper = std::move(grown);
}

}  // namespace isogon
