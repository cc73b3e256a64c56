#pragma once
#include <utility>
#include <vector>

#include "isogon/core/types.hpp"

namespace isogon {

/// All unordered pairs of `blocks` blocks, each block with itself too, in rounds within which no block appears twice.
/// The tasks of a round may therefore write the sums of both their blocks at the same time, without locks and without
/// copies, and each block receives its contributions in the order of the rounds: the same bits for any number of
/// threads.
class PairSchedule {
public:
    using BlockPair = std::pair<Index, Index>;  ///< first <= second

    explicit PairSchedule(Index blocks) : blocks_(blocks) {}

    [[nodiscard]] Index rounds() const;
    /// Round 0 pairs every block with itself; the others are a round-robin tournament by the circle method.
    [[nodiscard]] std::vector<BlockPair> round(Index r) const;

private:
    Index blocks_;
};

}  // namespace isogon
