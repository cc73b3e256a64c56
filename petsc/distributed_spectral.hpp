#pragma once
#include <vector>

#include "distributed_matrix.hpp"
#include "isogon/core/rows.hpp"
#include "isogon/methods/laplacian.hpp"
#include "isogon/methods/lle.hpp"
#include "isogon/spectral/spectral_problem.hpp"

namespace isogon {

/// A spectral method over n points of which every rank has its own: SpectralProblem divided by rows. The smallest end
/// is wanted, and the constant vector is the trivial solution.
struct DistributedSpectralProblem {
    DistributedMatrix matrix{};  ///< A, or R where A = R^T R
    bool normal = false;         ///< the latter
    std::vector<double> b{};     ///< of the diagonal of B, own rows, above 0; empty: the identity
    double sigma = 0.0;          ///< of Gaussian weights, as used; else 0
};

/// Laplacian eigenmaps (methods/laplacian.hpp) on the graph of these lists, of which a rank has those of its own points
/// with distances, by the numbers of all. Of the options neighbors (k of self-tuned scales and of sigma), affinity and
/// sigma count. Throws as that method does, on all ranks; a graph in several components is refused.
[[nodiscard]] DistributedSpectralProblem distributed_laplacian(const NeighborLists& own_lists, Index points,
                                                               const LaplacianOptions& options, const RankGroup& ranks);

/// Locally linear embedding (methods/lle.hpp) of points that every rank can read. Of the options ridge counts.
[[nodiscard]] DistributedSpectralProblem distributed_lle(const RowSource& points, const NeighborLists& own_lists,
                                                         const LleOptions& options, const RankGroup& ranks,
                                                         const RunContext& context);

/// Own rows of d = options.count dimensions; the twin of solve_exactly() of spectral/spectral_problem.hpp, by
/// solve_distributed().
[[nodiscard]] SpectralSolution solve_exactly(const DistributedSpectralProblem& problem, const EigenOptions& options,
                                             const RankGroup& ranks, const RunContext& context);

/// Locally linear landmarks: the twin of solve_on_landmarks(). `z` are the own rows of the n x L weights. Z^T A Z and
/// Z^T B Z are summed over the ranks' rows; being L x L they are then on every rank, as are the landmarks' coordinates,
/// and solve() is asked with these options: with a PetscEigenSolver for its `solver`, many landmarks are divided too.
[[nodiscard]] SpectralSolution solve_on_landmarks(const DistributedSpectralProblem& problem, const DistributedMatrix& z,
                                                  const EigenOptions& options, const RankGroup& ranks,
                                                  const RunContext& context);

}  // namespace isogon
