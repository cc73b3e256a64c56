#include "isogon/semidefinite/slack_penalty.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace isogon {

namespace {

/// Who is paired with whom, both ways.
struct Adjacency {
    std::vector<Offset> offsets;
    std::vector<Index> others;

    [[nodiscard]] std::span<const Index> operator[](Index i) const {
        return {others.data() + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
    }
};

Adjacency adjacency_of(Index points, const DistanceConstraints& constraints) {
    Adjacency result{.offsets = std::vector<Offset>(points + 1, 0),
                     .others = std::vector<Index>(2 * constraints.size())};
    for (const auto& [i, j] : constraints.pairs) {
        ++result.offsets[i + 1];
        ++result.offsets[j + 1];
    }
    for (Index i = 0; i < points; ++i) {
        result.offsets[i + 1] += result.offsets[i];
    }
    std::vector<Offset> next(result.offsets.begin(), result.offsets.end() - 1);
    for (const auto& [i, j] : constraints.pairs) {
        result.others[next[i]++] = j;
        result.others[next[j]++] = i;
    }
    return result;
}

struct Farthest {
    Index point;
    Index steps;
};

/// Breadth first; of those that are farthest, the first reached.
Farthest farthest_from(Index start, const Adjacency& adjacency) {
    std::vector<Index> steps(adjacency.offsets.size() - 1, 0);
    std::vector<bool> seen(steps.size(), false);
    std::vector<Index> queue{start};
    seen[start] = true;
    Farthest farthest{start, 0};
    for (std::size_t k = 0; k < queue.size(); ++k) {
        const Index i = queue[k];
        if (steps[i] > farthest.steps) {
            farthest = {i, steps[i]};
        }
        for (const Index j : adjacency[i]) {
            if (!seen[j]) {
                seen[j] = true;
                steps[j] = steps[i] + 1;
                queue.push_back(j);
            }
        }
    }
    return farthest;
}

}  // namespace

double slack_penalty(Index points, const DistanceConstraints& constraints) {
    const Adjacency adjacency = adjacency_of(points, constraints);
    const Farthest end = farthest_from(farthest_from(0, adjacency).point, adjacency);
    return std::max(1.0, static_cast<double>(end.steps) * end.steps / 4.0);
}

}  // namespace isogon
