#include "neighbors/nearest_selection.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "pairs/pair_tiles.hpp"

namespace isogon {

namespace {

constexpr float never = std::numeric_limits<float>::infinity();

bool better(const NearestSelection::Candidate& a, const NearestSelection::Candidate& b) {
    return a.key != b.key ? a.key > b.key : a.index < b.index;
}

std::size_t padded(Index rows) {
    return block_count(rows, tile_width) * tile_width;
}

std::uint64_t columns_in(const PairTile& tile) {
    return (std::uint64_t{1} << tile.columns) - 1;
}

/// Thresholds that no column reaches.
const float* no_columns() {
    static const std::array<float, tile_width> thresholds = [] {
        std::array<float, tile_width> values{};
        values.fill(never);
        return values;
    }();
    return thresholds.data();
}

}  // namespace

std::size_t NearestSelection::capacity(Index keep) {
    return std::size_t{keep} + std::max<std::size_t>(tile_width, keep / 2);
}

std::uint64_t NearestSelection::bytes(Index rows, Index keep) {
    return rows * (capacity(keep) * sizeof(Candidate) + sizeof(float) + sizeof(Index));
}

NearestSelection::NearestSelection(Index rows, Index keep)
    : rows_(rows),
      keep_(keep),
      capacity_(capacity(keep)),
      thresholds_(padded(rows), -never),
      counts_(rows, 0),
      candidates_(rows * capacity_) {
    std::fill(thresholds_.begin() + rows, thresholds_.end(), never);
}

void NearestSelection::take_tile(const PairTile& tile, bool both) {
    TilePlaces places;
    const float* columns = both ? thresholds_.data() + tile.first_column : no_columns();
    if (!mark_reaching(tile.values, thresholds_.data() + tile.first_row, columns, places)) {
        return;
    }
    for (Index i = 0; i < tile.rows; ++i) {
        // In a diagonal tile only entries right of the diagonal are pairs.
        const std::uint64_t pairs = tile.diagonal ? columns_in(tile) >> (i + 1) << (i + 1) : columns_in(tile);
        for (std::uint64_t marked = places.rows[i] & pairs; marked != 0; marked &= marked - 1) {
            const auto j = static_cast<Index>(std::countr_zero(marked));
            const float key = tile.values[i * tile_width + j];
            offer(tile.first_row + i, tile.first_column + j, key);
            if (both) {
                offer(tile.first_column + j, tile.first_row + i, key);
            }
        }
    }
}

void NearestSelection::take_gathered(const float* values, std::span<const Index> rows, std::span<const Index> columns) {
    std::array<float, tile_width> thresholds{};
    thresholds.fill(never);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        thresholds[i] = thresholds_[rows[i]];
    }
    TilePlaces places;
    if (!mark_reaching(values, thresholds.data(), no_columns(), places)) {
        return;
    }
    const std::uint64_t present = (std::uint64_t{1} << columns.size()) - 1;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::uint64_t marked = places.rows[i] & present; marked != 0; marked &= marked - 1) {
            const auto j = static_cast<std::size_t>(std::countr_zero(marked));
            offer(rows[i], columns[j], values[i * tile_width + j]);
        }
    }
}

void NearestSelection::push(Index row, Candidate candidate) {
    if (counts_[row] == capacity_) {
        shrink(row);
        if (candidate.key < thresholds_[row]) {
            return;
        }
    }
    candidates_[row * capacity_ + counts_[row]++] = candidate;
}

/// Keeps the best, and sets the threshold to the worst of them.
void NearestSelection::keep_best(Index row) {
    const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(row * capacity_);
    std::nth_element(begin, begin + keep_ - 1, begin + counts_[row], better);
    counts_[row] = keep_;
    thresholds_[row] = begin[keep_ - 1].key;
}

/// Keeps the best and up to half of the others.
void NearestSelection::shrink(Index row) {
    const std::span some(candidates_.data() + row * capacity_, counts_[row]);
    const std::size_t most = (keep_ + capacity_) / 2;
    const KeyCut cut = cut_of(some, keep_, most);
    if (cut.reached > most) {  // equal keys, or some that are far beyond the others
        keep_best(row);
        return;
    }
    std::size_t kept = 0;
    for (const Candidate& candidate : some) {
        some[kept] = candidate;
        kept += candidate.key >= cut.key ? 1U : 0U;
    }
    counts_[row] = static_cast<Index>(kept);
    thresholds_[row] = cut.key;
}

