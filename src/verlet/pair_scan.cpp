#include "verlet/pair_scan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "core/parallel.hpp"
#include "distributed/agreement.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

namespace {

constexpr float rounding_up = 1.0F + 1e-5F;  // of positions, radii and squares
constexpr std::uint64_t rows_of_a_box = 3;   // compared with 48 points in the time of 48 points and one box

/// A number all of whose bits depend on all bits of this one (SplitMix64).
std::uint64_t mixed(std::uint64_t bits) {
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBU;
    return bits ^ bits >> 31;
}

bool is_near(const CsrMatrix<float>& near, Index i, Index j) {
    const auto columns = near.row_indices(std::min(i, j));
    return std::binary_search(columns.begin(), columns.end(), std::max(i, j));
}

}  // namespace

/// Tells near pairs (i, j) of some i, asked for by ascending j for each i: the row of i is passed through once.
class PairScan::NearPairs {
public:
    NearPairs(const CsrMatrix<float>& near, Range rows)
        : near_(near), first_(rows.begin), next_(rows.size(), unknown) {}

    [[nodiscard]] bool has(Index i, Index j) {
        const auto columns = near_.row_indices(i);
        std::uint32_t& next = next_[i - first_];
        if (next == unknown) {
            next = static_cast<std::uint32_t>(std::ranges::lower_bound(columns, j) - columns.begin());
        }
        while (next < columns.size() && columns[next] < j) {
            ++next;
        }
        return next < columns.size() && columns[next] == j;
    }

private:
    static constexpr std::uint32_t unknown = std::numeric_limits<std::uint32_t>::max();

    const CsrMatrix<float>& near_;
    std::size_t first_;
    std::vector<std::uint32_t> next_;
};

PairScan::PairScan(const ScannedPoints& points, const std::vector<Index>& fresh)
    : points_(points),
      ranks_(points.targets.ranks),
      blocks_(pair_blocks(points.positions.rows())),
      own_(ranks_.own_rows(blocks_)),
      fresh_(fresh),
      is_fresh_(points.positions.rows()) {
    for (const Index i : fresh) {
        is_fresh_[i] = 1;
    }
}

double PairScan::largest_skin_share(double most, const RunContext& context) {
    constexpr std::size_t points_of_sample = 384;
    std::vector<Index> some;
    const std::size_t every = block_count(fresh_.size(), points_of_sample);
    for (std::size_t m = 0; m < fresh_.size(); m += every) {
        some.push_back(fresh_[m]);
    }
    boxes_ = boxes_of_all(context);
    const ScannedRows rows(points_, some, boxes_, context);
    // In halves of pairs: a pair of two fresh points is listed once and found from both.
    std::vector<std::uint64_t> halves(rows.quantized.panels() * bins);
    for_each_own_column(rows, context, [&](const PanelPair& pair) {
        static_cast<void>(visit(pair, rows, [&](Index i, Index j, float squared) {
            halves[pair.rows * bins + bin(i, j, squared)] += is_fresh_[j] != 0 ? 1 : 2;
        }));
    });
    ranks_.all_reduce_sum(halves);
    const double of_all = static_cast<double>(fresh_.size()) / (static_cast<double>(some.size()) * points_.parts);
    double listed = 0.0;
    for (std::size_t b = 0; b < bins; ++b) {
        for (std::size_t panel = 0; panel < rows.quantized.panels(); ++panel) {
            listed += of_all * (0.5 * static_cast<double>(halves[panel * bins + b]));
        }
        if (b == 0 && listed > 2.0 * most) {
            return twice_too_many;
        }
        if (listed > most) {
            return (static_cast<double>(b) - 1.0) / (bins - 1.0);
        }
    }
    return 1.0;
}

bool PairScan::run(std::uint64_t most, const RunContext& context) {
    found_.clear();
    count_ = 0;
    compared_ = 0;
    boxes_ = boxes_of_all(context);
    if (is_of_all()) {
        scan_all(most, context);
    } else {
        scan_some(most, context);
    }
    std::array<std::uint64_t, 1> of_all_ranks{count_.load()};
    ranks_.all_reduce_sum(of_all_ranks);
    if (of_all_ranks[0] > most) {
        return false;
    }
    exchange();
    return true;
}

