#include "methods/shared_steps.hpp"

#include <algorithm>
#include <chrono>

namespace isogon {

namespace {

/// The search was exact for every number of neighbours: no index, which may be chosen for one number and not for
/// another, was considered.
bool looked_at_all_pairs(const Summary& summary) {
    return summary.value("exact") == 1.0 && std::none_of(summary.seconds.begin(), summary.seconds.end(),
                                                         [](const auto& phase) { return phase.first == "index"; });
}

}  // namespace

bool begin_alike(const NeighborLists& lists, Index size) {
    constexpr Index least_more = 8;  // candidates that every search keeps beyond the listed ones
    if (size >= lists.size) {
        return size == lists.size;
    }
    const Index last = std::min(size + least_more, lists.size) - 1;
    for (Index i = 0; i < lists.count(); ++i) {
        const auto distances = lists.distances_of(i);
        if (distances[size - 1] == distances[last]) {
            return false;
        }
    }
    return true;
}

const NeighborSearch& SharedSteps::searched(Index size, const NeighborKey& key,
                                            const std::function<NeighborSearch(Index)>& search) {
    const auto known = neighbors_.find({key, size});
    if (known != neighbors_.end()) {
        return known->second;
    }
    const PhaseTimer timer(spent_, "neighbors");
    return neighbors_.emplace(std::pair(key, size), search(size)).first->second;
}

NeighborSearch SharedSteps::neighbors(Index size, const NeighborKey& key,
                                      const std::function<NeighborSearch(Index)>& search) {
    if (size >= most_neighbors_) {
        return searched(size, key, search);
    }
    const NeighborSearch& longest = searched(most_neighbors_, key, search);
    if (looked_at_all_pairs(longest.summary) && begin_alike(longest.lists, size)) {
        return {nearest_of(longest.lists, size), longest.summary};
    }
    return searched(size, key, search);
}

const std::vector<Index>& SharedSteps::landmarks(const LandmarkSet& key,
                                                 const std::function<std::vector<Index>()>& choose) {
    const auto known = landmarks_.find(key);
    if (known != landmarks_.end()) {
        return known->second;
    }
    const PhaseTimer timer(spent_, "choose landmarks");
    return landmarks_.emplace(key, choose()).first->second;
}

const CsrMatrix<double>& SharedSteps::weights(const MixtureKey& key, const std::function<CsrMatrix<double>()>& weigh) {
    const auto known = weights_.find(key);
    if (known != weights_.end()) {
        return known->second;
    }
    const PhaseTimer timer(spent_, "landmark weights");
    return weights_.emplace(key, weigh()).first->second;
}

double SharedSteps::seconds_beside(const std::function<void()>& work) const {
    const auto start = std::chrono::steady_clock::now();
    const double shared_before = seconds();
    work();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    return std::max(0.0, passed.count() - (seconds() - shared_before));
}

double SharedSteps::seconds() const {
    double sum = 0.0;
    for (const auto& [phase, seconds] : spent_.seconds) {
        sum += seconds;
    }
    return sum;
}

}  // namespace isogon
