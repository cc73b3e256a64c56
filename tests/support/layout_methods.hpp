#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "reference/graphs.hpp"
#include "support/embeddings.hpp"
#include "support/heaps.hpp"

/// Checks that tests of methods by attraction and repulsion share; a `fit` is as in embeddings.hpp.
namespace isogon::support {

/// Whole numbers, and the same shifted, which changes no digit of their differences.
inline std::pair<Points, Points> points_and_shifted() {
    std::pair<Points, Points> both;
    both.first = reference::whole_points(100, 6, 30, 1);
    both.second = both.first;
    for (float& value : both.second.values()) {
        value += 64.0F;
    }
    return both;
}

/// The given neighbour lists of heaps are used: most nearest outputs are of the same heap; too short lists are refused.
template <class Fit, class FitOfMore>
void expect_given_neighbors(const Points& points, std::uint32_t size, double share, const Fit& fit,
                            const FitOfMore& fit_of_more) {
    const NeighborLists lists = reference::euclidean_lists(points, size);
    EXPECT_GT(share_of_nearest_of_the_same(fit(points.view(), {}, {.neighbors = &lists}).coordinates), share);
    const NeighborLists few = reference::euclidean_lists(points, 5);
    EXPECT_THROW((void)fit_of_more(points.view(), RunContext{}, FitExtras{.neighbors = &few}), InvalidArgument);
}

/// Fits, with the lists and with the weights that the fit makes for itself too, `fit_weights` without the options of
/// the graph: to the same bits, and without a search where the weights are given. Options of the graph beside weights
/// are refused.
template <class Fit, class FitOfWeights>
Embedding expect_given_steps_are_used(const Points& points, const NeighborLists& lists,
                                      const CsrMatrix<double>& weights, const Fit& fit,
                                      const FitOfWeights& fit_weights) {
    const Embedding whole = fit(points.view(), {}, {});
    EXPECT_TRUE(same_bits(whole, fit(points.view(), {}, {.neighbors = &lists})));
    const Embedding given = fit_weights(points.view(), {}, {.affinities = &weights});
    EXPECT_TRUE(same_bits(whole, given));
    EXPECT_TRUE(
        std::ranges::none_of(given.summary.seconds, [](const auto& phase) { return phase.first == "neighbors"; }));
    EXPECT_THROW((void)fit(points.view(), RunContext{}, FitExtras{.affinities = &weights}), InvalidArgument);
    return whole;
}

/// Coordinates of the right count without NaN, and a finite measure, for sets of `count` points awkward on purpose.
template <class Fit>
void expect_finite_for_awkward_points(Index count, const std::string& measure, const Fit& fit) {
    for (const Points& points : {reference::awkward_points(count, 5, count), reference::whole_points(count, 5, 1, 1)}) {
        const Embedding result = fit(points.view(), {}, {});
        ASSERT_EQ(result.coordinates.count(), count);
        ASSERT_TRUE(all_finite(result.coordinates));
        ASSERT_TRUE(std::isfinite(result.summary.value(measure)));
    }
}

}  // namespace isogon::support
