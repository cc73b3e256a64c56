#pragma once
#include <span>
#include <vector>

#include "isogon/core/communicator.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

struct NearPoint {
    float cosine = 0.0F;  ///< above 0
    Index point = 0;
    friend bool operator==(const NearPoint&, const NearPoint&) = default;
};

/// For each point of `list`, the nearest by cosine among all others at less than 90 degrees, nearest first; ties go to
/// the smaller index. On every rank, though each compares only its own points. Collective. O(list n D) time.
[[nodiscard]] std::vector<std::vector<NearPoint>> nearest_by_cosine(const DistributedPoints& x,
                                                                    std::span<const Index> list, Index neighbors,
                                                                    const RunContext& context);

}  // namespace isogon