void PairScan::scan_all(std::uint64_t most, const RunContext& context) {
    const Index count = points_.positions.rows();
    const Range own = ranks_.own_blocks(blocks_);
    const RowBlocks wide = wide_blocks(count);
    found_.resize(wide.blocks * wide.blocks);
    for_each_wide_pair_of(own, count, context, [&](const WidePair& two) {
        std::vector<ListedPair> found;
        NearPairs near(points_.targets.near, block_range(two.rows, count, wide.rows));
        visit_block_pairs(two, own, count, [&](std::span<const PanelPair> pairs) {
            const std::size_t column_block = pairs.front().columns * tile_width / blocks_.rows;
            if (count_.load(std::memory_order_relaxed) > most ||
                !boxes_.blocks_within_reach(pairs.front().row_block, column_block)) {
                return;
            }
            std::array<PanelPair, most_panel_pairs> compared;
            std::array<TilePlaces, most_panel_pairs> places;  // NOLINT(*-member-init): filled by mark
            std::size_t marked = 0;
            std::uint64_t rows_compared = 0;
            for (const PanelPair& pair : std::span(compared).first(choose(pairs, compared))) {
                if (mark(pair, nullptr, places[marked], rows_compared)) {
                    compared[marked++] = pair;
                }
            }
            compared_ += rows_compared;
            const std::size_t before = found.size();
            for (std::size_t p = 0; p < marked; ++p) {
                collect(compared[p], places[p], near, found);
            }
            count_ += found.size() - before;
        });
        found_[two.rows * wide.blocks + two.columns].assign(found.begin(), found.end());  // no more than it needs
    });
}

void PairScan::scan_some(std::uint64_t most, const RunContext& context) {
    const ScannedRows rows(points_, fresh_, boxes_, context);
    found_.resize(rows.quantized.panels());
    std::vector<std::uint64_t> compared(found_.size());
    for_each_own_column(rows, context, [&](const PanelPair& pair) {
        if (count_.load(std::memory_order_relaxed) > most) {
            return;
        }
        std::vector<ListedPair>& found = found_[pair.rows];
        const std::size_t before = found.size();
        compared[pair.rows] += visit(pair, rows, [&](Index i, Index j, float squared) {
            // Pairs of two fresh points are found from both.
            if ((is_fresh_[j] == 0 || i < j) && is_within_skins(i, j, squared)) {
                found.push_back({i, j});
            }
        });
        if (found.size() > before) {
            count_ += found.size() - before;
        }
    });
    compared_ = std::accumulate(compared.begin(), compared.end(), std::uint64_t{0});
}

/// Whether this rank compares the pair of panels, in a scan of all points, if it is one of those that are looked at. Of
/// pairs of blocks with two owners each compares one half, in the gap of a chessboard.
bool PairScan::compares(const PanelPair& pair) const {
    if (points_.parts == 1 && ranks_.size() == 1) {
        return true;
    }
    const std::uint64_t place = std::uint64_t{pair.rows} << 32 | pair.columns;
    const bool is_of_part =
        points_.parts == 1 || mixed(place + (std::uint64_t{points_.date} << 40)) % points_.parts == 0;
    const std::size_t column_block = pair.columns * tile_width / blocks_.rows;
    const std::size_t by = (pair.row_block + column_block) % 2 == 0 ? pair.row_block : column_block;
    return is_of_part && is_own(by * blocks_.rows);
}

/// Chooses from the pairs of two blocks, by rows, those that this rank compares. Returns their number.
std::size_t PairScan::choose(std::span<const PanelPair> pairs, std::span<PanelPair> chosen) const {
    std::size_t count = 0;
    std::uint64_t near = 0;
    std::uint64_t within_reach = 0;
    Index first = 0;  // of the columns of these rows
    for (const PanelPair& pair : pairs) {
        if (pair.first_in_block) {
            first = pair.columns;
            const Index columns = pairs.back().columns - first + 1;
            within_reach = boxes_.within_reach(boxes_, pair.rows, first, columns);
            near = points_.which == PanelPairs::All ? 0 : points_.panels->near_of(pair.rows, first, columns);
        }
        const bool is_near = (near >> (pair.columns - first) & 1) != 0;
        if ((points_.which == PanelPairs::All || is_near == (points_.which == PanelPairs::Near)) && compares(pair)) {
            chosen[count] = pair;
            count += within_reach >> (pair.columns - first) & 1;
        }
    }
    return count;
}

