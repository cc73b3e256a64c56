#include "neighbors/pruned_search.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "distributed/rank_group.hpp"
#include "neighbors/cluster_search.hpp"
#include "neighbors/contraction.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/metric_space.hpp"
#include "neighbors/nearest_selection.hpp"
#include "neighbors/shared_neighbors.hpp"
#include "pairs/pair_tiles.hpp"
#include "pairs/quantized_points.hpp"
#include "pairs/rounded_rows.hpp"
#include "pairs/row_sample.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

namespace {

constexpr Index least_points = 4096;  // below, a pass over all pairs takes a fraction of a second
constexpr Index least_dimension = 96;
constexpr Index rows_of_plan = 192;
constexpr Index others_of_plan = 50000;
constexpr double nominal_cost_of_product = 0.1;  // the cost with AVX-512 without AMX, taken for that of every machine

/// The largest |z_i - z_j| that a pair may have whose distance by x is this or less: the coordinates of z are rounded,
/// each by some millionths of the point's length.
double longest_by_z(const MetricSpace& space, Index point, float distance) {
    constexpr double rounding = 4e-6;
    return space.metric() == Metric::Cosine
               ? std::sqrt(2.0 * std::max(0.0, double{distance})) + 2.0 * rounding
               : (1.0 + rounding) * space.scale() * double{distance} + 2.0 * rounding * space.prepared_length(point);
}

/// The multiplications of a dense product in whose time a point is compared with the others, each pair from one side,
/// where a product of bytes costs so many of these. By measurement.
double cost_of_comparisons(Index points, Index directions, double cost_of_product) {
    constexpr double of_a_pair = 8.0;
    return 0.5 * points * ((directions + 1.0) * cost_of_product + of_a_pair);
}

/// The cost of a pass with each number of directions, from rows of which the distance of the k-th neighbour is known.
class Plan {
public:
    Plan(const Contraction& contraction, Index k, const RunContext& context)
        : space_(contraction.space()),
          context_(context),
          rows_(sample_rows(space_.points().count, rows_of_plan, 0, RandomStream::NeighborSample)),
          others_(sample_rows(space_.points().count, others_of_plan, 0, RandomStream::NeighborSample)),
          lists_(exact_lists_of(space_.points(), rows_, k, space_.metric(), context)),
          tried_(directions_of(contraction)),
          candidates_(candidates_of(contraction)) {}

    /// A number of directions, and the multiplications of a dense product that a point then costs.
    struct Choice {
        Index directions = 0;
        double cost = std::numeric_limits<double>::infinity();
    };
    /// The cheapest, where a product of bytes costs so many of these.
    [[nodiscard]] Choice cheapest(double cost_of_product) const {
        constexpr double of_a_candidate = 7000.0;  // by measurement, with those that come before the k-th is known
        Choice best;
        for (std::size_t t = 0; t < candidates_.size(); ++t) {
            const double cost = cost_of_comparisons(space_.points().count, tried_[t], cost_of_product) +
                                candidates_[t] * of_a_candidate;
            if (cost < best.cost) {
                best = {tried_[t], cost};
            }
        }
        return best;
    }

private:
    /// The numbers of directions to try, up to as many as there are.
    [[nodiscard]] static std::span<const Index> directions_of(const Contraction& contraction) {
        const auto all = Contraction::directions_tried();
        const auto end = std::ranges::upper_bound(all, contraction.most_directions());
        return all.first(static_cast<std::size_t>(end - all.begin()));
    }

