#include "isogon/matching/similarities.hpp"

#include <numeric>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/tile_kernel.hpp"

namespace isogon {

namespace {

struct Entry {
    Index row;
    Index column;
    float value;
};

using Runs = std::vector<std::vector<Entry>>;

/// All pairs above the threshold, by run of tiles.
Runs collect_entries(const PointsView& x, const std::vector<double>& lengths, double threshold,
                     const RunContext& context) {
    std::vector<float> last(lengths.begin(), lengths.end());
    const PackedPoints left = pack(x, {}, last, context);
    for (float& value : last) {
        value *= static_cast<float>(-threshold);
    }
    const PackedPoints right = pack(x, {}, last, context);
    Runs runs(pair_task_count(x.count));
    for_each_pair_tile(
        left, right, context,
        [&](PairTile& tile) {
            TileHits hits;
            collect_positive(tile.values, hits);
            auto& run = runs[tile.task];
            for (std::size_t h = 0; h < hits.count; ++h) {
                const std::uint32_t place = hits.places[h];
                run.push_back({tile.first_row + (place >> tile_place_shift),
                               tile.first_column + (place & tile_place_mask), hits.values[h]});
            }
        },
        "similarities");
    return runs;
}

/// Runs come by ascending block of rows, then of columns, and list each row's columns in ascending order.
SparseMatrix assemble(Index size, Runs& runs) {
    SparseMatrix upper;
    upper.rows = upper.columns = size;
    upper.offsets.assign(std::size_t{size} + 1, 0);
    for (const auto& run : runs) {
        for (const Entry& entry : run) {
            ++upper.offsets[std::size_t{entry.row} + 1];
        }
    }
    std::partial_sum(upper.offsets.begin(), upper.offsets.end(), upper.offsets.begin());
    upper.indices.resize(upper.offsets.back());
    upper.values.resize(upper.offsets.back());
    std::vector<Offset> next(upper.offsets.begin(), upper.offsets.end() - 1);
    for (auto& run : runs) {
        for (const Entry& entry : run) {
            const Offset slot = next[entry.row]++;
            upper.indices[slot] = entry.column;
            upper.values[slot] = entry.value;
        }
        std::vector<Entry>().swap(run);  // freed as we go: the peak stays near one copy
    }
    return upper;
}

double unthresholded_sum(const PointsView& x, const std::vector<double>& lengths, double threshold) {
    std::vector<double> sum(x.dimension);
    for (Index i = 0; i < x.count; ++i) {
        const auto row = x[i];
        for (Index k = 0; k < x.dimension; ++k) {
            sum[k] += double{row[k]};
        }
    }
    const double of_lengths = std::accumulate(lengths.begin(), lengths.end(), 0.0);
    return std::inner_product(sum.begin(), sum.end(), sum.begin(), 0.0) - threshold * of_lengths * of_lengths;
}

}  // namespace

double Similarities::support() const {
    double diagonal_entries = 0.0;
    for (const float value : diagonal) {
        diagonal_entries += value > 0.0F ? 1.0 : 0.0;
    }
    return 2.0 * static_cast<double>(upper.entries()) + diagonal_entries;
}

Similarities thresholded_similarities(const PointsView& x, double threshold, const RunContext& context) {
    const std::vector<double> lengths = norms(x);
    Runs runs = collect_entries(x, lengths, threshold, context);
    Similarities s;
    s.threshold = threshold;
    s.upper = assemble(x.count, runs);
    s.unthresholded_sum = unthresholded_sum(x, lengths, threshold);
    s.diagonal.resize(x.count);
    for (Index i = 0; i < x.count; ++i) {
        s.diagonal[i] = static_cast<float>((1.0 - threshold) * lengths[i] * lengths[i]);
        s.squared_norm += double{s.diagonal[i]} * s.diagonal[i];
    }
    for (const float value : s.upper.values) {
        s.squared_norm += 2.0 * double{value} * value;
    }
    return s;
}

std::vector<Index> support_degrees(const SparseMatrix& upper) {
    std::vector<Index> degrees(upper.rows);
    for (Index i = 0; i < upper.rows; ++i) {
        for (const Index j : upper.row_indices(i)) {
            ++degrees[i];
            ++degrees[j];
        }
    }
    return degrees;
}

}  // namespace isogon
