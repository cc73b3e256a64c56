#pragma once
#include "divided_spectral.hpp"
#include "isogon/methods/spectral_ranks.hpp"

namespace isogon {

/// The ranks of a team as methods know them (FitExtras::ranks): divided_laplacian() and divided_lle(), solve_exactly()
/// and solve_on_landmarks(). Between the beginning and the end of a PetscSession; the team must outlive it.
class PetscSpectralRanks final : public SpectralRanks {
public:
    explicit PetscSpectralRanks(const Team& team) : team_(team) {}

    [[nodiscard]] const Team& team() const override { return team_; }
    [[nodiscard]] std::string_view solver() const override { return "SLEPc"; }
    void together(const std::function<void()>& body) const override;
    [[nodiscard]] SpectralSolution laplacian(const NeighborLists& own_lists, Index points,
                                             const LaplacianOptions& options, const DividedSolution& how,
                                             Summary& summary, const RunContext& context) const override;
    [[nodiscard]] SpectralSolution lle(const PointsView& points, const NeighborLists& own_lists,
                                       const LleOptions& options, const DividedSolution& how, Summary& summary,
                                       const RunContext& context) const override;

private:
    [[nodiscard]] SpectralSolution solved(const DividedSpectralProblem& problem, const DividedSolution& how,
                                          Summary& summary, const RunContext& context) const;

    const Team& team_;
};

}  // namespace isogon
