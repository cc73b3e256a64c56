#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/communicator.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Lengths of all points. Throws InputError naming the first that float32 does not hold. O(n D) time. Collective.
[[nodiscard]] std::vector<double> lengths_in_float(const DistributedPoints& points);

/// Points in a unit of length in which float32 holds sums of products of products of them. Where the longest lies
/// between 2^-6 and 2^20 that is the unit they came in, and nothing is copied; otherwise a copy is taken whose longest
/// point has a length of 1 to 2. Units are powers of two, so that they change no digit of a result.
class PowerOfTwoScaling {
public:
    /// No point is longer in points(). Eigenvalues of products of n points of length a reach n a^2, and their squares
    /// must stay below 2^127: n = 2^17 leaves a = 2^23.
    static constexpr double longest = 0x1p20;

    /// Throws InputError naming the first point whose length float32 does not hold, as no coordinates could have it;
    /// LimitExceeded if the copy is over the limit. O(n D) time. `points` must outlive this. Of divided points the unit
    /// is that of all of them, and a copy that of the own. Collective.
    PowerOfTwoScaling(const DistributedPoints& points, const RunContext& context);
    /// Of `count` points of which only the longest distance between some is known: points() has no numbers.
    PowerOfTwoScaling(Index count, double longest_distance);

    [[nodiscard]] PointsView points() const { return copy_.empty() ? given_ : copy_.view(); }  ///< of a rank its own
    /// Length in the unit of the input of what has length 1 in points().
    [[nodiscard]] double unit() const { return unit_; }
    /// Bytes of the copy, 0 if there is none.
    [[nodiscard]] std::uint64_t bytes() const { return copy_.values().size_bytes(); }
    /// Takes coordinates back to the unit of the input. Throws InputError where float32 does not hold them: sums of
    /// distances and differences from a mean may be longer than what they are made of.
    void restore(Points& coordinates) const;

private:
    PointsView given_;
    Points copy_;
    double unit_ = 1.0;
};

}  // namespace isogon
