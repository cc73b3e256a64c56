#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/random.hpp"
#include "isogon/core/types.hpp"

namespace isogon {

/// `wished` different numbers below `count`, ascending, every set of them equally likely; all numbers if `wished` is
/// `count` or more. A pure function of its arguments. O(count).
[[nodiscard]] std::vector<Index> sample_rows(Index count, Index wished, std::uint64_t seed, RandomStream purpose);

}  // namespace isogon
