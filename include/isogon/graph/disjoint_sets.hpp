#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "isogon/core/types.hpp"

namespace isogon {

/// Sets that can be joined; the name of a set is its least member, so that no order of joining matters.
class DisjointSets {
public:
    explicit DisjointSets(Index count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), Index{0}); }

    Index find(Index i) {
        while (parents_[i] != i) {
            parents_[i] = parents_[parents_[i]];
            i = parents_[i];
        }
        return i;
    }

    /// False if they were one set already.
    bool join(Index i, Index j) {
        const Index a = find(i);
        const Index b = find(j);
        parents_[std::max(a, b)] = std::min(a, b);
        return a != b;
    }

private:
    std::vector<Index> parents_;
};

}  // namespace isogon
