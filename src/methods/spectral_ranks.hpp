#pragma once
#include <functional>
#include <string_view>

#include "distributed/rank_group.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "spectral/spectral_problem.hpp"

namespace isogon {

struct LaplacianOptions;

/// All points, and the neighbour lists of a rank's own, by the numbers of all.
struct OwnNeighbors {
    PointsView points;
    const NeighborLists& lists;
};

/// Parameters for the solution of a distributed problem.
struct DistributedSolution {
    EigenOptions eigen{};
    const CsrMatrix<double>* own_weights = nullptr;  ///< own rows of Z, for locally linear landmarks; null: exactly
};

/// Processes that make and solve the sparse problems of laplacian and lle together (petsc/ has some): each of them has
/// the rows of its own points, rank_range() of all, and the neighbour lists of these, by the numbers of all. Every
/// rank makes the same calls in the same order, with a context without agree_on_stop; an exception on one rank is
/// thrown on all. Returned coordinates are own rows, all other results are complete. Solutions agree with those of one
/// process to their residuals, not to the bit.
class SpectralRanks {
public:
    SpectralRanks() = default;
    SpectralRanks(const SpectralRanks&) = delete;
    SpectralRanks& operator=(const SpectralRanks&) = delete;
    virtual ~SpectralRanks() = default;

    [[nodiscard]] virtual RankGroup group() const = 0;
    /// Name of the solver, for messages: "SLEPc".
    [[nodiscard]] virtual std::string_view solver() const = 0;

    /// Runs a rank's own part of the work, without communication: an exception or interruption on one rank is thrown on
    /// all.
    virtual void together(const std::function<void()>& body) const = 0;

    /// Laplacian eigenmaps on the graph of these lists, with distances. Of the options neighbors, affinity and sigma
    /// count. Adds seconds, components and sigma to the summary.
    [[nodiscard]] virtual SpectralSolution laplacian(const OwnNeighbors& own, const LaplacianOptions& options,
                                                     const DistributedSolution& how, Summary& summary,
                                                     const RunContext& context) const = 0;
    /// Locally linear embedding of points that every rank has.
    [[nodiscard]] virtual SpectralSolution lle(const OwnNeighbors& own, const DistributedSolution& how,
                                               Summary& summary, const RunContext& context) const = 0;
};

}  // namespace isogon
