#include "isogon/matching/similarities.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "isogon/pairs/own_points.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/positive_pairs.hpp"

namespace isogon {

namespace {

/// One side of x_i.x_j - tau |x_i||x_j|: x_i and `factor` |x_i|.
PackedPoints pack_side(const PointsView& x, double factor, const RunContext& context) {
    std::vector<float> last;
    for (const double length : norms(x)) {
        last.push_back(static_cast<float>(factor * length));
    }
    return pack(x, {}, last, context);
}

/// The pairs (i, j) with i < j and j >= known above the threshold, by ascending j, one of which is `own`.
PairRuns collect_new_pairs(const PointsView& all, Index known, Range own, double threshold, const RunContext& context) {
    const auto is_own = [&](std::size_t i) { return own.begin <= i && i < own.end; };
    const PointsView fresh(all.data + known * all.stride, all.count - known, all.dimension, all.stride);
    const PackedPoints rows = pack_side(fresh, 1.0, context);
    const PackedPoints columns = pack_side(all, -threshold, context);
    PairRuns runs(rows.panels());
    for_each_row_band(rows, columns, context, [&](RowBand& band) {
        for (Index r = 0; r < band.rows; ++r) {
            const float* values = band.values + r * band.stride;
            const Index j = known + band.first_row + r;
            for (Index i = 0; i < j; ++i) {
                if (values[i] > 0.0F && (is_own(i) || is_own(j))) {
                    runs[band.first_row / panel_width].push_back({i, j, values[i]});
                }
            }
        }
    });
    return runs;
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

/// What a row of the upper half adds to what is known of all of S; complete on the owner of its point.
struct RowShare {
    double squares = 0.0;
    Offset entries = 0;
};

std::vector<RowShare> row_shares(const SparseMatrix& upper, const RunContext& context) {
    std::vector<RowShare> rows(upper.rows);
    for (Index i = 0; i < upper.rows; ++i) {
        rows[i].entries = upper.row_values(i).size();
        for (const float value : upper.row_values(i)) {
            rows[i].squares += double{value} * value;
        }
    }
    gather_points(upper.rows, std::as_writable_bytes(std::span(rows)), context);
    return rows;
}

/// Everything of S but its upper half.
void summarize(const PointsView& x, const RunContext& context, Similarities& s) {
    const std::vector<double> lengths = norms(x);
    s.unthresholded_sum = unthresholded_sum(x, lengths, s.threshold);
    s.squared_norm = 0.0;
    s.diagonal.resize(x.count);
    const std::vector<RowShare> rows = row_shares(s.upper, context);
    Offset pairs = 0;
    for (Index i = 0; i < x.count; ++i) {
        s.diagonal[i] = static_cast<float>((1.0 - s.threshold) * lengths[i] * lengths[i]);
        s.squared_norm += double{s.diagonal[i]} * s.diagonal[i] + 2.0 * rows[i].squares;
        pairs += rows[i].entries;
    }
    s.pairs_of_all_ranks = context.team == nullptr ? std::nullopt : std::optional(pairs);
}

/// The upper half of S, as far as one of a pair's points is `own`.
SparseMatrix upper_of(Range own, const PointsView& x, double threshold, const RunContext& context) {
    PairRuns runs = collect_positive_pairs_of(own, pack_side(x, 1.0, context), pack_side(x, -threshold, context),
                                              context, "similarities");
    SparseMatrix upper;
    append_pairs(x.count, runs, upper);
    return upper;
}

}  // namespace

double Similarities::support() const {
    double diagonal_entries = 0.0;
    for (const float value : diagonal) {
        diagonal_entries += value > 0.0F ? 1.0 : 0.0;
    }
    return 2.0 * static_cast<double>(pairs()) + diagonal_entries;
}

Similarities thresholded_similarities(const PointsView& x, double threshold, const RunContext& context) {
    Similarities s;
    s.threshold = threshold;
    s.upper = upper_of(own_points(x.count, context), x, threshold, context);
    summarize(x, context, s);
    return s;
}

void append_points(const PointsView& all, Similarities& s, const RunContext& context) {
    const Range own = own_points(all.count, context);
    const Index known = s.size();
    if (context.team != nullptr) {
        s.upper = upper_of(own, {all.data, known, all.dimension, all.stride}, s.threshold, context);
    }
    PairRuns runs = collect_new_pairs(all, known, own, s.threshold, context);
    append_pairs(all.count, runs, s.upper);
    summarize(all, context, s);
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
