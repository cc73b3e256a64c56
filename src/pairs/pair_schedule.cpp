#include "isogon/pairs/pair_schedule.hpp"

#include <algorithm>

namespace isogon {

Index PairSchedule::rounds() const {
    if (blocks_ < 2) {
        return blocks_;
    }
    return blocks_ % 2 == 0 ? blocks_ : blocks_ + 1;
}

std::vector<PairSchedule::BlockPair> PairSchedule::round(Index r) const {
    std::vector<BlockPair> pairs;
    if (r == 0) {
        for (Index b = 0; b < blocks_; ++b) {
            pairs.emplace_back(b, b);
        }
        return pairs;
    }
    // An odd number of blocks gets a guest; whoever meets the guest rests in that round.
    const Index players = blocks_ + blocks_ % 2;
    const Index circle = players - 1;
    const auto seat = [&](Index place) { return (place + r - 1) % circle; };
    const auto meet = [&](Index a, Index b) {
        if (a < blocks_ && b < blocks_) {
            pairs.emplace_back(std::min(a, b), std::max(a, b));
        }
    };
    meet(seat(0), circle);
    for (Index place = 1; place < players / 2; ++place) {
        meet(seat(place), seat(circle - place));
    }
    return pairs;
}

}  // namespace isogon
