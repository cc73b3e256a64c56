#include "isogon/pairs/active_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "isogon/core/parallel.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "pairs/local_tiles.hpp"

namespace isogon {

namespace {

constexpr std::size_t rows_at_once = 512;
constexpr double products_of_a_listed_pair = 12.0;  // in time, at d = 32

float distance(const float* a, const float* b, Index columns) {
    double sum = 0.0;
    for (Index k = 0; k < columns; ++k) {
        const double difference = double{a[k]} - b[k];
        sum += difference * difference;
    }
    return static_cast<float>(std::sqrt(sum));
}

bool is_near(const CsrMatrix<float>& near, Index i, Index j) {
    const auto columns = near.row_indices(std::min(i, j));
    return std::binary_search(columns.begin(), columns.end(), std::max(i, j));
}

}  // namespace

/// One scan: of all pairs, or of some points with all others.
class ActivePairs::Scan {
public:
    Scan(const ActivePairs& active, const std::vector<Index>& fresh)
        : active_(active), fresh_(fresh), is_fresh_(active.targets_.near.rows), counts_{} {
        for (const Index i : fresh) {
            is_fresh_[i] = 1;
        }
    }

    void run(const RunContext& context) {
        const PackedPoints all = pack(active_.scanned_.view(), {}, {}, context);
        if (fresh_.size() == all.count()) {
            const RowBlocks blocks = pair_blocks(all.count());
            found_.resize(blocks.blocks);
            for_each_pair_tile_of(active_.targets_.ranks.own_blocks(blocks), all, all, context,
                                  [&](PairTile& tile) { visit(tile, nullptr); });
            return;
        }
        Rows own(fresh_.size(), active_.scanned_.columns());
        for (std::size_t m = 0; m < fresh_.size(); ++m) {
            std::copy_n(active_.scanned_.row(fresh_[m]), all.depth(), own.scanned.row(m));
            own.squares[m] = active_.squares_[fresh_[m]];
            own.radii[m] = active_.radii_[fresh_[m]];
            own.skins[m] = active_.skins_[fresh_[m]];
        }
        found_.resize(block_count(fresh_.size(), tile_width));
        for_each_cross_tile(pack(own.scanned.view(), {}, {}, context), all, context,
                            [&](PairTile& tile) { visit(tile, &own); });
    }

    using Counts = std::array<std::uint64_t, shares.size()>;

    /// Of every share of the skins, how many pairs it lists.
    [[nodiscard]] Counts counts() const {
        Counts cumulative{};
        std::uint64_t sum = 0;
        for (std::size_t s = 0; s < shares.size(); ++s) {
            cumulative[s] = sum += counts_[s].load();
        }
        return cumulative;
    }

