#pragma once
#include <cstdint>

#include "isogon/graph/components.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/registry.hpp"
#include "isogon/semidefinite/distance_rule.hpp"

namespace isogon {

struct LsdeOptions {
    int dimension = 16;  ///< d, numbers for each point; the whole spectrum is recorded whatever d is
    int neighbors = 6;   ///< k, in points: whose distances are kept. The paper has 4, by which random points of a sheet
                         ///< often fall apart; more cost little, for redundant ones never reach the solver
    int weight_neighbors = 12;              ///< r, in points: whose combination a point is; more for noisy points
    KeptPairs keep = KeptPairs::Neighbors;  ///< the paper's
    double ridge = 1e-3;  ///< of the weights, as a share of the trace of a Gram matrix; 1e-2 is felt on a clean sheet
                          ///< already (bench/semidefinite-cases)
    double tolerance = 1e-3;  ///< share of a squared distance that may be passed: three digits of the trace
    int rounds = 200;         ///< of solving and adding constraints, at most; some ten are usual
    /// Error: nothing bounds the program of a graph in several components.
    ComponentPolicy components = ComponentPolicy::Error;
    std::uint64_t seed = 0;  ///< of landmarks and approximate neighbours
};

/// The default number of landmarks: enough for a sheet, or twice the dimension if that is more.
[[nodiscard]] Index default_lsde_landmarks(Index points, int dimension);

[[nodiscard]] const OptionTable<LsdeOptions>& lsde_option_table();

/// Landmark semidefinite embedding (Weinberger, Packer and Saul, "Nonlinear dimensionality reduction by semidefinite
/// programming and kernel matrix factorization", AISTATS 2005): maximises the variance subject to the distances between
/// neighbours, with all points linear combinations of landmarks: the semidefinite program is m x m instead of n x n.
/// Outputs are principal axes: centred, orthogonal, longest first. Equal points are fitted as one.
///
/// `landmarks`: how many, and how they are chosen; null: default_lsde_landmarks(), at random. Its extension must be
/// left alone. Time: neighbours, a sparse factor (landmark_reconstruction()), and some ten programs that grow as m^6 at
/// worst, seconds for 40 landmarks. New points are mixtures of their nearest `weight_neighbors` fitted ones. Summary:
/// constraints, monitored, rounds, suggested_dimension; duality_gap, largest_violation, trace, spectrum_0, _1, ....
/// Throws InvalidArgument (an option out of bounds; landmarks that are not above d), InputError (NaN; neighbours that
/// do not join all points, for then nothing bounds the program; points that no weights tie to landmarks),
/// LimitExceeded.
[[nodiscard]] Embedding landmark_semidefinite_embedding(const PointsView& x, const LsdeOptions& options = {},
                                                        const RunContext& context = {}, const FitExtras& extras = {},
                                                        const LandmarkOptions* landmarks = nullptr);

[[nodiscard]] Method lsde_method();

}  // namespace isogon