    /// For each number of directions, the pairs a point that it cannot tell from neighbours.
    [[nodiscard]] std::vector<double> candidates_of(const Contraction& contraction) const {
        constexpr double quantized_error = 0.03;  // share of a distance that matters, by measurement
        std::vector<double> counts(tried_.size());
        std::vector<std::vector<double>> parts(rows_.size(), counts);
        parallel_tasks(context_, rows_.size(), [&](std::size_t r) {
            const auto length = (1.0 + quantized_error) *
                                longest_by_z(space_, rows_[r], lists_.distances_of(static_cast<Index>(r)).back());
            contraction.count_within(rows_[r], length * length, others_, tried_, parts[r]);
        });
        const double all_for_one = static_cast<double>(space_.points().count) / static_cast<double>(others_.size());
        const double share = all_for_one / static_cast<double>(rows_.size());
        for (const auto& part : parts) {
            std::transform(part.begin(), part.end(), counts.begin(), counts.begin(),
                           [&](double one, double sum) { return sum + share * one; });
        }
        return counts;
    }

    const MetricSpace& space_;
    const RunContext& context_;
    std::vector<Index> rows_;
    std::vector<Index> others_;
    NeighborLists lists_;
    std::span<const Index> tried_;
    std::vector<double> candidates_;
};

/// The k nearest of each point, while pairs that may be among them are offered in any order. Points have the numbers of
/// their places in an order; lists have their own. Nothing is kept for the points of other ranks.
class NearestInOrder {
public:
    /// Takes all directions of z that there are: they tell most pairs apart that fewer did not, at a fraction of the
    /// time of a true distance.
    NearestInOrder(const std::vector<Index>& order, const Contraction& z, Index k, const RankGroup& ranks,
                   const RunContext& context)
        : space_(z.space()),
          order_(order),
          k_(k),
          ranks_(ranks),
          blocks_(pair_blocks(z.count())),
          own_(ranks.own_rows(blocks_)),
          best_(order.size()),
          reach_(block_count(order.size(), panel_width) * panel_width, std::numeric_limits<float>::infinity()) {
        const auto begin = reach_.begin();
        std::fill(begin, begin + static_cast<std::ptrdiff_t>(own_.begin), 0.0F);
        std::fill(begin + static_cast<std::ptrdiff_t>(own_.end), begin + z.count(), 0.0F);
        double longest = 0.0;
        for (const Index row : order) {
            longest = std::max(longest, space_.prepared_length(row));
        }
        const auto write = [&](Index i, std::span<float> row) { z.write(order[i], z.most_directions(), row); };
        z_.set(z.most_directions() + 1, longest, write, std::span(reach_).first(z.count()), context);
    }

    /// Takes for each point of this rank a distance within which there are k others.
    void begin_with(std::span<const float> distances) {
        for (std::size_t i = own_.begin; i < own_.end; ++i) {
            lower_reach(static_cast<Index>(i), distances[i - own_.begin]);
        }
    }

    /// |z_i - z_j| above which a pair is not among the k nearest of i, for whole panels.
    [[nodiscard]] const float* reach(Index first) const { return reach_.data() + first; }

    void offer(std::span<ListedPair> pairs) {
        const auto near = pairs.first(z_.keep_near(pairs));
        for (std::size_t p = 0; p < near.size(); ++p) {
            if (p + 1 < near.size()) {
                prefetch_beginning(near[p + 1].i);
                prefetch_beginning(near[p + 1].j);
            }
            const auto [i, j] = near[p];
            const float distance = space_.distance(order_[i], order_[j]);
            take(i, {distance, order_[j]});
            take(j, {distance, order_[i]});
        }
    }

    /// The lists of all points. Collective.
    [[nodiscard]] NeighborLists lists() const {
        NeighborLists lists = empty_lists(count(), k_);
        if (ranks_.size() == 1) {
            for (Index i = 0; i < count(); ++i) {
                write_list(best_[i], order_[i], lists);
            }
            return lists;
        }
        for (auto i = static_cast<Index>(own_.begin); i < own_.end; ++i) {
            write_list(best_[i], i, lists);
        }
        all_gather_lists(ranks_, blocks_, lists);
        return out_of_order(lists);
    }

private:
    [[nodiscard]] Index count() const { return static_cast<Index>(order_.size()); }

