#include "isogon/pairs/active_pairs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "isogon/core/parallel.hpp"
#include "isogon/distributed/agreement.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "isogon/pairs/tile_kernel.hpp"
#include "pairs/local_tiles.hpp"

namespace isogon {

namespace {

constexpr std::size_t rows_at_once = 512;
constexpr double hopeless = -1.0;  // a share of the skins
constexpr unsigned most_parts = 1000;
constexpr double products_of_a_listed_pair = 60.0;  // in time, at d = 32: rows of lists lie anywhere in memory

float distance(const float* a, const float* b, Index columns) {
    double sum = 0.0;
    for (Index k = 0; k < columns; ++k) {
        const double difference = double{a[k]} - b[k];
        sum += difference * difference;
    }
    return static_cast<float>(std::sqrt(sum));
}

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

/// One scan: of all pairs, or of some points with all others. Ranks share it: each pair is compared by one of its
/// points' owners, and what is found goes to both.
class ActivePairs::Scan {
public:
    Scan(const ActivePairs& active, const std::vector<Index>& fresh)
        : active_(active),
          ranks_(active.targets_.ranks),
          blocks_(pair_blocks(active.targets_.near.rows)),
          own_(ranks_.own_rows(blocks_)),
          fresh_(fresh),
          is_fresh_(active.targets_.near.rows) {
        for (const Index i : fresh) {
            is_fresh_[i] = 1;
        }
    }

    /// The largest share of the fresh points' skins with which they are expected to list no more than this; below zero
    /// where even none is too much, and `hopeless` or less where it is more than twice as much.
    [[nodiscard]] double share_that_lists(double most, const RunContext& context) const {
        std::vector<Index> some;
        const std::size_t every = block_count(fresh_.size(), points_of_sample);
        for (std::size_t m = 0; m < fresh_.size(); m += every) {
            some.push_back(fresh_[m]);
        }
        const Rows rows(active_, some);
        // In halves of pairs: a pair of two fresh points is listed once and found from both.
        std::vector<std::uint64_t> halves(rows.quantized.panels() * bins);
        for_each_own_column(rows, context, [&](const PanelPair& pair) {
            visit(pair, &rows, [&](Index i, Index j, float squared) {
                halves[pair.rows * bins + bin(i, j, squared)] += is_fresh_[j] != 0 ? 1 : 2;
            });
        });
        ranks_.all_reduce_sum(halves);
        const double of_all = static_cast<double>(fresh_.size()) / (static_cast<double>(some.size()) * active_.parts_);
        double listed = 0.0;
        for (std::size_t b = 0; b < bins; ++b) {
            for (std::size_t panel = 0; panel < rows.quantized.panels(); ++panel) {
                listed += of_all * (0.5 * static_cast<double>(halves[panel * bins + b]));
            }
            if (b == 0 && listed > 2.0 * most) {
                return hopeless;
            }
            if (listed > most) {
                return (static_cast<double>(b) - 1.0) / (bins - 1.0);
            }
        }
        return 1.0;
    }

    /// Finds the pairs within the skins. False where there are more than `most`.
    [[nodiscard]] bool run(std::uint64_t most, const RunContext& context) {
        std::atomic<std::uint64_t> count{0};
        found_.clear();
        const auto collect = [&](const PanelPair& pair, const Rows* rows, std::vector<Pair>& found) {
            if (count.load(std::memory_order_relaxed) > most || !active_.looks_at(pair)) {
                return;
            }
            const std::size_t before = found.size();
            visit(pair, rows, [&](Index i, Index j, float squared) {
                // Pairs of two fresh points are found from both.
                if ((rows == nullptr || is_fresh_[j] == 0 || i < j) && is_within_skins(i, j, squared)) {
                    found.push_back({i, j});
                }
            });
            count += found.size() - before;
        };
        if (fresh_.size() == active_.scanned_.rows()) {
            found_.resize(blocks_.blocks);
            for_each_panel_pair_of(ranks_.own_blocks(blocks_), active_.scanned_.rows(), context,
                                   [&](const PanelPair& pair) {
                                       if (compares(pair)) {
                                           collect(pair, nullptr, found_[pair.row_block]);
                                       }
                                   });
        } else {
            const Rows rows(active_, fresh_);
            found_.resize(rows.quantized.panels());
            for_each_own_column(rows, context, [&](const PanelPair& pair) { collect(pair, &rows, found_[pair.rows]); });
        }
        std::array<std::uint64_t, 1> of_all_ranks{count.load()};
        ranks_.all_reduce_sum(of_all_ranks);
        if (of_all_ranks[0] > most) {
            return false;
        }
        exchange();
        return true;
    }