PanelBoxes PairScan::boxes_of_all(const RunContext& context) const {
    return {points_.positions, points_.radii, points_.skins, context};
}

double PairScan::compared_share() const {
    std::array<std::uint64_t, 1> rows{compared_.load()};
    ranks_.all_reduce_sum(rows);
    const double panels = points_.quantized.panels();
    const double fresh_panels = static_cast<double>(block_count(fresh_.size(), tile_width));
    const double pairs = is_of_all() ? 0.5 * panels * (panels + 1.0) / points_.parts : fresh_panels * panels;
    return static_cast<double>(rows[0]) / (tile_width * points_.share() * pairs);
}

/// Visits these rows with the points of this rank: each does the same, wherever the rows are.
void PairScan::for_each_own_column(const ScannedRows& rows, const RunContext& context,
                                   const std::function<void(const PanelPair&)>& visit) const {
    const auto panels = static_cast<Index>(block_count(own_.size(), tile_width));
    for_each_cross_panel_pair(rows.quantized.panels(), panels, context, [&](PanelPair pair) {
        pair.columns += static_cast<Index>(own_.begin / tile_width);
        if (rows.look_at(pair)) {
            visit(pair);
        }
    });
}

/// Sends the pairs with a point of another rank to that rank.
void PairScan::exchange() {
    if (ranks_.size() == 1) {
        return;
    }
    std::vector<ListedPair> shared;
    for (auto& run : found_) {
        const auto of_two = std::partition(run.begin(), run.end(),
                                           [&](const ListedPair& pair) { return is_own(pair.i) && is_own(pair.j); });
        shared.insert(shared.end(), of_two, run.end());
        run.erase(of_two, run.end());
    }
    std::vector<ListedPair> all = gathered(std::span<const ListedPair>(shared), ranks_);
    std::erase_if(all, [&](const ListedPair& pair) { return !is_own(pair.i) && !is_own(pair.j); });
    found_.push_back(std::move(all));
}

void PairScan::add_to(PairLists& lists, const RunContext& context) {
    const Index count = points_.positions.rows();
    if (is_of_all() && ranks_.size() == 1) {
        return list_by_wide_blocks(found_, count, lists, context);
    }
    PairLists added = lists_of(found_, own_, count, context);
    lists = is_of_all() ? std::move(added) : renewed(lists, is_fresh_, added, context);
}

/// Marks all pairs that may be within their skins. False where there are none. Adds the rows that it compared.
bool PairScan::mark(const PanelPair& pair, const ScannedRows* some, TilePlaces& places, std::uint64_t& compared) const {
    bool any = false;
    if (!points_.are_quantized()) {
        const PanelBoxes::Marked marked =
            boxes_.mark_within_reach(some == nullptr ? boxes_ : some->boxes, pair.rows, pair.columns, places);
        compared += rows_of_a_box + marked.rows;
        any = marked.any;
    } else {
        const auto reach_of = [](const auto& points, std::size_t panel) {
            return PanelReach{points.radii.data() + panel * tile_width, points.skins.data() + panel * tile_width};
        };
        const QuantizedPoints& quantized = some == nullptr ? points_.quantized : some->quantized;
        const PanelReach reach = some == nullptr ? reach_of(points_, pair.rows) : reach_of(*some, pair.rows);
        any = mark_within_reach(quantized.panel(pair.rows, reach),
                                points_.quantized.panel(pair.columns, reach_of(points_, pair.columns)), places);
        compared += tile_width;
    }
    if (any) {
        unmark_non_pairs(
            pair,
            {(some == nullptr ? points_.positions : some->positions).rows(), points_.positions.rows(), some == nullptr},
            places);
    }
    return any;
}

