#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "isogon/pairs/pair_tiles.hpp"

namespace isogon {

/// The best candidates of each of some rows, while they are offered one by one: a buffer for each row, and a threshold
/// that a candidate must reach to be better than the worst of the best. Larger keys are better, equal keys by smaller
/// index; what is kept does not depend on the order of the offers.
class NearestSelection {
public:
    struct Candidate {
        float key = 0.0F;
        Index index = 0;
    };

    NearestSelection(Index rows, Index keep);

    /// Takes the values of a tile as keys: v_ij for row i and, if `both`, for row j too. No other thread may use these
    /// rows during the call.
    void take_tile(const PairTile& tile, bool both);
    /// Takes the values of a tile (48 x 48) whose rows and columns stand for any rows and candidates: v_ij for row
    /// rows[i] and candidate columns[j]. At most 48 of each.
    void take_gathered(const float* values, std::span<const Index> rows, std::span<const Index> columns);
    /// Offers one candidate. Inline: it is the innermost step of every search.
    void offer(Index row, Index index, float key) {
        if (key >= thresholds_[row]) {
            push(row, {key, index});
        }
    }
    /// The best of a row, best first: as many as were to be kept, or fewer if fewer were offered.
    [[nodiscard]] std::span<const Candidate> finish(Index row);

    [[nodiscard]] static std::uint64_t bytes(Index rows, Index keep);

private:
    [[nodiscard]] static std::size_t capacity(Index keep);
    void push(Index row, Candidate candidate);
    void shrink(Index row);

    Index rows_;
    Index keep_;
    std::size_t capacity_;
    std::vector<float> thresholds_;  ///< padded to whole panels by infinity: "never"
    std::vector<Index> counts_;
    std::vector<Candidate> candidates_;
};

}  // namespace isogon
