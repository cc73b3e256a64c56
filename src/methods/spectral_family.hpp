#pragma once
#include <optional>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/power_of_two_scaling.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/spectral_ranks.hpp"
#include "isogon/spectral/spectral_problem.hpp"

namespace isogon {

/// Bytes that the problem of all points takes at least, as far as its sizes tell beforehand.
struct ProblemBytes {
    std::uint64_t made = 0;  ///< what its largest step takes
    std::uint64_t held = 0;  ///< what is there while it is solved
};

/// A spectral method with its options, over given points: what the ways to solve it, exact and on landmarks, need to
/// know of it. Steps add their seconds, counts and warnings to the summary.
class SpectralFamily {
public:
    SpectralFamily() = default;
    SpectralFamily(const SpectralFamily&) = delete;
    SpectralFamily& operator=(const SpectralFamily&) = delete;
    virtual ~SpectralFamily() = default;

    /// The problem of all points, or of those that kept() lists.
    [[nodiscard]] virtual SpectralProblem whole(Summary& summary, const RunContext& context) = 0;
    /// The problem of the landmarks alone, as if there were no others.
    [[nodiscard]] virtual SpectralProblem among(const std::vector<Index>& landmarks, Summary& summary,
                                                const RunContext& context) = 0;
    /// From the solution among landmarks to all points by the Nystrom formula, landmarks included.
    [[nodiscard]] virtual WideVectors nystrom(const std::vector<Index>& landmarks, const SpectralSolution& solution,
                                              Summary& summary, const RunContext& context) = 0;
    /// Throws InvalidArgument with the reason where there is no such formula.
    virtual void require_nystrom() const {}
    /// Of whole().
    [[nodiscard]] virtual ProblemBytes bytes() const { return {}; }
    /// The problem of all points made and solved over ranks; own rows of coordinates. Throws InvalidArgument where
    /// there is no such way.
    [[nodiscard]] virtual SpectralSolution by_ranks(const SpectralRanks& ranks, const DistributedSolution& how,
                                                    Summary& summary, const RunContext& context);
    /// Rows that whole() is about, ascending, where it leaves some out; known after it.
    [[nodiscard]] virtual std::vector<Index> kept() const { return {}; }
};

/// What all spectral methods are asked.
struct SpectralRun {
    PointsView points;
    Index dimension = 1;
    double tolerance = 1e-8;
    int iterations = 300;
    std::uint64_t seed = 0;
    Index neighbors = 0;                         ///< of which new points become mixtures, after an exact fit
    Metric metric = Metric::Euclidean;           ///< in which landmarks are near
    Index other_end = 0;                         ///< eigenvalues of the other end that are told as well
    const LandmarkOptions* landmarks = nullptr;  ///< null: exact
    bool measures_mixtures = false;              ///< tells how far mixtures of landmarks are from their points
    SharedSteps* shared = nullptr;               ///< what other fits of the points have done already; null: nothing
    const EigenSolver* eigen_solver = nullptr;   ///< of large problems; null: the library's own
    const SpectralRanks* ranks = nullptr;        ///< which make and solve the problem together; null: this process
};

/// Coordinates by a method of the family. The options are left to the caller. What it takes is stated before work
/// starts, as far as it is known then, and by each step again. Throws as the steps do; an interruption before there is
/// anything to give ends in the summary.
[[nodiscard]] Embedding embed_spectrally(SpectralFamily& family, const SpectralRun& run, const RunContext& context);

/// Coordinates that are as long as inputs are, and eigenvalues, their squares, back from the unit in which they were
/// computed.
void restore_lengths(const PowerOfTwoScaling& unit, Embedding& result);

/// Throws InvalidArgument for an extension that spectral methods do not have, and numbers out of bounds.
void require_spectral_landmarks(const LandmarkOptions& options, Index points, Index dimension);

}  // namespace isogon
