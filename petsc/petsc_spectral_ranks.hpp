#pragma once
#include "distributed_spectral.hpp"
#include "isogon/methods/spectral_ranks.hpp"

namespace isogon {

/// Ranks as methods know them (FitExtras::ranks): distributed_laplacian() and distributed_lle(),
/// solve_exactly() and solve_on_landmarks(). Between the beginning and the end of a PetscSession; their communicator
/// must outlive it.
class PetscSpectralRanks final : public SpectralRanks {
public:
    explicit PetscSpectralRanks(const RankGroup& ranks) : ranks_(ranks) {}

    [[nodiscard]] RankGroup group() const override { return ranks_; }
    [[nodiscard]] std::string_view solver() const override { return "SLEPc"; }
    void together(const std::function<void()>& body) const override;
    [[nodiscard]] SpectralSolution laplacian(const NeighborLists& own_lists, Index points,
                                             const LaplacianOptions& options, const DistributedSolution& how,
                                             Summary& summary, const RunContext& context) const override;
    [[nodiscard]] SpectralSolution lle(const PointsView& points, const NeighborLists& own_lists,
                                       const LleOptions& options, const DistributedSolution& how, Summary& summary,
                                       const RunContext& context) const override;

private:
    [[nodiscard]] SpectralSolution solved(const DistributedSpectralProblem& problem, const DistributedSolution& how,
                                          Summary& summary, const RunContext& context) const;

    RankGroup ranks_;
};

}  // namespace isogon
