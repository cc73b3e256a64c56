#include "graph/affinities.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "graph/calibrated_affinities.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/messages.hpp"

namespace isogon::affinities_test {
namespace {

using reference::graph_of;
using reference::on_threads;
using reference::path_graph;
using support::says;

/// Calls check(i, j, distance, weight) for all entries of two matrices that must have the same.
void compare(const CsrMatrix<double>& graph, const CsrMatrix<double>& weights,
             const std::function<void(Index, Index, double, double)>& check) {
    ASSERT_EQ(graph.offsets, weights.offsets);
    ASSERT_EQ(graph.indices, weights.indices);
    for (Index i = 0; i < graph.rows; ++i) {
        for (std::size_t k = 0; k < graph.row_indices(i).size(); ++k) {
            check(i, graph.row_indices(i)[k], graph.row_values(i)[k], weights.row_values(i)[k]);
        }
    }
}

double scale(const CsrMatrix<double>& graph, Index i, std::size_t neighbor) {
    std::vector<double> sorted(graph.row_values(i).begin(), graph.row_values(i).end());
    std::sort(sorted.begin(), sorted.end());
    return sorted[std::min(neighbor, sorted.size()) - 1];
}

TEST(Affinities, AreThoseOfTheirFormulas) {
    const CsrMatrix<double> graph = graph_of(reference::random_points(60, 3, 1), 6);
    compare(graph, connectivity(graph), [](Index, Index, double, double w) { EXPECT_EQ(w, 1.0); });
    compare(graph, gaussian_affinities(graph, 0.7),
            [](Index, Index, double d, double w) { EXPECT_NEAR(w, std::exp(-d * d / 0.49), 1e-15); });
    const CsrMatrix<double> tuned = self_tuning_affinities(graph, 4);
    require_graph(tuned);
    compare(graph, tuned, [&](Index i, Index j, double d, double w) {
        EXPECT_NEAR(w, std::exp(-d * d / (scale(graph, i, 4) * scale(graph, j, 4))), 1e-14);
    });
}

TEST(Affinities, OfTunedScalesDoNotDependOnTheUnit) {
    const CsrMatrix<double> graph = graph_of(reference::random_points(60, 3, 1), 6);
    CsrMatrix<double> larger = graph;
    for (double& value : larger.values) {
        value *= 1024.0;
    }
    EXPECT_EQ(self_tuning_affinities(graph, 7).values, self_tuning_affinities(larger, 7).values);
    EXPECT_EQ(gaussian_affinities(graph, default_sigma(graph, 6)).values,
              gaussian_affinities(larger, default_sigma(larger, 6)).values);
}

TEST(Affinities, OfDuplicatesAreOne) {
    const CsrMatrix<double> equal = graph_of(reference::equal_points(9, 2), 3);
    EXPECT_EQ(self_tuning_affinities(equal, 2).values, std::vector<double>(equal.entries(), 1.0));
    EXPECT_EQ(gaussian_affinities(equal, 1e-300).values, std::vector<double>(equal.entries(), 1.0));
    EXPECT_EQ(default_sigma(equal, 2), 1.0);
    const CsrMatrix<double> mixed = graph_of(reference::whole_points(60, 2, 3, 5), 8);
    const CsrMatrix<double> tuned = self_tuning_affinities(mixed, 1);
    require_graph(tuned);
    compare(mixed, tuned, [](Index, Index, double d, double w) { EXPECT_EQ(w == 1.0, d == 0.0); });
}

TEST(Affinities, SigmaComesFromPartsAsFromTheWhole) {
    const CsrMatrix<double> graph = graph_of(reference::awkward_points(90, 3, 2), 5);
    const std::vector<double> distances = neighbor_distances(graph, 4);
    for (Index i = 0; i < graph.rows; ++i) {
        if (distances[i] > 0.0 && scale(graph, i, 4) > 0.0) {
            EXPECT_EQ(distances[i], scale(graph, i, 4)) << i;
        }
    }
    EXPECT_EQ(default_sigma(distances, smallest_sigma(graph)), default_sigma(graph, 4));
    EXPECT_EQ(default_sigma({0.0, 5.0, 0.0, 3.0, 4.0}, 0.0), 4.0);
    EXPECT_GT(default_sigma({1.0, 1.0}, 7.0), 7.0);
    EXPECT_EQ(default_sigma({0.0}, 0.0), 1.0);
    EXPECT_THROW((void)neighbor_distances(graph, 0), InvalidArgument);
}

TEST(Affinities, LeaveIsolatedPointsUnchanged) {
    const CsrMatrix<double> graph{
        .rows = 3, .columns = 3, .offsets = {0, 1, 1, 2}, .indices = {2, 0}, .values = {2, 2}};
    EXPECT_EQ(gaussian_affinities(graph, 2.0).values, std::vector<double>(2, std::exp(-1.0)));
    EXPECT_EQ(self_tuning_affinities(graph, 7).values, std::vector<double>(2, std::exp(-1.0)));
    EXPECT_EQ(default_sigma(graph, 3), 2.0);
    EXPECT_TRUE(connectivity({}).values.empty());
}

TEST(Affinities, SayWhichRowWouldVanishAndWhatServes) {
    // Distances 1, 1, 1, 50: the last point is far from all others.
    const CsrMatrix<double> graph = path_graph({1.0, 1.0, 1.0, 50.0});
    EXPECT_NEAR(smallest_sigma(graph), 50.0 / std::sqrt(std::log(1e8)), 1e-12);
    EXPECT_NO_THROW((void)gaussian_affinities(graph, default_sigma(graph, 2)));
    EXPECT_NO_THROW((void)gaussian_affinities(graph, 1.0001 * smallest_sigma(graph)));
    try {
        (void)gaussian_affinities(graph, 1.0);
        FAIL() << "no exception";
    } catch (const InvalidArgument& error) {
        const std::string message = error.what();
        EXPECT_EQ(error.field(), "sigma");
        EXPECT_TRUE(says(message, "row 4 "));
        EXPECT_TRUE(says(message, "at 50; use at least 11.8"));
    }
    // Tuned to the nearest, point 1 weighs its far neighbour by (10^4)^2 / 1 10^4.
    EXPECT_THROW((void)self_tuning_affinities(path_graph({1.0, 1e4}), 1), InvalidArgument);
    EXPECT_NO_THROW((void)self_tuning_affinities(path_graph({1.0, 1e4}), 2));
}

TEST(Affinities, RefuseWhatCannotBe) {
    const CsrMatrix<double> graph = path_graph({1.0, 2.0});
    for (const double sigma : {0.0, -1.0, double{NAN}, double{INFINITY}}) {
        EXPECT_THROW((void)gaussian_affinities(graph, sigma), InvalidArgument);
    }
    EXPECT_THROW((void)self_tuning_affinities(graph, 0), InvalidArgument);
    EXPECT_THROW((void)default_sigma(graph, 0), InvalidArgument);
    CsrMatrix<double> bad = graph;
    bad.values[0] = 5.0;
    EXPECT_THROW((void)gaussian_affinities(bad, 1.0), InvalidArgument);
    EXPECT_THROW((void)connectivity(bad), InvalidArgument);
    EXPECT_THROW((void)self_tuning_affinities(bad, 1), InvalidArgument);
    const RunContext stopped = reference::cancelled();
    EXPECT_THROW((void)gaussian_affinities(graph, 1.0, stopped), Interruption);
}

TEST(Affinities, DoNotDependOnThreads) {
    const CsrMatrix<double> graph = graph_of(reference::random_points(2500, 2, 1), 3);
    EXPECT_EQ(self_tuning_affinities(graph, 3, on_threads(1)).values,
              self_tuning_affinities(graph, 3, on_threads(3)).values);
}

// 0 2 0 1
// 2 0 3 0
// 0 3 0 0
// 1 0 0 0
CsrMatrix<double> sample() {
    return {.rows = 4,
            .columns = 4,
            .offsets = {0, 2, 4, 5, 6},
            .indices = {1, 3, 0, 2, 1, 0},
            .values = {2, 1, 2, 3, 3, 1}};
}

/// The message on a sample with that change.
template <class Change>
std::string refusal(const Change& change) {
    CsrMatrix<double> weights = sample();
    change(weights);
    return support::message_of<InputError>([&] { require_affinities(weights, 4, "w.mtx"); });
}

void remove(CsrMatrix<double>& weights, Index row, std::size_t place) {
    weights.indices.erase(weights.indices.begin() + static_cast<std::ptrdiff_t>(place));
    weights.values.erase(weights.values.begin() + static_cast<std::ptrdiff_t>(place));
    for (std::size_t i = row + 1; i < weights.offsets.size(); ++i) {
        --weights.offsets[i];
    }
}

TEST(GivenAffinities, WhatIsMadeHerePasses) {
    EXPECT_NO_THROW(require_affinities(sample(), 4, "w.mtx"));
    const NeighborLists lists = reference::euclidean_lists(reference::random_points(300, 3, 1), 7);
    EXPECT_NO_THROW(require_affinities(fuzzy_affinities(lists), 300, "fuzzy"));
    EXPECT_NO_THROW(require_affinities(widen(joint_probabilities(lists, 2.0)), 300, "shares"));
}

TEST(GivenAffinities, TheFirstEntryWithoutItsLikeIsNamed) {
    EXPECT_TRUE(says(refusal([](auto& weights) { weights.values[3] = 2.5; }),
                     "w.mtx, row 1, column 2 (counted from 0): is 2.5, but row 2, column 1 is 3"));
    // Where a single entry is missing, the message names its place.
    for (std::size_t place = 0; place < 6; ++place) {
        const CsrMatrix<double> whole = sample();
        Index row = 0;
        while (whole.offsets[row + 1] <= place) {
            ++row;
        }
        const std::string said = refusal([&](auto& weights) { remove(weights, row, place); });
        const std::string like = "row " + std::to_string(whole.indices[place]) + ", column " + std::to_string(row);
        EXPECT_TRUE(says(said, like + " (counted"));
        EXPECT_TRUE(says(said, "is not there"));
    }
}

TEST(GivenAffinities, WhatIsNoWeightIsRefused) {
    EXPECT_TRUE(says(refusal([](auto& weights) { weights.values[0] = weights.values[2] = -2.0; }), "row 0, column 1"));
    EXPECT_TRUE(says(refusal([](auto& weights) { weights.values[0] = weights.values[2] = 1e101; }), "1e100"));
    EXPECT_TRUE(says(refusal([](auto& weights) { weights.values.assign(6, 1e-101); }), "1e-100"));
    EXPECT_TRUE(
        says(refusal([](auto& weights) { weights.indices[1] = 3, weights.indices[5] = 3; }), "row 3, column 3"));
    CsrMatrix<double> weights = sample();
    weights.values[1] = std::nan("");
    EXPECT_THROW(require_affinities(weights, 4, "w.mtx"), InvalidArgument);
    weights = sample();
    weights.indices[4] = 4;
    EXPECT_THROW(require_affinities(weights, 4, "w.mtx"), InvalidArgument);
}

TEST(GivenAffinities, EveryPointMustBeHeld) {
    const std::string said = refusal([](auto& weights) { weights.values[1] = weights.values[5] = 0.0; });
    EXPECT_TRUE(says(said, "row 3"));
    EXPECT_TRUE(says(said, "1 such rows"));
    EXPECT_THROW(require_affinities({.rows = 2, .columns = 2, .offsets = {0, 0, 0}}, 2, "w"), InputError);
}

TEST(GivenAffinities, ThereIsARowAndAColumnForEveryPoint) {
    EXPECT_THROW(require_affinities(sample(), 5, "w.mtx"), InputError);
    CsrMatrix<double> wide = sample();
    wide.columns = 5;
    EXPECT_THROW(require_affinities(wide, 4, "w.mtx"), InputError);
}

TEST(GivenAffinities, SharesSumToOneWhateverTheUnit) {
    const CsrMatrix<double> weights = sample();
    for (const double unit : {1e-100, 1e-9, 1.0, 1e99}) {
        CsrMatrix<double> scaled = weights;
        for (double& value : scaled.values) {
            value *= unit;
        }
        const CsrMatrix<float> shares = shares_of(scaled);
        for (std::size_t e = 0; e < 6; ++e) {
            EXPECT_FLOAT_EQ(shares.values[e], static_cast<float>(weights.values[e] / 12.0));
        }
    }
}

TEST(GivenAffinities, SharesThatWereKeptComeBackBitForBit) {
    const CsrMatrix<float> shares =
        joint_probabilities(reference::euclidean_lists(reference::random_points(200, 3, 2), 9), 3.0);
    EXPECT_EQ(shares_of(widen(shares)).values, shares.values);
}

TEST(WithoutDiagonal, LeavesAllElse) {
    const CsrMatrix<double> with{.rows = 3,
                                 .columns = 3,
                                 .offsets = {0, 2, 5, 6},
                                 .indices = {0, 1, 0, 1, 2, 1},
                                 .values = {9.0, 1.0, 1.0, 8.0, 2.0, 2.0}};
    const CsrMatrix<double> without = without_diagonal(with);
    EXPECT_EQ(without.offsets, (std::vector<Offset>{0, 1, 3, 4}));
    EXPECT_EQ(without.indices, (std::vector<Index>{1, 0, 2, 1}));
    EXPECT_EQ(without.values, (std::vector<double>{1.0, 1.0, 2.0, 2.0}));
    EXPECT_NO_THROW(require_affinities(without, 3, "w"));
    EXPECT_EQ(without_diagonal(without).values, without.values);
    EXPECT_THROW((void)without_diagonal({.rows = 2, .columns = 2, .offsets = {0, 1}}), InvalidArgument);
}

}  // namespace
}  // namespace isogon::affinities_test
