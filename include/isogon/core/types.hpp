#pragma once
#include <cstddef>
#include <cstdint>

namespace isogon {

/// Number of a point, a row or a column. 32 bits: 2^32 points exceed the memory of one machine.
using Index = std::uint32_t;

/// Position in a list of pairs or bytes, which outgrows 32 bits at some 100,000 points.
using Offset = std::uint64_t;

}  // namespace isogon