    /// Old lists of own points without the fresh ones, and what was found. Frees what was found.
    void merge(const RunContext& context, std::vector<Offset>& begins, std::vector<Index>& lists) {
        const auto additional = additions();
        const std::vector<Offset>& added_begins = additional.first;
        const std::vector<Index>& added = additional.second;
        const Index count = active_.targets_.near.rows;
        std::vector<Offset> new_begins(std::size_t{count} + 1, 0);
        parallel_blocks(context, count, rows_at_once, [&](Range rows) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                const auto old = old_list(static_cast<Index>(i));
                const auto kept = std::count_if(old.begin(), old.end(), [&](Index j) { return is_fresh_[j] == 0; });
                new_begins[i + 1] = static_cast<Offset>(kept) + added_begins[i + 1] - added_begins[i];
            }
        });
        std::partial_sum(new_begins.begin(), new_begins.end(), new_begins.begin());
        std::vector<Index> merged(new_begins.back());
        parallel_blocks(context, count, rows_at_once, [&](Range rows) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                const auto old = old_list(static_cast<Index>(i));
                const auto begin = merged.begin() + static_cast<std::ptrdiff_t>(new_begins[i]);
                const auto middle =
                    std::copy_if(old.begin(), old.end(), begin, [&](Index j) { return is_fresh_[j] == 0; });
                const auto end = std::copy(added.begin() + static_cast<std::ptrdiff_t>(added_begins[i]),
                                           added.begin() + static_cast<std::ptrdiff_t>(added_begins[i + 1]), middle);
                std::sort(middle, end);
                std::inplace_merge(begin, middle, end);
            }
        });
        begins = std::move(new_begins);
        lists = std::move(merged);
    }

