#include "isogon/pairs/row_sample.hpp"

#include <algorithm>

namespace isogon {

// Selection sampling: algorithm S of Knuth, The Art of Computer Programming, volume 2, section 3.4.2.
std::vector<Index> sample_rows(Index count, Index wished, std::uint64_t seed, RandomStream purpose) {
    std::vector<Index> rows;
    rows.reserve(std::min(count, wished));
    Random random(seed, purpose, 0);
    for (Index row = 0; row < count && rows.size() < wished; ++row) {
        const auto needed = static_cast<Index>(wished - rows.size());
        if (random.below(count - row) < needed) {
            rows.push_back(row);
        }
    }
    return rows;
}

}  // namespace isogon
