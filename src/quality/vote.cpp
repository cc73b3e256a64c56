#include "quality/vote.hpp"

#include <algorithm>
#include <vector>

namespace isogon {

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