private:
    struct Pair {
        Index i;
        Index j;
    };
    static constexpr std::size_t points_of_sample = 384;
    static constexpr std::size_t bins = 33;  ///< by the share of the skins that lists a pair; the first: without any

    /// Some points, as rows of tiles.
    struct Rows {
        Rows(const ActivePairs& active, const std::vector<Index>& of_all)
            : points(of_all),
              scanned(static_cast<Index>(points.size()), active.scanned_.columns()),
              quantized(scanned.rows(), scanned.columns()),
              radii(block_count(points.size(), tile_width) * tile_width),
              skins(radii.size()) {
            for (Index m = 0; m < scanned.rows(); ++m) {
                std::copy_n(active.scanned_.row(points[m]), scanned.columns(), scanned.row(m));
                quantized.set(m, scanned.row(m), active.scale_);
                radii[m] = active.radii_[points[m]];
                skins[m] = active.skins_[points[m]];
            }
        }
        const std::vector<Index>& points;
        MultiVector<float> scanned;
        QuantizedPoints quantized;
        std::vector<float> radii;
        std::vector<float> skins;
    };

    [[nodiscard]] bool is_own(std::size_t point) const { return own_.begin <= point && point < own_.end; }

    /// Of pairs of blocks with two owners each compares one half, in the way of a chessboard.
    [[nodiscard]] bool compares(const PanelPair& pair) const {
        const std::size_t column_block = pair.columns * tile_width / blocks_.rows;
        const std::size_t by = (pair.row_block + column_block) % 2 == 0 ? pair.row_block : column_block;
        return is_own(by * blocks_.rows);
    }

    /// Visits these rows with the points of this rank: each does the same, wherever the rows are.
    void for_each_own_column(const Rows& rows, const RunContext& context,
                             const std::function<void(const PanelPair&)>& visit) const {
        const auto panels = static_cast<Index>(block_count(own_.size(), tile_width));
        for_each_cross_panel_pair(rows.quantized.panels(), panels, context, [&](PanelPair pair) {
            pair.columns += static_cast<Index>(own_.begin / tile_width);
            visit(pair);
        });
    }

    /// Sends the pairs with a point of another rank to that rank.
    void exchange() {
        if (ranks_.size() == 1) {
            return;
        }
        std::vector<Pair> shared;
        for (auto& run : found_) {
            const auto of_two = std::partition(run.begin(), run.end(),
                                               [&](const Pair& pair) { return is_own(pair.i) && is_own(pair.j); });
            shared.insert(shared.end(), of_two, run.end());
            run.erase(of_two, run.end());
        }
        std::vector<Pair> all = gathered(std::span<const Pair>(shared), ranks_);
        std::erase_if(all, [&](const Pair& pair) { return !is_own(pair.i) && !is_own(pair.j); });
        found_.push_back(std::move(all));
    }

    /// Calls take(i, j, |z_i - z_j|^2) for all pairs that may be within their skins, and are not near in the targets.
    template <class Take>
    void visit(const PanelPair& pair, const Rows* some, const Take& take) const {
        const std::size_t first_row = pair.rows * tile_width;
        const std::size_t first_column = pair.columns * tile_width;
        const auto reach_of = [](const auto& points, std::size_t first) {
            return PanelReach{points.radii.data() + first, points.skins.data() + first};
        };
        const PanelReach columns{active_.radii_.data() + first_column, active_.skins_.data() + first_column};
        const PanelReach rows = some == nullptr
                                    ? PanelReach{active_.radii_.data() + first_row, active_.skins_.data() + first_row}
                                    : reach_of(*some, first_row);
        const QuantizedPoints& quantized = some == nullptr ? active_.quantized_ : some->quantized;
        const MultiVector<float>& z = some == nullptr ? active_.scanned_ : some->scanned;
        TileEntries hits;
        hits.count = 0;
        {
            TilePlaces places;  // NOLINT(*-member-init): filled by mark_within_reach
            mark_within_reach(quantized.panel(pair.rows), rows, active_.quantized_.panel(pair.columns), columns,
                              places);
            leave_out_what_is_no_pair(pair, some == nullptr, z.rows(), places);
            append_places(places, hits);
        }
        square_differences(hits, z.row(static_cast<Index>(first_row)),
                           active_.scanned_.row(static_cast<Index>(first_column)), z.stride());
        for (std::size_t h = 0; h < hits.count; ++h) {
            const auto row = static_cast<Index>(first_row + (hits.places[h] >> tile_place_shift));
            const auto j = static_cast<Index>(first_column + (hits.places[h] & tile_place_mask));
            const Index i = some == nullptr ? row : some->points[row];
            if (i != j && may_be_listed(i, j, hits.values[h]) && !is_near(active_.targets_.near, i, j)) {
                take(i, j, hits.values[h]);
            }
        }
    }

    /// Padding and, of all pairs, what is on and below the diagonal.
    void leave_out_what_is_no_pair(const PanelPair& pair, bool of_all, Index row_count, TilePlaces& places) const {
        const std::size_t rows = std::min<std::size_t>(tile_width, row_count - pair.rows * tile_width);
        const std::size_t columns =
            std::min<std::size_t>(tile_width, active_.scanned_.rows() - pair.columns * tile_width);
        const bool diagonal = of_all && pair.rows == pair.columns;
        if (!diagonal && rows == tile_width && columns == tile_width) {
            return;
        }
        for (std::size_t i = 0; i < tile_width; ++i) {
            const std::uint64_t within = i < rows ? (std::uint64_t{1} << columns) - 1 : 0;
            const std::uint64_t after = diagonal ? ~((std::uint64_t{2} << i) - 1) : ~std::uint64_t{0};
            places.rows[i] &= within & after;
        }
    }

    [[nodiscard]] float radius(Index i, Index j) const { return std::max(active_.radii_[i], active_.radii_[j]); }

    [[nodiscard]] bool may_be_listed(Index i, Index j, float squared) const {
        const float bound = radius(i, j) + rounding * (active_.skins_[i] + active_.skins_[j]);
        return squared < rounding * bound * bound;
    }

    /// Without skins exactly the pairs that a pass finds too near.
    [[nodiscard]] bool is_within_skins(Index i, Index j, float squared) const {
        return active_.skins_[i] + active_.skins_[j] > 0.0F ||
               squared < std::max(active_.targets_.radii[i], active_.targets_.radii[j]);
    }

    /// Of the smallest share of the fresh skins that lists the pair.
    [[nodiscard]] std::size_t bin(Index i, Index j, float squared) const {
        double way = std::sqrt(double{squared}) - double{radius(i, j)};
        double fresh = 0.0;
        for (const Index end : {i, j}) {
            (is_fresh_[end] != 0 ? fresh : way) += (is_fresh_[end] != 0 ? 1.0 : -1.0) * double{active_.skins_[end]};
        }
        return way <= 0.0 || fresh == 0.0
                   ? 0
                   : std::min(bins - 1, static_cast<std::size_t>(std::ceil(way / fresh * (bins - 1.0))));
    }

    [[nodiscard]] std::span<const Index> old_list(Index i) const {
        return is_fresh_[i] != 0 || active_.begins_.empty() ? std::span<const Index>() : active_.of(i);
    }

    /// What was found, for both points of a pair, by point; of own points.
    std::pair<std::vector<Offset>, std::vector<Index>> additions() {
        std::vector<Offset> begins(std::size_t{active_.targets_.near.rows} + 1, 0);
        for (const auto& run : found_) {
            for (const auto& [i, j] : run) {
                begins[i + 1] += is_own(i) ? 1 : 0;
                begins[j + 1] += is_own(j) ? 1 : 0;
            }
        }
        std::partial_sum(begins.begin(), begins.end(), begins.begin());
        std::vector<Index> added(begins.back());
        std::vector<Offset> next(begins.begin(), begins.end() - 1);
        for (auto& run : found_) {
            for (const auto& [i, j] : run) {
                if (is_own(i)) {
                    added[next[i]++] = j;
                }
                if (is_own(j)) {
                    added[next[j]++] = i;
                }
            }
            std::vector<Pair>().swap(run);  // freed here: the peak stays near one copy
        }
        return {std::move(begins), std::move(added)};
    }

    static constexpr float rounding = 1.0F + 1e-5F;  ///< of positions, radii and squares

    const ActivePairs& active_;
    const RankGroup& ranks_;
    RowBlocks blocks_;
    Range own_;  ///< points of this rank
    const std::vector<Index>& fresh_;
    std::vector<std::uint8_t> is_fresh_;
    std::vector<std::vector<Pair>> found_;  ///< by block of rows, so that threads need no locks
};

