#include "quality/near_rows.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace isogon {

namespace {

/// Beyond this many ranks, sorting the whole row is cheaper than counting for each.
constexpr std::size_t counted_ranks = 48;

/// "Nearer" as an order of indices: by key, then by index.
struct Nearer {
    std::span<const double> keys;
    bool operator()(Index a, Index b) const { return keys[a] < keys[b] || (keys[a] == keys[b] && a < b); }
};

Index rank_by_counting(std::span<const double> keys, Index point) {
    const double key = keys[point];
    Index nearer = 0;
    for (Index j = 0; j < point; ++j) {
        nearer += keys[j] <= key ? 1U : 0U;
    }
    for (std::size_t j = point; j < keys.size(); ++j) {
        nearer += keys[j] < key ? 1U : 0U;
    }
    return nearer + 1;
}

std::vector<Index> ranks_by_sorting(std::span<const double> keys) {
    std::vector<Index> order(keys.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), Nearer{keys});
    std::vector<Index> ranks(keys.size());
    for (Index place = 0; place < order.size(); ++place) {
        ranks[order[place]] = place + 1;
    }
    return ranks;
}

}  // namespace

void find_nearest(std::span<const double> keys, std::span<Index> nearest) {
    const Nearer nearer{keys};
    const auto k = static_cast<Index>(nearest.size());
    std::iota(nearest.begin(), nearest.end(), Index{0});
    std::make_heap(nearest.begin(), nearest.end(), nearer);
    // Ascending j: a later point of the same key as the worst is never nearer.
    double worst = keys[nearest.front()];
    for (Index j = k; j < keys.size(); ++j) {
        if (keys[j] < worst) {
            std::pop_heap(nearest.begin(), nearest.end(), nearer);
            nearest.back() = j;
            std::push_heap(nearest.begin(), nearest.end(), nearer);
            worst = keys[nearest.front()];
        }
    }
    std::sort_heap(nearest.begin(), nearest.end(), nearer);
}

std::uint64_t rank_excess(std::span<const double> keys, std::span<const Index> nearest, std::span<const Index> others) {
    const Nearer nearer{keys};
    std::vector<Index> beyond;
    std::copy_if(others.begin(), others.end(), std::back_inserter(beyond),
                 [&](Index point) { return nearer(nearest.back(), point); });
    std::uint64_t ranks = 0;
    if (beyond.size() <= counted_ranks) {
        for (const Index point : beyond) {
            ranks += rank_by_counting(keys, point);
        }
    } else {
        const auto all = ranks_by_sorting(keys);
        for (const Index point : beyond) {
            ranks += all[point];
        }
    }
    return ranks - beyond.size() * nearest.size();
}

Index count_shared(std::span<const Index> first, std::span<const Index> second) {
    std::vector<Index> a(first.begin(), first.end());
    std::vector<Index> b(second.begin(), second.end());
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    std::vector<Index> shared;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
    return static_cast<Index>(shared.size());
}

std::int64_t majority_label(std::span<const Index> neighbors, std::span<const std::int64_t> labels) {
    std::vector<std::int64_t> votes;
    votes.reserve(neighbors.size());
    for (const Index neighbor : neighbors) {
        votes.push_back(labels[neighbor]);
    }
    std::sort(votes.begin(), votes.end());
    auto best = votes.begin();
    std::ptrdiff_t most = 0;
    for (auto first = votes.begin(); first != votes.end();) {
        const auto last = std::upper_bound(first, votes.end(), *first);
        if (last - first > most) {
            most = last - first;
            best = first;
        }
        first = last;
    }
    return *best;
}

}  // namespace isogon
