#include "methods/spectral/distributed_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "graph/affinities.hpp"
#include "graph/barycentric_weights.hpp"
#include "graph/laplacian.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "linalg/sparse_algebra.hpp"
#include "methods/spectral.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/graphs.hpp"
#include "support/thread_communicator.hpp"

namespace isogon::distributed_steps_test {
namespace {

using support::ThreadCommunicator;

/// Ranks that put together what they have, and solve the whole by themselves, as one process does: what comes out then
/// has the bits of one process, unless something got lost on the way.
class WholeOnEveryRank final : public SpectralRanks {
public:
    explicit WholeOnEveryRank(const RankGroup& ranks) : ranks_(ranks) {}

    [[nodiscard]] RankGroup group() const override { return ranks_; }
    [[nodiscard]] std::string_view solver() const override { return "each"; }
    void together(const std::function<void()>& body) const override { body(); }

    [[nodiscard]] SpectralSolution laplacian(const OwnNeighbors& own, const LaplacianOptions& options,
                                             const DistributedSolution& how, Summary& /*summary*/,
                                             const RunContext& context) const override {
        CsrMatrix<double> weights = symmetric_graph(whole(own.lists, own.points.count));
        const double sigma =
            options.sigma ? *options.sigma : default_sigma(weights, static_cast<Index>(options.neighbors));
        weights = gaussian_affinities(std::move(weights), sigma);
        SpectralProblem problem{.end = SpectrumEnd::Smallest, .deflates_constant = true};
        problem.b = degrees(weights);
        problem.a = laplacian_spectral_matrix(std::move(weights), problem.b);
        return solved(problem, own.points.count, how, context);
    }

    [[nodiscard]] SpectralSolution lle(const OwnNeighbors& own, const DistributedSolution& how, Summary& /*summary*/,
                                       const RunContext& context) const override {
        SpectralProblem problem{.end = SpectrumEnd::Smallest, .deflates_constant = true};
        problem.a = normal_spectral_matrix(
            identity_minus(barycentric_weights(own.points, whole(own.lists, own.points.count), usual_ridge)));
        return solved(problem, own.points.count, how, context);
    }

private:
    template <class Item>
    [[nodiscard]] std::vector<Item> whole(const std::vector<Item>& own, Index rows, std::size_t items) const {
        std::vector<Item> all(rows * items);
        std::copy(own.begin(), own.end(),
                  all.begin() + static_cast<std::ptrdiff_t>(own_rows(rows, this).begin * items));
        ranks_.all_gather_parts(rows, items * sizeof(Item), std::as_writable_bytes(std::span(all)));
        return all;
    }

    [[nodiscard]] NeighborLists whole(const NeighborLists& own, Index points) const {
        EXPECT_EQ(own.indices.size(), own_rows(points, this).size() * own.size);
        return {own.size, whole(own.indices, points, own.size), whole(own.distances, points, own.size)};
    }

    [[nodiscard]] CsrMatrix<double> whole(const CsrMatrix<double>& own, Index points) const {
        const auto items = static_cast<std::size_t>(own.offsets.at(1));  // each row has so many
        CsrMatrix<double> all{.rows = points, .columns = own.columns};
        all.indices = whole(own.indices, points, items);
        all.values = whole(own.values, points, items);
        for (std::size_t end = items; end <= all.indices.size(); end += items) {
            all.offsets.push_back(end);
        }
        return all;
    }

    [[nodiscard]] SpectralSolution solved(const SpectralProblem& problem, Index points, const DistributedSolution& how,
                                          const RunContext& context) const {
        SpectralSolution solution =
            how.own_weights == nullptr
                ? solve_exactly(problem, how.eigen, context)
                : solve_on_landmarks(problem, whole(*how.own_weights, points), how.eigen, context);
        const Range rows = own_rows(points, this);
        MultiVector<double> own(static_cast<Index>(rows.size()), solution.coordinates.columns());
        std::copy_n(solution.coordinates.row(rows.begin), own.values().size(), own.values().begin());
        solution.coordinates = std::move(own);
        return solution;
    }

