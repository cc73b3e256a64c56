#include "quality/tied_ranks.hpp"

#include <algorithm>
#include <utility>

namespace isogon {

namespace {

NearestSet nearest_set(std::span<const double> keys, std::span<const Index> nearest) {
    NearestSet set{.k = static_cast<Index>(nearest.size()), .kth = keys[nearest.back()]};
    const auto is_inside = [&](Index j) { return keys[j] < set.kth; };
    set.inside.assign(nearest.begin(), std::ranges::partition_point(nearest, is_inside));
    for (Index j = 0; j < keys.size(); ++j) {
        if (keys[j] == set.kth) {
            set.tied.push_back(j);
        }
    }
    return set;
}

}  // namespace

NearestSet nearest_outputs(std::span<const double> keys, Index k) {
    std::vector<Index> nearest(k);
    find_nearest(keys, nearest);
    return nearest_set(keys, nearest);
}

NearestSet nearest_inputs(const KeyOrigin& origin, Index k, std::span<double> keys) {
    std::vector<Index> nearest(k);
    find_nearest(keys, nearest);
    if (settle_ties(origin, k, nearest.back(), keys)) {
        find_nearest(keys, nearest);
    }
    return nearest_set(keys, nearest);
}

NeighborOverlap overlap_of(const ComparedRow& row) {
    NeighborOverlap overlap{.inside_x = static_cast<Index>(row.x.inside.size()),
                            .inside_y = static_cast<Index>(row.y.inside.size()),
                            .tied_y = static_cast<Index>(row.y.tied.size())};
    const auto count = [&](const std::vector<Index>& points, Index& inside, Index& tied) {
        for (const Index j : points) {
            inside += row.x_keys[j] < row.x.kth ? 1 : 0;
            tied += row.x_keys[j] == row.x.kth ? 1 : 0;
        }
    };
    count(row.y.inside, overlap.inside_both, overlap.tied_x_inside_y);
    count(row.y.tied, overlap.inside_x_tied_y, overlap.tied_both);
    return overlap;
}

bool are_in_order(const ComparedRow& row, double half_row) {
    constexpr double rounding = 0x1p-17;  // relative, for keys of nearer points, which are not measured again
    if (overlap_of(row).all_kept(row.x.k) != 1.0) {
        return false;
    }
    std::vector<Index> order = row.y.inside;
    order.insert(order.end(), row.y.tied.begin(), row.y.tied.end());
    const auto reversed = [&](Index one, Index next) {
        const double further = row.x_keys[next] - row.x_keys[one];
        const double width = rounding * std::max(0.0, row.x_keys[one] + half_row);
        return further < -width || (row.y_keys[next] == row.y_keys[one] && further > width);
    };
    return std::adjacent_find(order.begin(), order.end(), reversed) == order.end();
}

double kept_by_chance(const NearestSet& x, Index others) {
    return NeighborOverlap{.inside_x = static_cast<Index>(x.inside.size()),
                           .tied_y = others,
                           .inside_x_tied_y = static_cast<Index>(x.inside.size()),
                           .tied_both = static_cast<Index>(x.tied.size())}
        .kept(x.k);
}

namespace {

/// How many points are nearer than one of them, and how many as near, itself counted.
struct Place {
    Index nearer = 0;
    Index equal = 0;
};

/// Places of some points in the order of keys.
class Places {
public:
    Places(std::span<const double> keys, std::size_t asked) : keys_(keys) {
        constexpr std::size_t counted = 48;  // beyond, sorting is cheaper than counting for each
        if (asked > counted) {
            sorted_.assign(keys.begin(), keys.end());
            std::sort(sorted_.begin(), sorted_.end());
        }
    }

