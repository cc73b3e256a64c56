#pragma once
#include "isogon/synthetic/generator.hpp"

namespace isogon {

enum class ArcShape { Circle, Sphere };

struct ArcsOptions {
    ArcShape shape = ArcShape::Circle;  ///< an arc of the unit circle (2 dimensions) or a coil on the unit sphere (3)
    double angle = 270.0;               ///< degrees that the arc of the circle spans; less than 360 leaves it open
    double turns = 3.0;                 ///< of the coil about the axis of the sphere
};

[[nodiscard]] const OptionTable<ArcsOptions>& arcs_option_table();

/// Points of length 1 like beads along a string with two open ends: the two kinds of data of figure 10 of Saul (2022),
/// "A geometrical connection between sparse and low-rank matrices and its application to manifold learning". They are
/// isometric to an interval, yet no map into fewer dimensions keeps the norms as well. The circle's string is an arc
/// about the y axis, the sphere's a loxodrome between the latitudes of -75 and 75 degrees. The truth is the arc length
/// from one end. Bead i sits at the fractional part of start + i * (golden ratio) of the string: for any count
/// neighbours are nearly evenly spaced. Throws InvalidArgument and LimitExceeded as every generator. O(count) time.
[[nodiscard]] Generated arcs(Index count, std::uint64_t seed = 0, const ArcsOptions& options = {},
                             const RunContext& context = {});
/// The same set, endless.
[[nodiscard]] PointMaker arcs_maker(std::uint64_t seed, const ArcsOptions& options, const RunContext& context);

}  // namespace isogon
