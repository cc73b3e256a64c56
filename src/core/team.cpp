#include "isogon/core/team.hpp"

#include <algorithm>
#include <vector>

namespace isogon {

Range part_of_rank(std::size_t count, std::size_t rank, std::size_t ranks) {
    const std::size_t each = count / ranks;
    const std::size_t more = count % ranks;  // the first so many have one more
    const std::size_t begin = rank * each + std::min(rank, more);
    return {begin, begin + each + (rank < more ? 1 : 0)};
}

void gather_parts(const Team& team, std::size_t count, std::size_t item_bytes, std::span<std::byte> bytes) {
    std::vector<std::uint64_t> begins;
    for (std::size_t rank = 0; rank < team.size(); ++rank) {
        begins.push_back(
            std::min<std::uint64_t>(bytes.size(), part_of_rank(count, rank, team.size()).begin * item_bytes));
    }
    begins.push_back(bytes.size());
    team.gather(bytes, begins);
}

}  // namespace isogon
