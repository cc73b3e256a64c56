#pragma once
#include <cstdint>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Lengths of all points. Throws InputError naming the first that float32 does not hold. O(n D) time.
[[nodiscard]] std::vector<double> lengths_in_float(const PointsView& points);

/// Points in a unit of length in which float32 represents sums of products of products of them. If the length of the
/// longest is between 2^-6 and 2^20, the unit is that of the input, and nothing is copied; otherwise a copy is scaled
/// so that the longest point has a length of 1 to 4. Units are powers of four, so that neither scaling rounds nor the
/// root of a unit.
class PowerOfTwoScaling {
public:
    /// No point is longer in points(). Eigenvalues of products of n points of length a reach n a^2, and their squares
    /// must stay below 2^127: n = 2^17 leaves a = 2^23.
    static constexpr double longest = 0x1p20;

    /// Throws InputError, which names the first point whose length exceeds float32, since no output coordinates could
    /// have that length; LimitExceeded if the copy is over the limit. O(n D) time. `points` must outlive this.
    PowerOfTwoScaling(const PointsView& points, const RunContext& context);
    /// The same of points of which only some are here, in the unit of all of them, which have these lengths.
    PowerOfTwoScaling(const PointsView& some, const std::vector<double>& lengths_of_all, const RunContext& context);
    /// The scaling of `count` points of which only the longest distance between some is known: points() has no numbers.
    PowerOfTwoScaling(Index count, double longest_distance);

    [[nodiscard]] PointsView points() const { return copy_.empty() ? given_ : copy_.view(); }
    /// Length in the unit of the input of what has length 1 in points().
    [[nodiscard]] double unit() const { return unit_; }
    /// Bytes of the copy, 0 if there is none.
    [[nodiscard]] std::uint64_t bytes() const { return copy_.values().size_bytes(); }
    /// Converts coordinates to the unit of the input. Throws InputError where they exceed float32: sums of distances
    /// and differences from a mean may be longer than the points.
    void restore(Points& coordinates) const;

private:
    PointsView given_;
    Points copy_;
    double unit_ = 1.0;
};

}  // namespace isogon
