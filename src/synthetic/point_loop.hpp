#pragma once
#include <functional>

#include "isogon/core/run_context.hpp"
#include "isogon/synthetic/generator.hpp"

namespace isogon {

/// What a generator makes: the shape of its result before the first point is drawn.
struct GeneratedShape {
    Index count = 0;
    Index dimension = 0;
    Index truth_dimension = 0;  ///< 0: no truth
    bool labelled = false;
};

/// Throws InvalidArgument for a count of 0, and LimitExceeded when the result, with `extra_bytes` that the generator
/// takes besides, is over the memory limit.
void require_shape(const GeneratedShape& shape, const RunContext& context, std::uint64_t extra_bytes = 0);

/// Allocates a result of that shape and calls fill(result, i) once for every point, on the context's threads; fill
/// writes row i of what there is and nothing else. Checks the shape first, as require_shape does without extra bytes.
/// An interrupted run (stop token, deadline) returns the first points, those that were done: possibly none.
[[nodiscard]] Generated generate_points(const GeneratedShape& shape, const RunContext& context,
                                        const std::function<void(Generated&, Index)>& fill);

}  // namespace isogon
