#include "pairs/similarities.hpp"

#include <numeric>
#include <span>

#include "core/parallel.hpp"
#include "linalg/packed_points.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/positive_pairs.hpp"

namespace isogon {

namespace {

constexpr const char* phase = "similarities";

/// `factor` |x_i|: with 1 on one side and -tau on the other, products are x_i.x_j - tau |x_i||x_j|.
std::vector<float> scaled(const std::vector<double>& lengths, double factor) {
    std::vector<float> numbers;
    numbers.reserve(lengths.size());
    for (const double length : lengths) {
        numbers.push_back(static_cast<float>(factor * length));
    }
    return numbers;
}

PackedPoints pack_side(const PointsView& x, double factor, const RunContext& context) {
    return pack(x, {}, scaled(norms(x, context), factor), context);
}

/// The pairs (i, j) with i < j and j >= known above the threshold, by ascending j.
PairRuns collect_new_pairs(const PointsView& all, Index known, double threshold, const RunContext& context) {
    const PointsView fresh(all.data + known * all.stride, all.count - known, all.dimension, all.stride);
    // The later point takes -tau, as in collect_positive_pairs: the same bits as of all at once.
    const PackedPoints rows = pack_side(fresh, -threshold, context);
    const PackedPoints columns = pack_side(all, 1.0, context);
    PairRuns runs(rows.panels());
    for_each_row_band(rows, columns, context, [&](RowBand& band) {
        for (Index r = 0; r < band.rows; ++r) {
            const float* values = band.values + r * band.stride;
            const Index j = known + band.first_row + r;
            for (Index i = 0; i < j; ++i) {
                if (values[i] > 0.0F) {
                    runs[band.first_row / panel_width].push_back({i, j, values[i]});
                }
            }
        }
    });
    return runs;
}

/// A sum in the order of points: each rank continues from the partial sum of the ranks before it.
double unthresholded_sum(const DistributedPoints& x, const std::vector<double>& lengths, double threshold) {
    std::vector<double> sum(x.dimension());
    const RankGroup ranks = ranks_of(x);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        for (Index i = 0; ranks.rank() == rank && i < x.local().count; ++i) {
            const auto row = x.local()[i];
            for (Index k = 0; k < x.dimension(); ++k) {
                sum[k] += double{row[k]};
            }
        }
        ranks.broadcast(rank, std::as_writable_bytes(std::span(sum)));
    }
    const double of_lengths = std::accumulate(lengths.begin(), lengths.end(), 0.0);
    return std::inner_product(sum.begin(), sum.end(), sum.begin(), 0.0) - threshold * of_lengths * of_lengths;
}

/// The contribution of a row of the upper half to the sums over all of S; complete on the rank that owns its point.
struct RowShare {
    double squares = 0.0;
    Offset entries = 0;
};

std::vector<RowShare> row_shares(const CsrMatrix<float>& upper, const RankGroup& ranks) {
    std::vector<RowShare> rows(upper.rows);
    for (Index i = 0; i < upper.rows; ++i) {
        rows[i].entries = upper.row_values(i).size();
        for (const float value : upper.row_values(i)) {
            rows[i].squares += double{value} * value;
        }
    }
    ranks.all_gather_rows(pair_blocks(upper.rows), std::as_writable_bytes(std::span(rows)));
    return rows;
}

/// All members of S but the upper half.
void summarize(const DistributedPoints& x, Similarities& s) {
    s.ranks = ranks_of(x);
    const std::vector<double> lengths = norms_of_all(x);
    s.unthresholded_sum = unthresholded_sum(x, lengths, s.threshold);
    s.squared_norm = 0.0;
    s.diagonal.resize(x.count());
    const std::vector<RowShare> rows = row_shares(s.upper, s.ranks);
    Offset pairs = 0;
    for (Index i = 0; i < x.count(); ++i) {
        s.diagonal[i] = static_cast<float>((1.0 - s.threshold) * lengths[i] * lengths[i]);
        s.squared_norm += double{s.diagonal[i]} * s.diagonal[i] + 2.0 * rows[i].squares;
        pairs += rows[i].entries;
    }
    s.pairs_of_all_ranks = s.ranks.is_shared() ? std::optional(pairs) : std::nullopt;
}

/// The number of pairs i < j with an entry; for distributed points, of pairs with a local point.
PairRuns pairs_above(const DistributedPoints& x, double threshold, const RunContext& context) {
    if (!x.is_distributed()) {
        return collect_positive_pairs(pack_side(x.local(), 1.0, context), pack_side(x.local(), -threshold, context),
                                      context, phase);
    }
    const std::vector<double> lengths = norms_of_all(x, context);
    return collect_positive_pairs_in_ring(x, {scaled(lengths, 1.0), scaled(lengths, -threshold)}, ring_piece(x),
                                          context, phase);
}

}  // namespace

double Similarities::support() const {
    double diagonal_entries = 0.0;
    for (const float value : diagonal) {
        diagonal_entries += value > 0.0F ? 1.0 : 0.0;
    }
    return 2.0 * static_cast<double>(pairs()) + diagonal_entries;
}

Similarities thresholded_similarities(const DistributedPoints& points, double threshold, const RunContext& context) {
    const DistributedPoints x = distributed(points);
    Similarities s;
    s.threshold = threshold;
    PairRuns runs = pairs_above(x, threshold, context);
    append_pairs(x.count(), runs, s.upper);
    summarize(x, s);
    return s;
}

void append_points(const DistributedPoints& all, Similarities& s, const RunContext& context) {
    if (ranks_of(all).is_shared()) {
        s = thresholded_similarities(all, s.threshold, context);  // the local range is another one for more points
        return;
    }
    PairRuns runs = collect_new_pairs(all.local(), s.size(), s.threshold, context);
    append_pairs(all.count(), runs, s.upper);
    summarize(all, s);
}

std::vector<Index> support_degrees(const CsrMatrix<float>& upper) {
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
