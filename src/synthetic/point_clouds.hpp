#pragma once
#include "isogon/synthetic/generator.hpp"

// Point clouds of known truth: labelled Gaussian clusters, and samples of manifolds with their coordinates.
namespace isogon {

struct BlobsOptions {
    int classes = 10;
    int dimension = 16;
    double spread = 1.0;       ///< standard deviation of every coordinate about the centre of its blob
    double separation = 10.0;  ///< root mean square of the distance between two centres; 10 hardly overlap by default
};

[[nodiscard]] const OptionTable<BlobsOptions>& blobs_option_table();

/// Round Gaussian blobs about centres that are themselves Gaussian about the origin. Labels are the blobs, 0 up to
/// classes - 1, each point's drawn at random with equal chances; no truth. The centres depend on the seed and their
/// number alone. Throws InvalidArgument and LimitExceeded as every generator. O(count * dimension) time,
/// 4 * classes * dimension bytes besides the result.
[[nodiscard]] PointMaker blobs_maker(std::uint64_t seed, const BlobsOptions& options, const RunContext& context);

enum class ArcShape { Circle, Sphere };

struct ArcsOptions {
    ArcShape shape = ArcShape::Circle;  ///< an arc of the unit circle (2 dimensions) or a coil on the unit sphere (3)
    double angle = 270.0;               ///< degrees that the arc of the circle spans; less than 360 leaves it open
    double turns = 3.0;                 ///< turns of the coil about the axis of the sphere
};

[[nodiscard]] const OptionTable<ArcsOptions>& arcs_option_table();

/// Points of length 1 like beads along a string with two open ends: the two kinds of data of figure 10 of Saul (2022),
/// "A geometrical connection between sparse and low-rank matrices and its application to manifold learning". They are
/// isometric to an interval, yet no map into fewer dimensions keeps the norms as well. The circle's string is an arc
/// about the y axis, the sphere's a loxodrome between the latitudes of -75 and 75 degrees. The truth is the arc length
/// from one end. Bead i is at the fractional part of start + i * (golden ratio) of the string: neighbours are nearly
/// evenly spaced for any count. Throws InvalidArgument and LimitExceeded as every generator. O(count) time.
[[nodiscard]] PointMaker arcs_maker(std::uint64_t seed, const ArcsOptions& options, const RunContext& context);

struct SphereOptions {
    int dimension = 3;    ///< numbers of each point
    int rank = 0;         ///< dimension of the random subspace in which the points lie; 0 is all of the space
    double radius = 1.0;  ///< length of every point
};

[[nodiscard]] const OptionTable<SphereOptions>& sphere_option_table();

/// Points uniform on a sphere about the origin, of the whole space or of a random subspace of `rank` dimensions. With a
/// rank the truth is the points in an orthonormal basis of the subspace: same lengths, same angles; else there is none.
/// Throws InvalidArgument (also for a rank above the dimension) and LimitExceeded as every generator.
/// O(count * dimension * max(1, rank)) time, 8 * dimension * rank bytes besides the result.
[[nodiscard]] PointMaker sphere_maker(std::uint64_t seed, const SphereOptions& options, const RunContext& context);

struct SwissRollOptions {
    double noise = 0.0;    ///< standard deviation of Gaussian noise in each of the three coordinates
    double height = 21.0;  ///< height of the sheet along the axis of the roll; 21 as is common
    double turns = 1.5;    ///< turns of the sheet about the axis; 1.5 as is common
};

[[nodiscard]] const OptionTable<SwissRollOptions>& swiss_roll_option_table();

/// A flat sheet rolled up in three dimensions: Archimedes' spiral r = angle from 3/4 of a turn on, so that neighbouring
/// layers are 2 pi apart, times an interval along y. The truth is the sheet before rolling, (arc length, height):
/// without noise the roll is isometric to it, and points are uniform on it. Throws InvalidArgument and LimitExceeded as
/// every generator. O(count) time.
[[nodiscard]] Generated swiss_roll(Index count, std::uint64_t seed = 0, const SwissRollOptions& options = {},
                                   const RunContext& context = {});
/// The same set as an infinite sequence.
[[nodiscard]] PointMaker swiss_roll_maker(std::uint64_t seed, const SwissRollOptions& options,
                                          const RunContext& context);

}  // namespace isogon
