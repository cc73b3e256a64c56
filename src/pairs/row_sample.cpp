#include "pairs/row_sample.hpp"

#include <algorithm>

namespace isogon {

// Selection sampling: algorithm S of Knuth, The Art of Computer Programming, volume 2, section 3.4.2.
std::vector<Index> sample_rows(Index count, Index requested, std::uint64_t seed, RandomStream purpose) {
    std::vector<Index> rows;
    rows.reserve(std::min(count, requested));
    Random random(seed, purpose, 0);
    for (Index row = 0; row < count && rows.size() < requested; ++row) {
        const auto needed = static_cast<Index>(requested - rows.size());
        if (random.below(count - row) < needed) {
            rows.push_back(row);
        }
    }
    return rows;
}

}  // namespace isogon