    [[nodiscard]] NeighborLists out_of_order(const NeighborLists& in_order) const {
        NeighborLists lists = empty_lists(count(), k_);
        for (Index i = 0; i < count(); ++i) {
            const std::size_t to = std::size_t{order_[i]} * k_;
            std::ranges::copy(in_order[i], lists.indices.begin() + static_cast<std::ptrdiff_t>(to));
            std::ranges::copy(in_order.distances_of(i), lists.distances.begin() + static_cast<std::ptrdiff_t>(to));
        }
        return lists;
    }

    void take(Index i, const Neighbor& candidate) {
        if (i < own_.begin || i >= own_.end) {
            return;
        }
        auto& best = best_[i];
        if (best.size() == k_) {
            if (!(candidate < best.back())) {
                return;
            }
            best.pop_back();
        }
        best.insert(std::upper_bound(best.begin(), best.end(), candidate), candidate);
        if (best.size() == k_) {
            lower_reach(i, best.back().distance);
        }
    }

    /// For a row that lies anywhere in memory; the machine fetches the lines that follow by itself. Four lines: 16 or
    /// all of them gain less.
    void prefetch_beginning(Index i) const {
        constexpr std::size_t line = 16;
        const auto row = space_.points()[order_[i]];
        for (std::size_t c = 0; c < std::min(row.size(), 4 * line); c += line) {
            hwy::Prefetch(row.data() + c);
        }
    }

    void lower_reach(Index i, float distance) {
        const double longest = longest_by_z(space_, order_[i], distance);
        reach_[i] =
            std::min(reach_[i], std::nextafter(static_cast<float>(longest), std::numeric_limits<float>::infinity()));
        z_.set_radius(i, double{reach_[i]});
    }

    const MetricSpace& space_;
    const std::vector<Index>& order_;
    RoundedRows z_;
    Index k_;
    const RankGroup& ranks_;
    RowBlocks blocks_;
    Range own_;  ///< places of this rank
    std::vector<std::vector<Neighbor>> best_;
    std::vector<float> reach_;
};

/// Marks the pairs of two panels that may be near enough for one of their points. False where there are none.
bool mark(const QuantizedPoints& points, const PanelPair& pair, const NearestInOrder& nearest, TilePlaces& places) {
    static const std::vector<float> none(panel_width, 0.0F);
    const auto panel = [&](Index p) {
        return points.panel(p, {nearest.reach(static_cast<Index>(p * panel_width)), none.data()});
    };
    return mark_within_reach(panel(pair.rows), panel(pair.columns), places);
}

/// Few rows have any.
void append_pairs(const PanelPair& pair, const TilePlaces& places, Index count, std::vector<ListedPair>& pairs) {
    constexpr std::size_t rows_at_once = 8;
    const auto first_row = static_cast<Index>(pair.rows * panel_width);
    const auto first_column = static_cast<Index>(pair.columns * panel_width);
    const auto rows = std::min<Index>(panel_width, count - first_row);
    for (Index first = 0; first < rows; first += rows_at_once) {
        const auto some = std::span(places.rows).subspan(first, rows_at_once);
        if (std::accumulate(some.begin(), some.end(), std::uint64_t{0}, std::bit_or()) == 0) {
            continue;
        }
        for (Index row = first; row < std::min<Index>(first + rows_at_once, rows); ++row) {
            std::uint64_t marked = places.rows[row];
            if (pair.rows == pair.columns) {
                marked &= ~((std::uint64_t{2} << row) - 1);
            }
            for (; marked != 0; marked &= marked - 1) {
                const auto j = static_cast<Index>(first_column + std::countr_zero(marked));
                if (j < count) {
                    pairs.push_back({first_row + row, j});
                }
            }
        }
    }
}

/// The pairs of two blocks. All are marked before any is offered, but those of a block with itself, which come early:
/// there the k-th distances shrink with each pair of panels, and fewer are marked.
void offer_blocks(const QuantizedPoints& points, std::span<const PanelPair> pairs, NearestInOrder& nearest) {
    TilePlaces places;  // NOLINT(*-member-init): filled by mark
    std::vector<ListedPair> marked;
    const std::size_t at_once = pairs.front().rows == pairs.front().columns ? 1 : pairs.size();
    for (std::size_t begin = 0; begin < pairs.size(); begin += at_once) {
        marked.clear();
        for (const PanelPair& pair : pairs.subspan(begin, at_once)) {
            if (mark(points, pair, nearest, places)) {
                append_pairs(pair, places, points.count(), marked);
            }
        }
        nearest.offer(marked);
    }
}

bool can_be_pruned(const PointsView& points, Metric metric, std::optional<double> most) {
    const double least = points.count * cost_of_comparisons(points.count, Contraction::directions_tried().front(),
                                                            nominal_cost_of_product);
    return points.count >= least_points && points.dimension >= least_dimension && metric != Metric::InnerProduct &&
           least <= most.value_or(least);
}

/// The directions of a pass that may take so many multiplications; 0 where it would take more, or, without a limit, no
/// fewer than a pass in all numbers.
Index chosen_directions(const Plan& plan, const PointsView& points, std::optional<double> most) {
    const Plan::Choice here = plan.cheapest(QuantizedPoints::cost_of_product());
    if (most) {
        return plan.cheapest(nominal_cost_of_product).cost * points.count <= *most ? here.directions : 0;
    }
    return here.cost < 0.5 * points.count * points.dimension ? here.directions : 0;
}

void state_plan(const PointsView& points, const RunContext& context) {
    const std::uint64_t coordinates = std::min(points.dimension / 4, Contraction::directions_tried().back());
    require_memory(context,
                   {{"coordinates of the points", points.count * (coordinates * sizeof(float) + sizeof(double))}},
                   "raise the limit or search fewer points");
}

}  // namespace

