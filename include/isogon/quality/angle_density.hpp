#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

struct AngleDensityOptions {
    Index points = 3000;     ///< all pairs among so many: 4.5 million angles, of which 1% are still 45,000
    std::uint64_t seed = 0;  ///< of which points
};

/// Angles of pairs before and after, as counts.
struct AngleDensity {
    static constexpr Index angles = 180;        ///< bins of the histograms, of one degree; the last holds 180 itself
    static constexpr Index squares = 90;        ///< bins along a side of the density
    static constexpr double square_side = 2.0;  ///< degrees

    std::vector<std::uint64_t> in{};   ///< pairs by their angle in x
    std::vector<std::uint64_t> out{};  ///< pairs by their angle in y
    std::vector<std::uint64_t>
        density{};  ///< squares x squares, row-major: rows by the angle in x, columns by that in y
    std::uint64_t pairs = 0;
    Index points = 0;  ///< among which all pairs were counted
};

/// Counts the angles of x (n x D) and of y (n x d, row by row in the same order) over all pairs among a sample of the
/// points that are no zero vectors in x. A zero vector of y is at right angles to all. Angles below 18 degrees are
/// taken from distances, to all digits. The same counts for any number of threads.
///
/// Throws InvalidArgument for other counts of points, options.points < 2 or no dimensions; InputError for values that
/// are not finite; LimitExceeded; Interruption. Time O(s^2 (D + d)) for s sampled points; memory O(s (D + d)) and 0.7
/// KB a sampled point.
[[nodiscard]] AngleDensity count_angles(const PointsView& x, const PointsView& y,
                                        const AngleDensityOptions& options = {}, const RunContext& context = {});

}  // namespace isogon