ActivePairs::ActivePairs(const LocalTargets& targets, DeviationScale scale)
    : targets_(targets), scale_(scale), radii_(targets.radii), dates_(targets.radii.size()), lifetime_(4.0) {
    for (float& radius : radii_) {
        radius = std::sqrt(radius);
    }
    mean_radius_ = std::accumulate(radii_.begin(), radii_.end(), 0.0) / static_cast<double>(radii_.size());
    radii_ = padded(std::move(radii_));
    skins_.resize(radii_.size());
}

bool ActivePairs::update(const MultiVector<float>& y, const RunContext& context) {
    ++updates_;
    list_work_ += listed_by_all_ranks_;
    if (frozen_ && complete_) {
        return true;
    }
    // Skins that were right when points were faster make lists longer than they need be.
    if (complete_ && products_of_a_listed_pair * listed_since_whole_scan_ > pairs_of_all()) {
        complete_ = false;
    }
    const std::vector<Index> fresh = points_to_scan(y, context);
    listed_since_whole_scan_ = fresh.size() == y.rows() ? 0.0 : listed_since_whole_scan_ + listed_by_all_ranks_;
    if (fresh.empty() || scan(y, fresh, context)) {
        return true;
    }
    if (fresh.size() == y.rows()) {
        return false;
    }
    // The skins of the others may have been what was too long.
    std::vector<Index> all(y.rows());
    std::iota(all.begin(), all.end(), Index{0});
    return scan(y, all, context);
}