std::span<const NearestSelection::Candidate> NearestSelection::best(Index row) {
    if (counts_[row] > keep_) {
        keep_best(row);
    }
    return {candidates_.data() + row * capacity_, counts_[row]};
}

std::span<const NearestSelection::Candidate> NearestSelection::finish(Index row) {
    const auto kept = best(row);
    const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(row * capacity_);
    std::sort(begin, begin + std::ssize(kept), better);
    return kept;
}

namespace {

/// Rows of a task: large enough for the overhead of a task, small enough that all threads get tasks.
constexpr std::size_t completed_rows_at_once = 64;

/// Whether every point outside the candidates, whose key is at most the last one's, is farther than the k-th of those
/// `found`.
bool is_certain(const MetricSpace& space, Index row, std::span<const NearestSelection::Candidate> candidates,
                std::span<const Neighbor> found, Index k) {
    const std::size_t others = space.points().count - (space.among_themselves() ? 1U : 0U);
    const float kth = found[k - 1].distance;
    const float last = candidates.back().key;
    // Many points may be orthogonal to this one: indices, not rounding, then decide which of them are listed.
    const bool right_angles = space.symmetric() && last == 0.0F && candidates[k - 1].key == 0.0F;
    return candidates.size() == others || right_angles || double{kth} < space.least_distance(row, last);
}

/// Makes lists from the candidates of a range; returns the rows whose lists are uncertain.
std::vector<Index> order_candidates(const MetricSpace& space, NearestSelection& selection, Range of,
                                    NeighborLists& lists, const RunContext& context) {
    std::vector<char> doubtful(lists.count(), 0);
    parallel_blocks(context, of.size(), completed_rows_at_once, [&](Range range) {
        for (std::size_t i = of.begin + range.begin; i < of.begin + range.end; ++i) {
            const auto row = static_cast<Index>(i);
            const auto candidates = selection.finish(row);
            const auto found = measured(space, row, candidates);
            write_list(found, row, lists);
            doubtful[i] = is_certain(space, row, candidates, found, lists.size) ? 0 : 1;
        }
    });
    std::vector<Index> rows;
    for (Index row = 0; row < lists.count(); ++row) {
        if (doubtful[row] != 0) {
            rows.push_back(row);
        }
    }
    return rows;
}

/// Rows that are searched again at a time: so many that packing all points for them costs little, and no more than some
/// megabytes of lists.
std::size_t rows_searched_again(Index k) {
    constexpr std::size_t most = 32 * panel_width;
    return std::clamp((std::size_t{1} << 20) / k, panel_width, most);
}

/// The k nearest of all points for some rows, of which the k nearest candidates are known: points are offered by
/// ascending index.
class SecondSearch {
public:
    SecondSearch(const MetricSpace& space, std::span<const Index> rows, const NeighborLists& known)
        : space_(space), rows_(rows), k_(known.size), best_(rows.size()), least_keys_(rows.size()) {
        for (std::size_t r = 0; r < rows.size(); ++r) {
            best_[r].reserve(k_);
            least_keys_[r] = space.least_key(rows[r], known.distances_of(rows[r])[k_ - 1]);
        }
    }

    /// A tile of the keys of these rows and of points from `first` on.
    void take_tile(const PairTile& tile, Index first) {
        for (Index i = 0; i < tile.rows; ++i) {
            const std::size_t r = tile.first_row + i;
            const float* keys = tile.values + std::size_t{i} * panel_width;
            for (Index j = 0; j < tile.columns; ++j) {
                if (double{keys[j]} >= least_keys_[r]) {
                    offer(r, first + tile.first_column + j);
                }
            }
        }
    }

    void write(NeighborLists& lists) {
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            std::sort_heap(best_[r].begin(), best_[r].end());
            write_list(best_[r], rows_[r], lists);
        }
    }

private:
    void offer(std::size_t r, Index point) {
        if (point == rows_[r] && space_.among_themselves()) {
            return;
        }
        std::vector<Neighbor>& best = best_[r];
        const bool kept = keep_nearest({space_.comparable_distance(rows_[r], point), point}, k_, best);
        if (kept && best.size() == k_) {
            // No point is nearer than a duplicate, and later points have a larger index.
            const bool copies = best.front().distance == 0.0F && space_.metric() != Metric::InnerProduct;
            least_keys_[r] = copies ? std::numeric_limits<double>::infinity()
                                    : std::max(least_keys_[r], space_.least_key(rows_[r], best.front().distance));
        }
    }

