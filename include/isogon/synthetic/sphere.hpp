#pragma once
#include "isogon/synthetic/generator.hpp"

namespace isogon {

struct SphereOptions {
    int dimension = 3;    ///< of the points
    int rank = 0;         ///< of the points: they lie in a random subspace of that dimension; 0 is all of the space
    double radius = 1.0;  ///< length of every point
};

[[nodiscard]] const OptionTable<SphereOptions>& sphere_option_table();

/// Points uniform on a sphere about the origin, of the whole space or of a random subspace of `rank` dimensions. With a
/// rank the truth is the points in an orthonormal basis of the subspace: same lengths, same angles; else there is none.
/// Throws InvalidArgument (also for a rank above the dimension) and LimitExceeded as every generator.
/// O(count * dimension * max(1, rank)) time, 8 * dimension * rank bytes besides the result.
[[nodiscard]] Generated sphere(Index count, std::uint64_t seed = 0, const SphereOptions& options = {},
                               const RunContext& context = {});
/// The same set, endless.
[[nodiscard]] PointMaker sphere_maker(std::uint64_t seed, const SphereOptions& options, const RunContext& context);

}  // namespace isogon
