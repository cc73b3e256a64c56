#pragma once
#include <cstdint>
#include <span>

#include "isogon/core/types.hpp"

namespace isogon {

/// The most frequent label among the neighbours; the smallest of them on a tie. At least one neighbour.
[[nodiscard]] std::int64_t majority_label(std::span<const Index> neighbors, std::span<const std::int64_t> labels);

}  // namespace isogon
