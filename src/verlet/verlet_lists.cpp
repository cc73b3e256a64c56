#include "verlet/verlet_lists.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "core/parallel.hpp"
#include "linalg/row_kernel.hpp"
#include "verlet/pair_scan.hpp"

namespace isogon {

namespace {

constexpr std::size_t rows_at_once = 512;
constexpr double usual_lifetime = 4.0;
constexpr double products_of_a_listed_pair = 20.0;  // in time, at d = 32, with what it takes to list it
constexpr double least_compared_share = 0.01;       // what it takes to compare boxes of panels

double share_of_lists(PanelPairs which) {
    return which == PanelPairs::Others ? 0.5 : 1.0;
}

}  // namespace

VerletLists::VerletLists(const LocalTargets& targets, PanelPairs which)
    : points_(std::make_unique<ScannedPoints>(targets, which)),
      lists_(std::make_unique<PairLists>()),
      dates_(targets.radii.size()),
      lifetime_(usual_lifetime) {
    mean_radius_ =
        std::accumulate(points_->radii.begin(), points_->radii.end(), 0.0) / static_cast<double>(dates_.size());
}

VerletLists::~VerletLists() = default;

void VerletLists::divide_by(const NearPanels& panels) {
    points_->panels = &panels;
    complete_ = false;
}

std::span<const Index> VerletLists::of(Index i) const {
    return lists_->of(i);
}

Offset VerletLists::listed() const {
    return lists_->entries();
}

bool VerletLists::update(const MultiVector<float>& y, const RunContext& context) {
    ++updates_;
    if (frozen_ && complete_) {
        return true;
    }
    list_work_ += listed_by_all_ranks_;
    // Skins that were right when points were faster make lists longer than they need be.
    if (complete_ && products_of_a_listed_pair * listed_since_whole_scan_ > compared_share_ * pairs_of_a_scan()) {
        complete_ = false;
    }
    // Scans of some points add to the lists of all.
    if (listed_by_all_ranks_ > 2.0 * most_pairs(most_before_some)) {
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
    return scan(y, numbers_below(y.rows()), context);
}

/// How far each point is from where it was scanned, in skins.
std::vector<float> VerletLists::displacements_in_skins(const MultiVector<float>& y, const RunContext& context) const {
    constexpr float least_skin = 1e-30F;
    std::vector<float> displacements(y.rows());
    const RankGroup& ranks = points_->targets.ranks;
    const RowBlocks blocks = pair_blocks(y.rows());
    const Range own = ranks.own_rows(blocks);
    parallel_blocks(context, own.size(), rows_at_once, [&](Range rows) {
        const std::size_t first = own.begin + rows.begin;
        const std::span some = std::span(displacements).subspan(first, rows.size());
        row_distances(y.row(first), points_->positions.row(first), y.stride(), some);
        std::transform(some.begin(), some.end(), points_->skins.begin() + static_cast<std::ptrdiff_t>(first),
                       some.begin(),
                       [&](float displacement, float skin) { return displacement / std::max(least_skin, skin); });
    });
    ranks.all_gather_rows(blocks, std::as_writable_bytes(std::span(displacements)));
    return displacements;
}

/// Where one point has left its skin, those that are about to go with it: the fewer scans.
std::vector<Index> VerletLists::points_to_scan(const MultiVector<float>& y, const RunContext& context) const {
    constexpr float least_skins_rescanned = 0.75F;
    // Beyond either all are scanned, which also finds skins for the speeds of now: where many points leave, all soon
    // do, and scans of some should not cost more than one of all.
    constexpr double most_at_once = 0.2;
    constexpr double most_by_some = 1.0;
    std::vector<Index> fresh;
    bool all = !complete_;
    std::vector<float> displacements;
    if (!all) {
        displacements = displacements_in_skins(y, context);
        if (std::none_of(displacements.begin(), displacements.end(),
                         [](float displacement) { return displacement > 1.0F; })) {
            return fresh;
        }
        const auto moved = std::count_if(displacements.begin(), displacements.end(),
                                         [](float displacement) { return displacement > least_skins_rescanned; });
        const double scans = 2.0 * static_cast<double>(moved) / static_cast<double>(displacements.size());
        all = scans > most_at_once || scans_of_some_ + scans > most_by_some;
    }
    for (Index i = 0; i < y.rows(); ++i) {
        if (all || displacements[i] > least_skins_rescanned) {
            fresh.push_back(i);
        }
    }
    return fresh;
}

void VerletLists::freeze(bool frozen, unsigned parts) {
    if (!frozen && !frozen_) {
        return;
    }
    complete_ = false;  // what was found while frozen is a part
    if (frozen) {
        std::ranges::fill(dates_, 0U);
        updates_ = 0;
    }
    frozen_ = frozen;
    frozen_parts_ = parts;
    // Nothing that was learnt holds: frozen lists cost no scans, and points that were not kept apart are fast.
    lifetime_ = frozen ? usual_lifetime : (points_->which == PanelPairs::Others ? 6.0 : 2.0) * usual_lifetime;
    scan_work_ = 0.0;
    list_work_ = 0.0;
    listed_by_all_ranks_ = 0.0;
}

bool VerletLists::are_stale(const MultiVector<float>& y, const RunContext& context) const {
    constexpr float stale_skins = 2.0F;  // at 1 few of the pairs that matter are missed, and scans are twice as many
    // Fast points alone are no reason to scan all. Others are scanned for fourteen times the work, and of digits a
    // tenth leaves them by the end; where none are scanned anew points in groups take minutes.
    const float most_stale_share = points_->which == PanelPairs::Others ? 0.2F : 0.05F;
    if (!complete_) {
        return false;
    }
    const std::vector<float> displacements = displacements_in_skins(y, context);
    const auto gone = std::count_if(displacements.begin(), displacements.end(),
                                    [](float displacement) { return displacement > stale_skins; });
    return static_cast<float>(gone) > most_stale_share * static_cast<float>(displacements.size());
}

void VerletLists::choose_skins(const MultiVector<float>& y, const std::vector<Index>& fresh,
                               const RunContext& context) {
    // Skins are shares of the mean radius.
    const double first_skin = points_->which == PanelPairs::Others ? 0.1 : 0.02;
    constexpr double least_skin = 0.001;
    constexpr double most_skin = 0.5;
    parallel_blocks(context, fresh.size(), rows_at_once, [&](Range some) {
        for (std::size_t m = some.begin; m < some.end; ++m) {
            const Index i = fresh[m];
            auto displacement = static_cast<float>(first_skin * mean_radius_);
            if (dates_[i] != 0) {
                row_distances(y.row(i), points_->positions.row(i), y.stride(), {&displacement, 1});
            }
            if (displacement == 0.0F) {
                continue;  // scanned again where it is: its speed is not known anew
            }
            const double speed = double{displacement} / std::max<double>(1.0, updates_ - dates_[i]);
            points_->skins[i] =
                static_cast<float>(std::clamp(lifetime_ * speed, least_skin * mean_radius_, most_skin * mean_radius_));
        }
    });
}

/// A panel's marks are for the longest skin of the other one. In early updates, while lists are frozen, a few points
/// are several times as fast as those beside them, and fifteen times as many pairs were marked as were listed. Thawed
/// lists need the long skins: their fast points would be scanned again and again.
void VerletLists::even_out_skins() {
    constexpr float most_skin = 1.25F;  // of the mean of a panel; 1 and 2 scan for no less time
    for (std::size_t first = 0; first < dates_.size(); first += panel_width) {
        const auto of_panel = std::span(points_->skins).subspan(first, std::min(panel_width, dates_.size() - first));
        const float sum = std::accumulate(of_panel.begin(), of_panel.end(), 0.0F);
        const float longest = most_skin * sum / static_cast<float>(of_panel.size());
        std::ranges::transform(of_panel, of_panel.begin(), [&](float skin) { return std::min(skin, longest); });
    }
}

void VerletLists::place(const MultiVector<float>& y, const std::vector<Index>& fresh, const RunContext& context) {
    if (points_->positions.rows() != y.rows()) {
        points_->positions = y;
        points_->quantized = QuantizedPoints(y.rows(), y.columns(), ScannedPoints::expected(points_->which));
    }
    if (fresh.size() == y.rows()) {
        parallel_blocks(context, points_->quantized.panels(), rows_at_once / panel_width, [&](Range panels) {
            for (std::size_t p = panels.begin; p < panels.end; ++p) {
                points_->place_panel(static_cast<Index>(p), y);
            }
        });
    } else {
        parallel_blocks(context, fresh.size(), rows_at_once, [&](Range some) {
            for (std::size_t m = some.begin; m < some.end; ++m) {
                points_->place(fresh[m], y.row(fresh[m]));
            }
        });
    }
    for (const Index i : fresh) {
        dates_[i] = updates_;
    }
    points_->date = updates_;
    points_->parts = frozen_ ? frozen_parts_ : 1;
}

bool VerletLists::scan(const MultiVector<float>& y, const std::vector<Index>& fresh, const RunContext& context) {
    constexpr unsigned most_parts = 1000;
    choose_skins(y, fresh, context);
    if (frozen_) {
        even_out_skins();
    }
    complete_ = false;  // until the end: a scan may be interrupted
    place(y, fresh, context);
    const bool whole = fresh.size() == y.rows();
    if (whole && points_->targets.ranks.size() == 1) {
        lists_->forget();  // others take their memory
        ++version_;
    } else if (whole) {
        forget_lists();  // before others take memory
    }
    const double most_listed_pairs =
        most_pairs(whole ? most_listed : most_lasting) - (whole ? 0.0 : 0.5 * listed_by_all_ranks_);
    PairScan scan(*points_, fresh);
    for (double of_most = 0.8;;) {  // so that what a sample promises fits
        const double share = scan.largest_skin_share(of_most * most_listed_pairs, context);
        if (share < 0.0 && frozen_ && points_->parts < most_parts) {
            points_->parts *= 2;  // as at a start in which points are crowded
            continue;
        }
        if (share < 1.0) {
            lifetime_ = std::max(1.0, std::max(0.5, share) * lifetime_);
            for (const Index i : fresh) {
                points_->skins[i] *= static_cast<float>(std::max(0.0, share));
            }
        }
        if (share <= PairScan::twice_too_many) {
            forget_lists();
            return false;
        }
        const double of_all = whole ? 1.0 : 2.0 * static_cast<double>(fresh.size()) / y.rows();
        scans_of_some_ = whole ? 0.0 : scans_of_some_ + of_all;
        const double pairs = of_all * pairs_of_a_scan() / points_->parts;
        compared_ += pairs;
        const bool fits = scan.run(static_cast<std::uint64_t>(most_listed_pairs), context);
        // One that was given up has compared as many as there was time for.
        const double share_compared = fits ? std::max(least_compared_share, scan.compared_share()) : compared_share_;
        compared_share_ = whole ? share_compared : compared_share_;
        scan_work_ += share_compared * pairs;
        if (fits) {
            break;
        }
        of_most *= 0.5;
        if (share <= 0.0) {
            forget_lists();
            return false;
        }
    }
    scan.add_to(*lists_, context);
    ++version_;
    // Ranks choose the same skins and scan at the same time, so what they choose by must not be their own lists.
    std::array<std::uint64_t, 1> listed_by_all{listed()};
    points_->targets.ranks.all_reduce_sum(listed_by_all);
    listed_by_all_ranks_ = static_cast<double>(listed_by_all[0]);
    complete_ = true;
    balance_work();
    return true;
}

void VerletLists::forget_lists() {
    *lists_ = PairLists();
    ++version_;
}

double VerletLists::most_pairs(std::size_t of_a_point) const {
    return share_of_lists(points_->which) * static_cast<double>(of_a_point) * static_cast<double>(dates_.size());
}

/// Scans and lists should cost the same: longer skins make fewer scans and longer lists.
void VerletLists::balance_work() {
    const double most_lifetime = points_->which == PanelPairs::Others ? 48.0 : 24.0;
    const double least_lifetime = points_->which == PanelPairs::Others ? usual_lifetime : 1.0;
    if (list_work_ == 0.0) {
        return;
    }
    const double imbalance = std::sqrt(scan_work_ / (products_of_a_listed_pair * list_work_));
    lifetime_ = std::clamp(lifetime_ * std::clamp(imbalance, 0.6, 3.0), least_lifetime, most_lifetime);
    scan_work_ *= 0.7;
    list_work_ *= 0.7;
}

double VerletLists::pairs_of_all() const {
    return 0.5 * static_cast<double>(points_->targets.near.rows) * points_->targets.near.rows;
}

double VerletLists::pairs_of_a_scan() const {
    return points_->share() * pairs_of_all();
}

double VerletLists::whole_scans() const {
    return compared_ / pairs_of_all();
}

std::uint64_t VerletLists::bytes(Index count, Index dimension, PanelPairs which) {
    constexpr std::uint64_t pair = 2 * sizeof(Index);            // as found, or in the lists of both
    constexpr std::uint64_t by_all = most_listed + most_listed;  // found; lists
    // Found in vectors that grow to twice that.
    constexpr std::uint64_t by_some = most_before_some + 3 * (most_lasting - most_before_some) + most_lasting;
    const double of_lists = share_of_lists(which) * static_cast<double>(std::max(by_all, by_some) * pair) * count;
    return static_cast<std::uint64_t>(of_lists) + MultiVector<float>::bytes(count, dimension) +
           42 * std::uint64_t{count} + 2 * QuantizedPoints::bytes(count, dimension, ScannedPoints::expected(which)) +
           2 * PanelBoxes::bytes(count, dimension);
}

}  // namespace isogon
