#pragma once
// Semidefinite embedding (maximum variance unfolding): sde of all points, lsde on landmarks.
#include <cstdint>
#include <optional>

#include "graph/components.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/method.hpp"

namespace isogon {

/// How the program of all points is solved.
enum class UnfoldingSolver {
    Auto,     ///< exact up to 3,000 distances, low rank above
    Exact,    ///< the whole Gram matrix by an interior point method: to many digits, and half a minute for 3,000
              ///< distances
    LowRank,  ///< outputs of few dimensions, with a bound on the gap: tens of thousands of points
};

struct SdeOptions {
    int dimension = 16;  ///< d, numbers for each point; the whole spectrum is recorded whatever d is
    int neighbors =
        6;  ///< k, in points: whose distances are kept. 4 is usual in the papers, but leaves many samples in parts
    UnfoldingSolver solver = UnfoldingSolver::Auto;  ///< exact up to 3,000 distances
    double tolerance = 1e-3;                         ///< bound on the gap, as a share of the trace: three digits
    int iterations = 500;                            ///< iterations of the solver, at most
    /// Bridge or Error; empty: Bridge, with a warning. Nothing bounds the program of a graph in several components.
    std::optional<ComponentPolicy> components{};
    std::uint64_t seed = 0;  ///< seed for low-rank starts and approximate neighbours
};

[[nodiscard]] const OptionTable<SdeOptions>& sde_option_table();

/// Semidefinite embedding, or maximum variance unfolding (Weinberger and Saul, "Unsupervised learning of image
/// manifolds by semidefinite programming", CVPR 2004): maximises the variance of the outputs subject to the distances
/// between neighbours, and between points that one point lists: the paper's. The exact solver lets distances be missed
/// at a price, and the low-rank one lets them shrink. Outputs are principal axes: centred, orthogonal, longest first.
/// The spectrum shows how many dimensions the data has. Equal points are fitted as one.
///
/// Time and memory: see unfold_exactly() and unfold_low_rank(). New points are mixtures of their nearest fitted ones.
/// Summary: constraints, iterations, suggested_dimension; trace, duality_gap, largest_violation, most_stretched,
/// most_shrunk, mean_change (of squared distances, as shares of these), spectrum_0, _1, .... Throws InvalidArgument (an
/// option out of bounds), InputError (NaN; neighbours that do not join all points, for then
/// nothing bounds the program), LimitExceeded.
[[nodiscard]] Embedding semidefinite_embedding(const PointsView& x, const SdeOptions& options = {},
                                               const RunContext& context = {}, const FitExtras& extras = {});

[[nodiscard]] Method sde_method();

struct LsdeOptions {
    int dimension = 16;  ///< d, numbers for each point; the whole spectrum is recorded whatever d is
    int neighbors = 6;   ///< k, in points: whose distances are kept. The paper has 4, by which random points of a sheet
                         ///< often fall apart; more cost little, for redundant ones never reach the solver
    double tolerance = 1e-3;  ///< share of a squared distance that may be passed: three digits of the trace
    /// Bridge or Error; empty: Bridge, with a warning. Nothing bounds the program of a graph in several components.
    std::optional<ComponentPolicy> components{};
    std::uint64_t seed = 0;  ///< seed for landmarks and approximate neighbours
};

/// The default number of landmarks: enough for a sheet, or twice the dimension if that is more.
[[nodiscard]] Index default_lsde_landmarks(Index points, int dimension);

[[nodiscard]] const OptionTable<LsdeOptions>& lsde_option_table();

/// Landmark semidefinite embedding (Weinberger, Packer and Saul, "Nonlinear dimensionality reduction by semidefinite
/// programming and kernel matrix factorization", AISTATS 2005): maximises the variance subject to the distances between
/// neighbours, with all points linear combinations of landmarks: the semidefinite program is m x m instead of n x n.
/// Weights that rebuild each point are of twice as many neighbours as have their distances kept.
/// Outputs are principal axes: centred, orthogonal, longest first. Equal points are fitted as one.
///
/// `landmarks`: how many, and how they are chosen; null: default_lsde_landmarks(), at random. Its extension must be
/// left alone. Time: neighbours, a sparse factor (landmark_reconstruction()), and some ten programs that grow as m^6 at
/// worst, seconds for 40 landmarks. New points are mixtures of as many fitted ones. Summary:
/// constraints, monitored, rounds, suggested_dimension; duality_gap, largest_violation, trace, spectrum_0, _1, ....
/// Throws InvalidArgument (an option out of bounds; landmarks that are not above d), InputError (NaN; neighbours that
/// do not join all points, for then nothing bounds the program; points that no weights tie to landmarks),
/// LimitExceeded.
[[nodiscard]] Embedding landmark_semidefinite_embedding(const PointsView& x, const LsdeOptions& options = {},
                                                        const RunContext& context = {}, const FitExtras& extras = {},
                                                        const LandmarkOptions* landmarks = nullptr);

[[nodiscard]] Method lsde_method();

}  // namespace isogon
