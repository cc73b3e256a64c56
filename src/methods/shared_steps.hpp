#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/landmark_selection.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/neighbors/neighbor_search.hpp"

namespace isogon {

/// The properties that a choice of landmarks depends on besides the points.
struct LandmarkSet {
    Index count = 0;
    LandmarkSelection selection = LandmarkSelection::Random;
    std::uint64_t seed = 0;
    [[nodiscard]] bool operator<(const LandmarkSet& other) const {
        return std::tie(count, selection, seed) < std::tie(other.count, other.selection, other.seed);
    }
};

/// The properties that the weights Z of all points towards landmarks depend on.
struct MixtureKey {
    LandmarkSet landmarks{};
    Index neighbors = 0;
    Metric metric = Metric::Euclidean;
    [[nodiscard]] bool operator<(const MixtureKey& other) const {
        return std::tie(landmarks, neighbors, metric) < std::tie(other.landmarks, other.neighbors, other.metric);
    }
};

/// The properties that a search for neighbours depends on besides their number.
struct NeighborKey {
    Metric metric = Metric::Euclidean;
    std::uint64_t seed = 0;
    [[nodiscard]] bool operator<(const NeighborKey& other) const {
        return std::tie(metric, seed) < std::tie(other.metric, other.seed);
    }
};

/// Steps that fits of the same points have in common: the first fit that needs one computes it, later fits reuse the
/// result, which is bit for bit what they would have computed. For sequential fits of the same points.
class SharedSteps {
public:
    /// `most_neighbors`: the largest number that any of the fits will request.
    explicit SharedSteps(Index most_neighbors) : most_neighbors_(most_neighbors) {}

    /// Lists of `size`, with the recall of the search in the summary: the beginnings of lists of most_neighbors where
    /// those are known to be the lists that a search for `size` gives, else from such a search.
    [[nodiscard]] NeighborSearch neighbors(Index size, const NeighborKey& key,
                                           const std::function<NeighborSearch(Index)>& search);
    [[nodiscard]] const std::vector<Index>& landmarks(const LandmarkSet& key,
                                                      const std::function<std::vector<Index>()>& choose);
    [[nodiscard]] const CsrMatrix<double>& weights(const MixtureKey& key,
                                                   const std::function<CsrMatrix<double>()>& weigh);

    /// Seconds by phase that went into these steps, each counted once.
    [[nodiscard]] const Summary& spent() const { return spent_; }
    /// The seconds that `work` takes beside them.
    [[nodiscard]] double seconds_beside(const std::function<void()>& work) const;

private:
    [[nodiscard]] double seconds() const;
    [[nodiscard]] const NeighborSearch& searched(Index size, const NeighborKey& key,
                                                 const std::function<NeighborSearch(Index)>& search);

    Index most_neighbors_;
    std::map<std::pair<NeighborKey, Index>, NeighborSearch> neighbors_{};
    std::map<LandmarkSet, std::vector<Index>> landmarks_{};
    std::map<MixtureKey, CsrMatrix<double>> weights_{};
    Summary spent_{};
};

/// Whether the first `size` of each list equal the lists of an exact search for so many. Such a search keeps some
/// candidates more than it lists (neighbors/nearest_selection.cpp), and takes those that it has where all of them are
/// equally far: then it may list others than a longer search. Lists must be of an exact search, with distances.
[[nodiscard]] bool begin_alike(const NeighborLists& lists, Index size);

}  // namespace isogon