/// Calls take(i, j, |z_i - z_j|^2) for all pairs of these rows and columns that may be within their skins, and are not
/// near in the targets. Returns how many rows it compared.
template <class Take>
std::uint64_t PairScan::visit(const PanelPair& pair, const ScannedRows& rows, const Take& take) const {
    TilePlaces places;  // NOLINT(*-member-init): filled by mark
    std::uint64_t compared = 0;
    if (!mark(pair, &rows, places, compared)) {
        return compared;
    }
    const auto first_column = static_cast<Index>(pair.columns * tile_width);
    TileEntries hits;
    hits.count = 0;
    append_places(places, hits);
    square_differences(hits, rows.positions.row(pair.rows * tile_width), points_.positions.row(first_column),
                       points_.positions.stride());
    for (std::size_t h = 0; h < hits.count; ++h) {
        const Index i = rows.points[pair.rows * tile_width + (hits.places[h] >> tile_place_shift)];
        const auto j = static_cast<Index>(first_column + (hits.places[h] & tile_place_mask));
        if (i != j && may_be_listed(i, j, hits.values[h]) && points_.looks_at(i / tile_width, pair.columns) &&
            !is_near(points_.targets.near, i, j)) {
            take(i, j, hits.values[h]);
        }
    }
    return compared;
}

/// Adds the pairs of these places, in a scan of all points, that are within their skins and not near in the targets.
void PairScan::collect(const PanelPair& pair, const TilePlaces& places, NearPairs& near,
                       std::vector<ListedPair>& found) const {
    const auto first_row = static_cast<Index>(pair.rows * tile_width);
    const auto first_column = static_cast<Index>(pair.columns * tile_width);
    TileEntries hits;
    hits.count = 0;
    append_places(places, hits);
    square_differences(hits, points_.positions.row(first_row), points_.positions.row(first_column),
                       points_.positions.stride());
    // Without a branch, which would be foretold wrongly for every other hit.
    std::array<ListedPair, tile_size> within;  // NOLINT(*-member-init): filled below
    std::size_t count = 0;
    for (std::size_t h = 0; h < hits.count; ++h) {
        const auto i = static_cast<Index>(first_row + (hits.places[h] >> tile_place_shift));
        const auto j = static_cast<Index>(first_column + (hits.places[h] & tile_place_mask));
        within[count] = {i, j};
        count += static_cast<std::size_t>(may_be_listed(i, j, hits.values[h])) &
                 static_cast<std::size_t>(is_within_skins(i, j, hits.values[h]));
    }
    for (const ListedPair& listed : std::span(within).first(count)) {
        if (!near.has(listed.i, listed.j)) {
            found.push_back(listed);
        }
    }
}

float PairScan::radius(Index i, Index j) const {
    return std::max(points_.radii[i], points_.radii[j]);
}

bool PairScan::may_be_listed(Index i, Index j, float squared) const {
    const float bound = radius(i, j) + rounding_up * (points_.skins[i] + points_.skins[j]);
    return squared < rounding_up * bound * bound;
}

/// Without skins exactly the pairs that a pass finds too near.
bool PairScan::is_within_skins(Index i, Index j, float squared) const {
    return points_.skins[i] + points_.skins[j] > 0.0F ||
           squared < std::max(points_.targets.radii[i], points_.targets.radii[j]);
}

/// The bin of the smallest share of the fresh skins that lists the pair.
std::size_t PairScan::bin(Index i, Index j, float squared) const {
    double gap = std::sqrt(double{squared}) - double{radius(i, j)};
    double fresh = 0.0;
    for (const Index end : {i, j}) {
        (is_fresh_[end] != 0 ? fresh : gap) += (is_fresh_[end] != 0 ? 1.0 : -1.0) * double{points_.skins[end]};
    }
    return gap <= 0.0 || fresh == 0.0
               ? 0
               : std::min(bins - 1, static_cast<std::size_t>(std::ceil(gap / fresh * (bins - 1.0))));
}

}  // namespace isogon