bool pruning_is_cheap(const PointsView& points, Index k, Metric metric, double most, const RunContext& context) {
    if (!can_be_pruned(points, metric, most)) {
        return false;
    }
    state_plan(points, context);
    const MetricSpace space({points, points, metric}, context);
    const Contraction contraction(space, context);
    return chosen_directions(Plan(contraction, k, context), points, most) != 0;
}

std::optional<NeighborLists> pruned_neighbors(const DistributedPoints& points, Index k, Metric metric,
                                              const RunContext& context, std::optional<double> most) {
    const PointsView& all = points.local();
    const RankGroup ranks = ranks_of(points);
    if (!can_be_pruned(all, metric, most)) {
        return std::nullopt;
    }
    if (most) {
        state_plan(all, context);
    }
    const MetricSpace space({all, all, metric}, context);
    std::optional<Contraction> contraction(std::in_place, space, context);
    const Index directions = chosen_directions(Plan(*contraction, k, context), all, most);
    if (directions == 0) {
        return std::nullopt;
    }
    if (most) {
        require_memory(context,
                       {{"packed points, candidates and lists", exact_neighbors_bytes(all.count, all.dimension, k)}},
                       "raise the limit, ask for fewer neighbours or search fewer points");
    }
    const std::vector<Index> order = contraction->order(context);
    const Range own = ranks.own_rows(pair_blocks(all.count));
    const std::vector<float> distances =
        contraction->distances_with_k_within(std::span(order).subspan(own.begin, own.size()), k, context);
    const QuantizedPoints z = contraction->quantized(order, directions, context);
    NearestInOrder nearest(order, *contraction, k, ranks, context);
    contraction.reset();
    nearest.begin_with(distances);
    for_each_block_pair_by_runs_of(
        ranks.own_blocks(pair_blocks(all.count)), all.count, context,
        [&](std::span<const PanelPair> pairs) { offer_blocks(z, pairs, nearest); }, "neighbors");
    return nearest.lists();
}

}  // namespace isogon