    const MetricSpace& space_;
    std::span<const Index> rows_;
    Index k_;
    std::vector<std::vector<Neighbor>> best_;
    std::vector<double> least_keys_;
};

void search_again(const MetricSpace& space, std::span<const Index> rows, NeighborLists& lists,
                  const RunContext& context) {
    constexpr std::size_t points_at_once = 100 * panel_width;
    SecondSearch search(space, rows, lists);
    const PackedPoints left = space.pack_queries(rows, context);
    const std::size_t count = space.points().count;
    for (std::size_t b = 0; b < block_count(count, points_at_once); ++b) {
        const Range block = block_range(b, count, points_at_once);
        for_each_cross_tile(left, space.pack_points(block, context), context,
                            [&](PairTile& tile) { search.take_tile(tile, static_cast<Index>(block.begin)); });
    }
    search.write(lists);
}

}  // namespace

Index candidates_for(Index k) {
    return k + std::max<Index>(8, k / 8);
}

std::vector<Neighbor> measured(const MetricSpace& space, Index query,
                               std::span<const NearestSelection::Candidate> candidates) {
    std::vector<Neighbor> found;
    found.reserve(candidates.size());
    for (const auto& candidate : candidates) {
        if (candidate.index != query || !space.among_themselves()) {
            found.push_back({space.comparable_distance(query, candidate.index), candidate.index});
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<Neighbor> nearest_of_all(const MetricSpace& space, Index query, Index k) {
    std::vector<Neighbor> found;
    found.reserve(space.points().count);
    for (Index j = 0; j < space.points().count; ++j) {
        if (j != query || !space.among_themselves()) {
            found.push_back({space.comparable_distance(query, j), j});
        }
    }
    std::partial_sort(found.begin(), found.begin() + k, found.end());
    found.resize(k);
    return found;
}

NeighborLists empty_lists(Index rows, Index k) {
    NeighborLists lists{.size = k};
    lists.indices.resize(std::size_t{rows} * k);
    lists.distances.resize(std::size_t{rows} * k);
    return lists;
}

void write_list(std::span<const Neighbor> sorted, Index row, NeighborLists& lists) {
    for (Index a = 0; a < lists.size; ++a) {
        lists.indices[std::size_t{row} * lists.size + a] = sorted[a].index;
        lists.distances[std::size_t{row} * lists.size + a] = sorted[a].distance;
    }
}

void restore_unit(const MetricSpace& space, Index query, NeighborLists& lists, Index row) {
    for (std::size_t a = std::size_t{row} * lists.size; a < (std::size_t{row} + 1) * lists.size; ++a) {
        lists.distances[a] = space.in_unit_of_input(query, lists.distances[a]);
    }
}

NeighborLists complete_lists(const MetricSpace& space, NearestSelection& selection, Index k, Range of,
                             const RunContext& context) {
    NeighborLists lists = empty_lists(space.queries().count, k);
    const std::vector<Index> doubtful = order_candidates(space, selection, of, lists, context);
    const std::size_t group = rows_searched_again(k);
    for (std::size_t start = 0; start < doubtful.size(); start += group) {
        const std::size_t count = std::min(group, doubtful.size() - start);
        search_again(space, std::span(doubtful).subspan(start, count), lists, context);
        context.report({"rows searched again", start + count, doubtful.size(), 0.0});
    }
    for (auto row = static_cast<Index>(of.begin); row < of.end; ++row) {
        restore_unit(space, row, lists, row);
    }
    return lists;
}

std::uint64_t list_completion_bytes(Index queries, Index dimension, Index k) {
    const auto rows = static_cast<Index>(std::min<std::size_t>(queries, rows_searched_again(std::max<Index>(k, 1))));
    return PackedPoints::bytes(rows, dimension + 2) +
           std::uint64_t{rows} * (dimension + 4 + 2 * std::uint64_t{k}) * sizeof(float) +
           std::uint64_t{queries} * sizeof(Index);
}

void require_distances(const NeighborLists& lists) {
    const auto found = std::ranges::find_if(lists.distances, [](float distance) { return !std::isfinite(distance); });
    if (found != lists.distances.end()) {
        const auto place = static_cast<std::size_t>(found - lists.distances.begin());
        throw InputError("input", "row " + std::to_string(place / lists.size),
                         "is farther from its neighbour, row " + std::to_string(lists.indices[place]) +
                             ", than the largest number of float32, 3.4e38; multiply all values by a small number");
    }
}

}  // namespace isogon