/// How far each point is from where it was scanned, in skins.
std::vector<float> ActivePairs::ways_in_skins(const MultiVector<float>& y, const RunContext& context) const {
    constexpr float least_skin = 1e-30F;
    std::vector<float> ways(y.rows());
    const RowBlocks blocks = pair_blocks(y.rows());
    const Range own = targets_.ranks.own_rows(blocks);
    parallel_blocks(context, own.size(), rows_at_once, [&](Range rows) {
        for (std::size_t i = own.begin + rows.begin; i < own.begin + rows.end; ++i) {
            ways[i] = distance(y.row(i), scanned_.row(i), y.columns()) / std::max(least_skin, skins_[i]);
        }
    });
    targets_.ranks.all_gather_rows(blocks, std::as_writable_bytes(std::span(ways)));
    return ways;
}

/// Where one point has left its skin, those that are about to go with it: the fewer scans.
std::vector<Index> ActivePairs::points_to_scan(const MultiVector<float>& y, const RunContext& context) const {
    constexpr float about = 0.75F;
    std::vector<Index> fresh;
    bool all = !complete_;
    std::vector<float> ways;
    if (!all) {
        ways = ways_in_skins(y, context);
        if (std::none_of(ways.begin(), ways.end(), [](float way) { return way > 1.0F; })) {
            return fresh;
        }
        const auto moved = std::count_if(ways.begin(), ways.end(), [](float way) { return way > about; });
        all = 2 * moved > static_cast<std::ptrdiff_t>(ways.size());
    }
    for (Index i = 0; i < y.rows(); ++i) {
        if (all || ways[i] > about) {
            fresh.push_back(i);
        }
    }
    return fresh;
}

void ActivePairs::freeze(bool frozen) {
    complete_ = complete_ && frozen == frozen_;  // what was found while frozen is a part
    frozen_ = frozen;
}

/// Half of the pairs lead to the same places as all, a fourth to nearly the same in some updates more.
unsigned ActivePairs::usual_parts() const {
    constexpr Index very_many = 200000;
    if (!frozen_) {
        return 1;
    }
    return targets_.near.rows < very_many ? 2 : 4;
}

bool ActivePairs::looks_at(const PanelPair& pair) const {
    const std::uint64_t place = std::uint64_t{pair.rows} << 32 | pair.columns;
    return parts_ == 1 || mixed(place + (std::uint64_t{updates_} << 40)) % parts_ == 0;
}

bool ActivePairs::are_stale(const MultiVector<float>& y, const RunContext& context) const {
    constexpr float far = 2.0F;     // at 1 few of the pairs that matter are missed, and scans are twice as many
    constexpr float share = 0.05F;  // fast points alone are no reason to scan all
    if (!complete_) {
        return false;
    }
    const std::vector<float> ways = ways_in_skins(y, context);
    const auto gone = std::count_if(ways.begin(), ways.end(), [](float way) { return way > far; });
    return static_cast<float>(gone) > share * static_cast<float>(ways.size());
}

void ActivePairs::choose_skins(const MultiVector<float>& y, const std::vector<Index>& fresh) {
    constexpr double first = 0.02;  // shares of the mean radius
    constexpr double least = 0.001;
    constexpr double most = 0.5;
    for (const Index i : fresh) {
        const double way =
            dates_[i] == 0 ? first * mean_radius_ : double{distance(y.row(i), scanned_.row(i), y.columns())};
        if (way == 0.0) {
            continue;  // scanned again where it is: its speed is not known anew
        }
        const double speed = way / std::max<double>(1.0, updates_ - dates_[i]);
        skins_[i] = static_cast<float>(std::clamp(lifetime_ * speed, least * mean_radius_, most * mean_radius_));
    }
}