    RankGroup ranks_;
};

using Fit = std::function<Embedding(const FitExtras&)>;

/// The results of all ranks.
std::vector<Embedding> by_ranks(std::size_t ranks, const Fit& fit, const NeighborLists* lists = nullptr) {
    std::vector<Embedding> results(ranks);
    ThreadCommunicator::run(ranks, [&](const Communicator& communicator) {
        const WholeOnEveryRank all{RankGroup(communicator)};
        const NeighborLists own = lists == nullptr ? NeighborLists() : rows_of(*lists, own_rows(lists->count(), &all));
        results[communicator.rank()] = fit({.neighbors = lists == nullptr ? nullptr : &own, .ranks = &all});
    });
    return results;
}

void expect_equal(const Points& own, const Points& expected) {
    EXPECT_EQ(own.count(), expected.count());
    EXPECT_TRUE(std::ranges::equal(own.values(), expected.values()));
}

void expect_alike(const Fit& fit, const NeighborLists* lists = nullptr) {
    const Embedding alone = fit({.neighbors = lists});
    for (const std::size_t ranks : {1U, 2U, 3U}) {
        for (const Embedding& own : by_ranks(ranks, fit, lists)) {
            expect_equal(own.coordinates, alone.coordinates);
            expect_equal(own.barycentric_map->coordinates, alone.barycentric_map->coordinates);
            EXPECT_EQ(own.barycentric_map->landmarks, alone.barycentric_map->landmarks);
            EXPECT_EQ(own.barycentric_map->neighbors, alone.barycentric_map->neighbors);
            EXPECT_EQ(own.options, alone.options);
            EXPECT_EQ(own.summary.value("ranks"), static_cast<double>(ranks));
            EXPECT_EQ(own.summary.value("residual"), alone.summary.value("residual"));
        }
    }
}

TEST(SpectralDivision, RanksGiveWhatOneProcessGives) {
    const Points points = reference::random_points(205, 4, 1);  // not to be divided by 2 or 3
    const LandmarkOptions landmarks{.landmarks = 60, .neighbors = 5};
    for (const LandmarkOptions* some : {static_cast<const LandmarkOptions*>(nullptr), &landmarks}) {
        expect_alike([&](const FitExtras& extras) {
            return laplacian_eigenmaps(points.view(),
                                       {.dimension = 3, .neighbors = 10, .components = ComponentPolicy::Error}, {},
                                       extras, some);
        });
        expect_alike([&](const FitExtras& extras) {
            return locally_linear_embedding(points.view(),
                                            {.dimension = 3, .neighbors = 10, .components = ComponentPolicy::Error}, {},
                                            extras, some);
        });
    }
}

TEST(SpectralDivision, PointsMayComeInAnyUnit) {
    const Points points = reference::scaled(reference::random_points(100, 4, 2), 0x1p60F);
    expect_alike([&](const FitExtras& extras) {
        return laplacian_eigenmaps(points.view(),
                                   {.dimension = 2, .sigma = 0x1p60, .components = ComponentPolicy::Error}, {}, extras);
    });
}

TEST(SpectralDivision, OwnRowsAreWorkedOnWithoutAskingOtherRanks) {
    // With many points one rank has more blocks of own rows than another: each question within them would have no
    // answer.
    const Points points = reference::random_points(100, 4, 7);
    const LandmarkOptions landmarks{.landmarks = 40, .neighbors = 5};
    for (const LandmarkOptions* some : {static_cast<const LandmarkOptions*>(nullptr), &landmarks}) {
        ThreadCommunicator::run(2, [&](const Communicator& communicator) {
            const WholeOnEveryRank all{RankGroup(communicator)};
            int questions = 0;
            RunContext context{.threads = 1};
            context.agree_on_stop = [&](std::optional<Termination> own) {
                ++questions;
                return own;
            };
            (void)laplacian_eigenmaps(points.view(), {.dimension = 2, .neighbors = 8}, context, {.ranks = &all}, some);
            (void)locally_linear_embedding(points.view(), {.dimension = 2, .neighbors = 8}, context, {.ranks = &all},
                                           some);
            EXPECT_EQ(questions, 0);
        });
    }
}

TEST(SpectralDivision, AStopEndsTheFitOnAllRanks) {
    const Points points = reference::random_points(100, 4, 8);
    ThreadCommunicator::run(2, [&](const Communicator& communicator) {
        const WholeOnEveryRank all{RankGroup(communicator)};
        RunContext context = RankGroup(communicator).agreeing({.threads = 1});
        context.limit_seconds(0.0);
        const Embedding result = laplacian_eigenmaps(points.view(), {.dimension = 2}, context, {.ranks = &all});
        EXPECT_EQ(result.summary.termination, Termination::TimeLimit);
        EXPECT_EQ(result.coordinates.count(), 0U);
    });
}

TEST(SpectralDivision, EveryRankBringsTheListsOfItsOwnPoints) {
    const Points points = reference::random_points(100, 4, 3);
    NeighborLists lists = exact_neighbors(points.view(), 12, Metric::Euclidean);
    const auto fit = [&](const FitExtras& extras) {
        return laplacian_eigenmaps(points.view(),
                                   {.dimension = 2, .neighbors = 9, .components = ComponentPolicy::Error}, {}, extras);
    };
    expect_alike(fit, &lists);
    lists.distances.clear();  // then they are measured, of own points
    expect_alike(fit, &lists);
}

/// The message of a fit by two ranks about a mistake.
std::string refusal(const std::function<void(const FitExtras&)>& fit) {
    std::vector<std::string> said(2);
    ThreadCommunicator::run(2, [&](const Communicator& communicator) {
        const WholeOnEveryRank all{RankGroup(communicator)};
        try {
            fit({.ranks = &all});
        } catch (const Error& error) {
            said[communicator.rank()] = error.what();
        }
    });
    EXPECT_EQ(said[0], said[1]);
    return said[0];
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' in: " << text;
    }
}

TEST(SpectralDivision, WhatRanksHaveNoWayForIsRefusedByName) {
    const Points points = reference::random_points(60, 4, 4);
    const auto laplacian = [&](const LaplacianOptions& options, const LandmarkOptions* landmarks) {
        return refusal(
            [&](const FitExtras& extras) { (void)laplacian_eigenmaps(points.view(), options, {}, extras, landmarks); });
    };
    expect_words(laplacian({.dimension = 2, .affinity = AffinityKind::Perplexity}, nullptr),
                 {"kernel", "perplexity", "gaussian", "without mpirun"});
    expect_words(laplacian({.dimension = 2, .components = ComponentPolicy::Bridge}, nullptr),
                 {"components", "bridge", "without mpirun"});
    const LandmarkOptions nystrom{.landmarks = 30, .extension = LandmarkExtension::Nystrom};
    expect_words(laplacian({.dimension = 2}, &nystrom), {"extension", "nystrom", "lll", "without mpirun"});
    expect_words(refusal([&](const FitExtras& extras) {
                     (void)locally_linear_embedding(
                         points.view(), {.dimension = 2, .components = ComponentPolicy::Separate}, {}, extras);
                 }),
                 {"components", "separate", "without mpirun"});
}

TEST(SpectralDivision, ARankWithOtherPointsIsNamed) {
    const Points points = reference::random_points(60, 4, 5);
    const Points other = reference::random_points(60, 4, 6);
    expect_words(refusal([&](const FitExtras& extras) {
                     const Points& own = extras.ranks->group().rank() == 1 ? other : points;
                     (void)locally_linear_embedding(own.view(), {.dimension = 2}, {}, extras);
                 }),
                 {"rank 1", "other points"});
}

}  // namespace
}  // namespace isogon::distributed_steps_test