    /// Old lists without the fresh points, and what was found with the skins' share of this number. Frees what was
    /// found.
    void merge(std::size_t share, const RunContext& context, std::vector<Offset>& begins, std::vector<Index>& lists) {
        const auto additional = additions(share);
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
    struct Found {
        Index i;
        Index j;
        std::uint32_t share;  ///< the smallest that lists the pair
    };
    struct Rows {
        Rows(std::size_t count, Index dimension)
            : scanned(static_cast<Index>(count), dimension),
              squares(block_count(count, tile_width) * tile_width),
              radii(squares.size()),
              skins(squares.size()) {}
        MultiVector<float> scanned;
        std::vector<float> squares;
        std::vector<float> radii;
        std::vector<float> skins;
    };

    /// `own`: numbers of the tile's rows, where these are the fresh points; else rows are points themselves.
    void visit(PairTile& tile, const Rows* own) {
        exclude_what_is_no_pair(tile);
        const float* row_squares = own == nullptr ? active_.squares_.data() : own->squares.data();
        const float* row_radii = own == nullptr ? active_.radii_.data() : own->radii.data();
        const float* row_skins = own == nullptr ? active_.skins_.data() : own->skins.data();
        TilePlaces places;  // NOLINT(*-member-init): filled by mark_within_reach
        mark_within_reach(tile.values,
                          {.row_squares = row_squares + tile.first_row,
                           .column_squares = active_.squares_.data() + tile.first_column,
                           .row_radii = row_radii + tile.first_row,
                           .column_radii = active_.radii_.data() + tile.first_column,
                           .row_skins = row_skins + tile.first_row,
                           .column_skins = active_.skins_.data() + tile.first_column},
                          places);
        TileEntries hits;
        hits.count = 0;
        append_places(places, hits);
        const MultiVector<float>& z = active_.scanned_;
        square_differences(hits, (own == nullptr ? z : own->scanned).row(tile.first_row), z.row(tile.first_column),
                           z.stride());
        auto& found = found_[own == nullptr ? tile.row_block : tile.first_row / tile_width];
        Counts counted{};
        for (std::size_t h = 0; h < hits.count; ++h) {
            const Index row = tile.first_row + (hits.places[h] >> tile_place_shift);
            const Index i = own == nullptr ? row : fresh_[row];
            const Index j = tile.first_column + (hits.places[h] & tile_place_mask);
            // Pairs of two fresh points are found from both.
            if (own == nullptr || is_fresh_[j] == 0 || i < j) {
                take(i, j, hits.values[h], found, counted);
            }
        }
        add(counted);
    }

    void take(Index i, Index j, float squared, std::vector<Found>& found, Counts& counted) const {
        constexpr float rounding = 1.0F + 1e-5F;  // of positions, radii and squares
        const float old_skin =
            (is_fresh_[i] != 0 ? 0.0F : active_.skins_[i]) + (is_fresh_[j] != 0 ? 0.0F : active_.skins_[j]);
        const float new_skin = active_.skins_[i] + active_.skins_[j] - old_skin;
        const float radius = std::max(active_.radii_[i], active_.radii_[j]);
        const std::size_t last = allowed_.load(std::memory_order_relaxed);
        for (std::size_t s = 0; s <= last; ++s) {
            const float bound = radius + rounding * (old_skin + shares[s] * new_skin);
            // Without skins exactly the pairs that a pass finds too near.
            const bool within = s == 0 && old_skin == 0.0F
                                    ? squared < std::max(active_.targets_.radii[i], active_.targets_.radii[j])
                                    : squared < rounding * bound * bound;
            if (!within) {
                continue;
            }
            if (!is_near(active_.targets_.near, i, j)) {
                ++counted[s];
                found.push_back({i, j, static_cast<std::uint32_t>(s)});
            }
            return;
        }
    }

    /// Pairs that only shares list with which there are too many are no longer kept.
    void add(const Counts& counted) {
        for (std::size_t s = 0; s < shares.size(); ++s) {
            if (counted[s] > 0) {
                counts_[s].fetch_add(counted[s]);
            }
        }
        const Counts all = counts();
        const auto most = std::uint64_t{active_.targets_.near.rows} * most_listed;
        const auto first = std::find_if(all.begin(), all.end(), [&](std::uint64_t count) { return count > most; });
        const auto allowed = static_cast<std::size_t>(std::max<std::ptrdiff_t>(first - all.begin() - 1, 0));
        std::size_t last = allowed_.load();
        while (allowed < last && !allowed_.compare_exchange_weak(last, allowed)) {
        }
    }

    [[nodiscard]] std::span<const Index> old_list(Index i) const {
        return is_fresh_[i] != 0 || active_.begins_.empty() ? std::span<const Index>() : active_.of(i);
    }

    /// What was found, for both points of a pair, by point.
    std::pair<std::vector<Offset>, std::vector<Index>> additions(std::size_t share) {
        std::vector<Offset> begins(std::size_t{active_.targets_.near.rows} + 1, 0);
        for (const auto& run : found_) {
            for (const Found& pair : run) {
                begins[pair.i + 1] += pair.share <= share ? 1 : 0;
                begins[pair.j + 1] += pair.share <= share ? 1 : 0;
            }
        }
        std::partial_sum(begins.begin(), begins.end(), begins.begin());
        std::vector<Index> added(begins.back());
        std::vector<Offset> next(begins.begin(), begins.end() - 1);
        for (auto& run : found_) {
            for (const Found& pair : run) {
                if (pair.share <= share) {
                    added[next[pair.i]++] = pair.j;
                    added[next[pair.j]++] = pair.i;
                }
            }
            std::vector<Found>().swap(run);  // freed here: the peak stays near one copy
        }
        return {std::move(begins), std::move(added)};
    }

    const ActivePairs& active_;
    const std::vector<Index>& fresh_;
    std::vector<std::uint8_t> is_fresh_;
    std::array<std::atomic<std::uint64_t>, shares.size()> counts_;
    std::atomic<std::size_t> allowed_{shares.size() - 1};
    std::vector<std::vector<Found>> found_;  ///< by block of rows, so that threads need no locks
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
    // Skins that were right when points were faster make lists longer than they need be.
    if (complete_ && products_of_a_listed_pair * listed_since_whole_scan_ > pairs_of_all()) {
        complete_ = false;
    }
    const std::vector<Index> fresh = points_to_scan(y, context);
    listed_since_whole_scan_ = fresh.size() == y.rows() ? 0.0 : listed_since_whole_scan_ + listed_by_all_ranks_;
    return fresh.empty() || scan(y, fresh, context);
}

/// Where one point has left its skin, those that are about to go with it: the fewer scans.
std::vector<Index> ActivePairs::points_to_scan(const MultiVector<float>& y, const RunContext& context) const {
    constexpr float about = 0.75F;
    std::vector<Index> fresh;
    std::vector<std::uint8_t> moved(y.rows(), complete_ ? 0 : 2);
    if (complete_) {
        parallel_blocks(context, y.rows(), rows_at_once, [&](Range rows) {
            for (std::size_t i = rows.begin; i < rows.end; ++i) {
                const float way = distance(y.row(i), scanned_.row(i), y.columns());
                moved[i] = static_cast<std::uint8_t>((way > skins_[i] ? 1 : 0) + (way > about * skins_[i] ? 1 : 0));
            }
        });
    }
    if (std::find(moved.begin(), moved.end(), 2) == moved.end()) {
        return fresh;
    }
    const bool all = !complete_ || targets_.ranks.size() > 1 ||
                     2 * (y.rows() - std::count(moved.begin(), moved.end(), 0)) > static_cast<std::ptrdiff_t>(y.rows());
    for (Index i = 0; i < y.rows(); ++i) {
        if (all || moved[i] > 0) {
            fresh.push_back(i);
        }
    }
    return fresh;
}

void ActivePairs::choose_skins(const MultiVector<float>& y, const std::vector<Index>& fresh) {
    constexpr double first = 0.02;  // shares of the mean radius
    constexpr double least = 0.001;
    constexpr double most = 0.5;
    for (const Index i : fresh) {
        const double way =
            dates_[i] == 0 ? first * mean_radius_ : double{distance(y.row(i), scanned_.row(i), y.columns())};
        const double speed = way / std::max<double>(1.0, updates_ - dates_[i]);
        skins_[i] = static_cast<float>(std::clamp(lifetime_ * speed, least * mean_radius_, most * mean_radius_));
    }
}

bool ActivePairs::scan(const MultiVector<float>& y, const std::vector<Index>& fresh, const RunContext& context) {
    choose_skins(y, fresh);
    complete_ = false;  // until the end: a scan may be interrupted
    if (scanned_.rows() != y.rows()) {
        scanned_ = y;
    }
    for (const Index i : fresh) {
        std::copy_n(y.row(i), y.columns(), scanned_.row(i));
        dates_[i] = updates_;
    }
    squares_ = squared_norms(scanned_, scale_);
    Scan scan(*this, fresh);
    scan.run(context);
    auto counts = scan.counts();
    targets_.ranks.all_reduce_sum(counts);
    std::size_t share = shares.size() - 1;
    const std::uint64_t most = std::uint64_t{targets_.near.rows} * most_listed;
    while (share > 0 && counts[share] > most) {
        --share;
    }
    const double pairs = fresh.size() == y.rows() ? pairs_of_all() : static_cast<double>(fresh.size()) * y.rows();
    compared_ += pairs;
    scan_work_ += pairs;
    if (counts[share] > most) {
        begins_.clear();
        lists_ = std::vector<Index>();
        return false;
    }
    if (share + 1 < shares.size()) {
        for (const Index i : fresh) {
            skins_[i] *= shares[share];
        }
        lifetime_ = std::max(1.0, 0.5 * lifetime_);
    }
    scan.merge(share, context, begins_, lists_);
    // Ranks choose the same skins and scan at the same time, so what they choose by must not be their own lists.
    listed_by_all_ranks_ = static_cast<double>(targets_.ranks.size() > 1 ? 2 * counts[share] : lists_.size());
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
    lifetime_ = std::clamp(lifetime_ * std::clamp(imbalance, 0.6, 1.7), 1.0, longest);
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
    const std::uint64_t pair = 12;                  // as found
    const std::uint64_t twice = 2 * sizeof(Index);  // in the lists of both
    const std::uint64_t pairs = std::uint64_t{count} * most_listed;
    return pairs * (pair + 2 * twice) + MultiVector<float>::bytes(count, dimension) + 40 * std::uint64_t{count} +
           PackedPoints::bytes(count, dimension);
}

}  // namespace isogon