void ActivePairs::take_position(const MultiVector<float>& y, Index i) {
    std::copy_n(y.row(i), y.columns(), scanned_.row(i));
    dates_[i] = updates_;
    quantized_.set(i, y.row(i), scale_);
}

bool ActivePairs::scan(const MultiVector<float>& y, const std::vector<Index>& fresh, const RunContext& context) {
    choose_skins(y, fresh);
    complete_ = false;  // until the end: a scan may be interrupted
    if (scanned_.rows() != y.rows()) {
        scanned_ = y;
        quantized_ = QuantizedPoints(y.rows(), y.columns());
    }
    parallel_blocks(context, fresh.size(), rows_at_once, [&](Range some) {
        for (std::size_t m = some.begin; m < some.end; ++m) {
            take_position(y, fresh[m]);
        }
    });
    parts_ = usual_parts();
    const std::uint64_t most = std::uint64_t{targets_.near.rows} * most_listed;
    Scan scan(*this, fresh);
    for (double of_most = 0.8;;) {  // so that what a sample promises fits
        const double share = scan.share_that_lists(of_most * static_cast<double>(most), context);
        if (share < 1.0) {
            lifetime_ = std::max(1.0, std::max(0.5, share) * lifetime_);
            for (const Index i : fresh) {
                skins_[i] *= static_cast<float>(std::max(0.0, share));
            }
        }
        if (share <= hopeless && frozen_ && parts_ < most_parts) {
            parts_ *= 4;  // as at a start in which points are crowded
            continue;
        }
        if (share <= hopeless) {
            begins_.clear();
            lists_ = std::vector<Index>();
            return false;
        }
        const double pairs =
            (fresh.size() == y.rows() ? pairs_of_all() : static_cast<double>(fresh.size()) * y.rows()) / parts_;
        compared_ += pairs;
        scan_work_ += pairs;
        if (scan.run(most, context)) {
            break;
        }
        of_most *= 0.5;
        if (share <= 0.0) {
            begins_.clear();
            lists_ = std::vector<Index>();
            return false;
        }
    }
    scan.merge(context, begins_, lists_);
    // Ranks choose the same skins and scan at the same time, so what they choose by must not be their own lists.
    std::array<std::uint64_t, 1> listed{lists_.size()};
    targets_.ranks.all_reduce_sum(listed);
    listed_by_all_ranks_ = static_cast<double>(listed[0]);
    complete_ = true;
    balance_work();
    return true;
}

/// Scans and lists should cost the same: longer skins make fewer scans and longer lists.
void ActivePairs::balance_work() {
    constexpr double longest = 24.0;
    if (list_work_ == 0.0) {
        return;
    }
    const double imbalance = std::sqrt(scan_work_ / (products_of_a_listed_pair * list_work_));
    lifetime_ = std::clamp(lifetime_ * std::clamp(imbalance, 0.6, 3.0), 1.0, longest);
    scan_work_ *= 0.7;
    list_work_ *= 0.7;
}

double ActivePairs::pairs_of_all() const {
    return 0.5 * static_cast<double>(targets_.near.rows) * targets_.near.rows;
}

double ActivePairs::whole_scans() const {
    return compared_ / pairs_of_all();
}

std::uint64_t ActivePairs::bytes(Index count, Index dimension) {
    const std::uint64_t pair = 2 * sizeof(Index);   // as found
    const std::uint64_t twice = 2 * sizeof(Index);  // in the lists of both
    const std::uint64_t pairs = std::uint64_t{count} * most_listed;
    return pairs * (pair + 2 * twice) + MultiVector<float>::bytes(count, dimension) + 40 * std::uint64_t{count} +
           2 * QuantizedPoints::bytes(count, dimension);
}

}  // namespace isogon
