#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Made data with what is known of it.
struct Generated {
    Points points;
    std::vector<std::int64_t> labels;  ///< class of each point, or empty
    Points truth;                      ///< coordinates on the manifold the points were drawn from, or empty
    Index image_height = 0;            ///< images only
    Index image_width = 0;
};

/// An endless set of made points, any of which can be made by itself: point i depends on the seed and i alone.
struct PointMaker {
    Index dimension = 0;
    Index truth_dimension = 0;  ///< 0: no truth
    bool labelled = false;
    Index image_height = 0;  ///< images only
    Index image_width = 0;
    std::uint64_t bytes = 0;  ///< what it holds besides the points
    /// Writes point i and, where there is one, its truth (both zero before); returns its label. Called from several
    /// threads at a time.
    std::function<std::int64_t(Index i, std::span<float> point, std::span<float> truth)> make{};
};

/// Throws InvalidArgument for a count of 0, and LimitExceeded when `count` points, with their truth, their labels and
/// what the maker holds, are over the memory limit.
void require_memory_for(const PointMaker& maker, Index count, const RunContext& context);

/// Points first, first + 1, ... up to `count` of them, on the context's threads. Checks as require_memory_for does. An
/// interrupted run (stop token, deadline) returns those that were done, from the first on: possibly none.
[[nodiscard]] Generated make_points(const PointMaker& maker, Index first, Index count, const RunContext& context);

/// Makes points 0 to count - 1 and hands them over in blocks of at most some 32 MB, so that memory does not grow with
/// the count. Returns how many were handed over: fewer than `count` when the context ends the run. Whatever `consume`
/// throws ends it too. Throws InvalidArgument and LimitExceeded (for one block and the maker) before the first.
Index stream_points(const PointMaker& maker, Index count, const RunContext& context,
                    const std::function<void(const Generated&)>& consume);

}  // namespace isogon