    [[nodiscard]] Place of(double key) const {
        Place place;
        if (!sorted_.empty()) {
            const auto [first, last] = std::equal_range(sorted_.begin(), sorted_.end(), key);
            return {static_cast<Index>(first - sorted_.begin()), static_cast<Index>(last - first)};
        }
        for (const double other : keys_) {
            place.nearer += other < key ? 1U : 0U;
            place.equal += other == key ? 1U : 0U;
        }
        return place;
    }

private:
    std::span<const double> keys_;
    std::vector<double> sorted_;
};

/// Mean excess of a rank over k, over all orders of the points at this place.
double mean_excess(const Place& place, Index k) {
    if (place.nearer >= k) {
        return static_cast<double>(place.nearer - k) + (place.equal + 1.0) / 2.0;
    }
    const Index within = k - place.nearer;
    const double beyond = place.equal > within ? place.equal - within : 0.0;
    return beyond * (beyond + 1.0) / (2.0 * place.equal);
}

/// The same for the sum over the `chosen` nearest of so many `candidates` at this place.
double mean_excess_of_nearest(const Place& place, Index candidates, Index chosen, Index k) {
    const auto first_ranks = [](double points, double among, double some) {
        return some * (some + 1.0) / 2.0 * (points + 1.0) / (among + 1.0);
    };
    if (place.nearer >= k) {
        return static_cast<double>(place.nearer - k) * chosen + first_ranks(place.equal, candidates, chosen);
    }
    const Index within = k - place.nearer;
    if (place.equal <= within) {
        return 0.0;
    }
    const DrawnCounts counts(place.equal, candidates, within);
    double excess = 0.0;
    for (std::size_t h = 0; h < counts.probabilities.size() && counts.least + h < chosen; ++h) {
        const double found = counts.least + static_cast<double>(h);
        excess += counts.probabilities[h] * first_ranks(place.equal - within, candidates - found, chosen - found);
    }
    return excess;
}

}  // namespace

double false_excess(const ComparedRow& row) {
    const auto is_beyond = [&](Index j) { return row.x_keys[j] > row.x.kth; };
    const auto count = [&](const std::vector<Index>& points) {
        return static_cast<std::size_t>(std::count_if(points.begin(), points.end(), is_beyond));
    };
    const Places places(row.x_keys, count(row.y.inside) + count(row.y.tied));
    const auto sum = [&](const std::vector<Index>& points) {
        double excess = 0.0;
        for (const Index j : points) {
            if (is_beyond(j)) {
                excess += places.of(row.x_keys[j]).nearer + 1.0 - row.x.k;
            }
        }
        return excess;
    };
    const double of_tied = sum(row.y.tied);
    return sum(row.y.inside) +
           (row.y.is_open() ? of_tied * row.y.open() / static_cast<double>(row.y.tied.size()) : of_tied);
}

double lost_excess(const ComparedRow& row) {
    const auto key = [&](Index j) { return row.y_keys[j]; };
    const bool y_is_open = row.y.is_open();
    // Points that are surely among the k nearest in y exceed nothing.
    const auto is_beyond = [&](Index j) { return key(j) > row.y.kth || (y_is_open && key(j) == row.y.kth); };
    std::vector<Index> surely = row.x.inside;
    std::vector<Index> rivals;  // the nearest of them in y are chosen
    (row.x.is_open() ? rivals : surely)
        .insert((row.x.is_open() ? rivals : surely).end(), row.x.tied.begin(), row.x.tied.end());
    std::erase_if(surely, [&](Index j) { return !is_beyond(j); });
    std::sort(rivals.begin(), rivals.end(), [&](Index a, Index b) { return key(a) < key(b); });

    const Places places(row.y_keys, surely.size() + std::min<std::size_t>(rivals.size(), row.x.open()));
    double excess = 0.0;
    for (const Index j : surely) {
        excess += mean_excess(places.of(key(j)), row.x.k);
    }
    Index wanted = row.x.is_open() ? row.x.open() : 0;
    for (auto first = rivals.begin(); wanted > 0;) {
        const auto last =
            std::upper_bound(first, rivals.end(), key(*first), [&](double value, Index j) { return value < key(j); });
        const auto candidates = static_cast<Index>(last - first);
        const Index chosen = std::min(wanted, candidates);
        if (is_beyond(*first)) {
            excess += mean_excess_of_nearest(places.of(key(*first)), candidates, chosen, row.x.k);
        }
        wanted -= chosen;
        first = last;
    }
    return excess;
}

std::optional<double> vote_for(std::int64_t truth, const NearestSet& nearest, std::span<const std::int64_t> labels) {
    // In whole numbers: a vote is worth as many as points tie, so that each of these has as many as there are places.
    const std::uint64_t whole = nearest.tied.size();
    const std::uint64_t shared = nearest.open();
    std::vector<std::pair<std::int64_t, std::uint64_t>> votes;
    votes.reserve(nearest.inside.size() + nearest.tied.size());
    for (const Index j : nearest.inside) {
        votes.emplace_back(labels[j], whole);
    }
    for (const Index j : nearest.tied) {
        votes.emplace_back(labels[j], shared);
    }
    std::erase_if(votes, [](const auto& vote) { return vote.first < 0; });
    if (truth < 0 || votes.empty()) {
        return std::nullopt;
    }
    std::sort(votes.begin(), votes.end());
    std::size_t labels_found = 0;
    for (std::size_t v = 0; v < votes.size(); ++v) {
        if (labels_found > 0 && votes[labels_found - 1].first == votes[v].first) {
            votes[labels_found - 1].second += votes[v].second;
        } else {
            votes[labels_found++] = votes[v];
        }
    }
    votes.resize(labels_found);
    std::uint64_t most = 0;
    for (const auto& [label, sum] : votes) {
        most = std::max(most, sum);
    }
    const std::uint64_t slack = nearest.is_open() ? shared : 0;
    std::erase_if(votes, [&](const auto& vote) { return vote.second + slack < most; });
    const bool is_right =
        std::any_of(votes.begin(), votes.end(), [&](const auto& vote) { return vote.first == truth; });
    return is_right ? 1.0 / static_cast<double>(votes.size()) : 0.0;
}

}  // namespace isogon
