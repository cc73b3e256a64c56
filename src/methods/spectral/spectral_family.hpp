#pragma once
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/method.hpp"
#include "methods/spectral/spectral_neighbors.hpp"
#include "methods/spectral_ranks.hpp"
#include "spectral/spectral_problem.hpp"

namespace isogon {

/// Bytes that the problem of all points takes at least, as far as its sizes tell beforehand.
struct ProblemBytes {
    std::uint64_t made = 0;  ///< bytes of its largest step
    std::uint64_t held = 0;  ///< bytes held while it is solved
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
    /// Extends the solution among landmarks to all points by the Nystrom formula, landmarks included.
    [[nodiscard]] virtual MultiVector<double> nystrom(const std::vector<Index>& landmarks,
                                                      const SpectralSolution& solution, Summary& summary,
                                                      const RunContext& context) = 0;
    /// Throws InvalidArgument with the reason where there is no such formula.
    virtual void require_nystrom() const {}
    /// Bytes of the problem of whole().
    [[nodiscard]] virtual ProblemBytes bytes() const { return {}; }
    /// The problem of all points made and solved over ranks; own rows of coordinates. Throws InvalidArgument where
    /// there is no such way.
    [[nodiscard]] virtual SpectralSolution by_ranks(const SpectralRanks& ranks, const DistributedSolution& how,
                                                    Summary& summary, const RunContext& context);
    /// Rows that whole() is about, ascending, where it leaves some out; known after it.
    [[nodiscard]] virtual std::vector<Index> kept() const { return {}; }
};

/// The parameters that every spectral method has in common.
struct SpectralRun {
    PointsView points;
    Index dimension = 1;
    double tolerance = 1e-8;
    int iterations = 300;
    std::uint64_t seed = 0;
    Index neighbors = 0;                         ///< neighbours of which new points become mixtures, after an exact fit
    Metric metric = Metric::Euclidean;           ///< in which landmarks are near
    Index other_end = 0;                         ///< eigenvalues of the other end that are reported as well
    const LandmarkOptions* landmarks = nullptr;  ///< null: exact
    bool measures_mixtures = false;              ///< tells how far mixtures of landmarks are from their points
    SharedSteps* shared = nullptr;               ///< results of other fits of the points; null: none
    const EigenSolver* eigen_solver = nullptr;   ///< solver of large problems; null: the library's own
    const SpectralRanks* ranks = nullptr;        ///< ranks that make and solve the problem together; null: this process
};

/// The parameters that the options of every spectral method hold under the same names.
template <class Options>
SpectralRun spectral_run(const PointsView& points, const Options& options, const LandmarkOptions* landmarks,
                         const FitExtras& extras) {
    return {.points = points,
            .dimension = static_cast<Index>(options.dimension),
            .tolerance = options.tolerance,
            .iterations = options.iterations,
            .seed = options.seed,
            .landmarks = landmarks,
            .shared = extras.shared};
}

/// The same for methods on a graph of neighbours, whose metric and size also determine the mixtures of new points.
template <class Options>
SpectralRun spectral_graph_run(const PointsView& points, const Options& options, const LandmarkOptions* landmarks,
                               const FitExtras& extras) {
    SpectralRun run = spectral_run(points, options, landmarks, extras);
    run.neighbors = static_cast<Index>(options.neighbors);
    run.metric = options.metric;
    return run;
}

/// The option table of a spectral method, ended by what all say of the eigensolver. `product` is lambda B x as the
/// method has it; `seeded`: what the seed is of besides the solver's start.
template <class Options>
[[nodiscard]] OptionTable<Options> with_eigensolver_options(OptionTable<Options> table, const std::string& product,
                                                            const std::string& seeded) {
    return table
        .number("tolerance", &Options::tolerance, {.minimum = 0.0, .maximum = 1.0},
                "eigenvectors are good enough when |A x - " + product + "| is so much smaller than |" + product + "|")
        .integer("iterations", &Options::iterations, {.minimum = 1}, "of the eigensolver, at most")
        .integer("seed", &Options::seed, {.minimum = 0}, "of the eigensolver's start" + seeded);
}

/// Coordinates by a method of the family. The options are left to the caller. What it takes is stated before work
/// starts, as far as it is known then, and by each step again. Throws as the steps do; an interruption before there is
/// anything to give ends in the summary.
[[nodiscard]] Embedding embed_spectrally(SpectralFamily& family, const SpectralRun& run, const RunContext& context);

}  // namespace isogon
