#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

/// Points for tests: random ones, and sets that are awkward on purpose.
namespace isogon::reference {

Points random_points(Index count, Index dimension, std::uint64_t seed, double shift = 0.0);

/// Whole numbers from 0 to `top`: products are exact in float32, and distances tie all the time.
Points whole_points(Index count, Index dimension, std::uint32_t top, std::uint64_t seed);

/// Random points of which every sixth is zero, equal to its predecessor, opposite to it, three times it, or tiny.
Points awkward_points(Index count, Index dimension, std::uint64_t seed);

Points equal_points(Index count, Index dimension);

Points scaled(const Points& points, float factor);

/// The same without signs, for methods that take no negative numbers.
Points magnitudes(const Points& points);

/// Point i of the result is point order[i].
Points reordered(const Points& points, const std::vector<Index>& order);

/// A permutation of `count` numbers.
std::vector<Index> shuffled(Index count, std::uint64_t seed);

std::vector<Index> every_point(Index count);

/// The first `columns` coordinates: a crude embedding.
Points truncated(const Points& points, Index columns);

/// Turned about the origin, at random.
Points turned(const Points& points, std::uint64_t seed);

RunContext on_threads(int threads);
/// A context that ends a run before it begins.
RunContext cancelled(int threads = 1);

}  // namespace isogon::reference
