#pragma once
#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "isogon/core/points.hpp"

namespace isogon {

/// A uniform sample without replacement of `requested` numbers below `count`, ascending; all numbers if `requested` is
/// `count` or more. A pure function of its arguments. O(count).
[[nodiscard]] std::vector<Index> sample_rows(Index count, Index requested, std::uint64_t seed, RandomStream purpose);

}  // namespace isogon
