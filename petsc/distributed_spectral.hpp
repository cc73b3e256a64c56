#pragma once
#include <vector>

#include "distributed_matrix.hpp"
#include "isogon/core/points.hpp"
#include "methods/spectral.hpp"
#include "methods/spectral_ranks.hpp"
#include "spectral/spectral_problem.hpp"

namespace isogon {

/// A spectral method over n points of which every rank has its own: SpectralProblem divided by rows. The smallest end
/// is wanted, and the constant vector is the trivial solution.
struct DistributedSpectralProblem {
    DistributedMatrix matrix{};  ///< A, or R where A = R^T R
    bool normal = false;         ///< the latter
    std::vector<double> b{};     ///< diagonal of B, own rows, above 0; empty: the identity
    double sigma = 0.0;          ///< width of Gaussian weights, as used; else 0
};

/// Laplacian eigenmaps (methods/spectral.hpp) on the graph of these lists, of which a rank has those of its own points
/// with distances, by the numbers of all. Of the options neighbors (k of self-tuned scales and of sigma), affinity and
/// sigma count. Throws as that method does, on all ranks; a graph in several components is refused.
[[nodiscard]] DistributedSpectralProblem distributed_laplacian(const NeighborLists& own_lists, Index points,
                                                               const LaplacianOptions& options, const RankGroup& ranks);

/// Locally linear embedding (methods/spectral.hpp) of points that every rank can read.
[[nodiscard]] DistributedSpectralProblem distributed_lle(const RowSource& points, const NeighborLists& own_lists,
                                                         const RankGroup& ranks, const RunContext& context);

/// Own rows of d = options.count dimensions; the twin of solve_exactly() of spectral/spectral_problem.hpp, by
/// solve_distributed().
[[nodiscard]] SpectralSolution solve_exactly(const DistributedSpectralProblem& problem, const EigenOptions& options,
                                             const RankGroup& ranks, const RunContext& context);

/// Locally linear landmarks: the twin of solve_on_landmarks(). `z` are the own rows of the n x L weights. Z^T A Z and
/// Z^T B Z are summed over the ranks' rows; being L x L they are then on every rank, as are the landmarks' coordinates,
/// and solve() solves the problem with these options: with a PetscEigenSolver as `solver`, many landmarks are divided
/// too.
[[nodiscard]] SpectralSolution solve_on_landmarks(const DistributedSpectralProblem& problem, const DistributedMatrix& z,
                                                  const EigenOptions& options, const RankGroup& ranks,
                                                  const RunContext& context);

/// The ranks of a communicator for methods (FitExtras::ranks): distributed_laplacian() and distributed_lle(),
/// solve_exactly() and solve_on_landmarks(). To be used during a PetscSession; the communicator must outlive it.
class PetscSpectralRanks final : public SpectralRanks {
public:
    explicit PetscSpectralRanks(const RankGroup& ranks) : ranks_(ranks) {}

    [[nodiscard]] RankGroup group() const override { return ranks_; }
    [[nodiscard]] std::string_view solver() const override { return "SLEPc"; }
    void together(const std::function<void()>& body) const override;
    [[nodiscard]] SpectralSolution laplacian(const OwnNeighbors& own, const LaplacianOptions& options,
                                             const DistributedSolution& how, Summary& summary,
                                             const RunContext& context) const override;
    [[nodiscard]] SpectralSolution lle(const OwnNeighbors& own, const DistributedSolution& how, Summary& summary,
                                       const RunContext& context) const override;

private:
    [[nodiscard]] SpectralSolution solved(const DistributedSpectralProblem& problem, const DistributedSolution& how,
                                          Summary& summary, const RunContext& context) const;

    RankGroup ranks_;
};

}  // namespace isogon
