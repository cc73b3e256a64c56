#pragma once
#include <algorithm>
#include <vector>

#include "core/power_of_two_scaling.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/points.hpp"
#include "methods/spectral/spectral_family.hpp"
#include "methods/spectral/spectral_neighbors.hpp"

namespace isogon {

/// A method whose problem is made of neighbour lists alone: LLE and Laplacian eigenmaps.
template <class Options>
class NeighborListFamily : public SpectralFamily {
public:
    /// The options must outlive this.
    NeighborListFamily(const PowerOfTwoScaling& input, const Options& options, const FitExtras& extras)
        : x_(input.points()),
          options_(options),
          wanted_{.neighbors = options.neighbors,
                  .metric = options.metric,
                  .seed = options.seed,
                  .given = extras.neighbors,
                  .unit = input.unit(),
                  .shared = extras.shared,
                  .ranks = extras.ranks} {}

    /// Exact, or on landmarks; by one process, or by ranks.
    [[nodiscard]] SpectralRun run(const LandmarkOptions* landmarks, const FitExtras& extras) const {
        SpectralRun run = spectral_graph_run(x_, options_, landmarks, extras);
        run.eigen_solver = extras.eigen_solver;
        run.ranks = extras.ranks;
        return run;
    }

    [[nodiscard]] SpectralProblem whole(Summary& summary, const RunContext& context) override {
        return problem_of(x_, neighbors_of(x_, wanted_, summary, context), summary, context);
    }

    [[nodiscard]] SpectralProblem among(const std::vector<Index>& landmarks, Summary& summary,
                                        const RunContext& context) override {
        landmarks_ = read_rows(ViewRows(x_), landmarks);
        const PointsView points = landmarks_.view();
        return problem_of(points, neighbors_among(points, wanted_, summary, context), summary, context);
    }

    /// For a graph in which everyone lists each other; where few do, there are up to twice as many edges.
    [[nodiscard]] ProblemBytes bytes() const override {
        const Index neighbors = std::min(static_cast<Index>(options_.neighbors), x_.count);
        const std::uint64_t entries = std::uint64_t{x_.count} * (std::uint64_t{neighbors} + 1);
        return {symmetric_graph_bytes(x_.count, neighbors), matrices() * entries * (sizeof(Index) + sizeof(double))};
    }

    [[nodiscard]] std::vector<Index> kept() const override { return kept_; }

protected:
    /// The problem of these points, all or the landmarks. Sets kept_ where the component policy leaves points out.
    [[nodiscard]] virtual SpectralProblem problem_of(const PointsView& points, NeighborLists lists, Summary& summary,
                                                     const RunContext& context) = 0;

    /// How many matrices with an entry for every neighbour are there while the problem is solved.
    [[nodiscard]] virtual std::uint64_t matrices() const = 0;

    /// The neighbour lists of this rank's own rows, found by all ranks together.
    [[nodiscard]] NeighborLists own_lists(const SpectralRanks& ranks, Summary& summary, const RunContext& context) {
        NeighborLists own;
        ranks.together([&] { own = neighbors_of(x_, wanted_, summary, context); });
        return own;
    }

    PointsView x_;
    const Options& options_;
    NeighborsWanted wanted_;
    Points landmarks_{};  ///< once they are known
    std::vector<Index> kept_{};
};

}  // namespace isogon
