#include "transform/output_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "isogon/core/error.hpp"
#include "isogon/pairs/tile_kernel.hpp"
#include "reference/point_sets.hpp"

namespace isogon::output_graph_test {
namespace {

using reference::on_threads;

MultiVector<float> row_of(const OutputGraph& graph, Index place) {
    MultiVector<float> u(1, graph.directions().columns());
    std::copy_n(graph.directions().row(place), u.stride(), u.row(0));
    return u;
}

std::vector<Index> found_from(const OutputGraph& graph, Index place, float floor, std::vector<Index> starts,
                              Index effort) {
    OutputGraph::Scratch scratch;
    std::vector<Index> found{12345};  // what it held is replaced
    graph.find_above({row_of(graph, place).row(0), floor, effort}, starts, scratch, found);
    // A second search finds the same: nothing of the first is left in the scratch.
    std::vector<Index> again;
    graph.find_above({row_of(graph, place).row(0), floor, effort}, starts, scratch, again);
    EXPECT_EQ(found, again);
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<Index> all_above(const OutputGraph& graph, Index place, float floor) {
    std::vector<Index> all(graph.directions().rows());
    std::iota(all.begin(), all.end(), Index{0});
    std::vector<float> products(all.size());
    multiply_listed(row_of(graph, place).row(0), graph.directions(), all, products.data());
    all.erase(std::remove_if(all.begin(), all.end(), [&](Index other) { return !(products[other] > floor); }),
              all.end());
    return all;
}

TEST(OutputGraph, HoldsTheDirectionOfEveryOutputThatHasOne) {
    Points y = reference::random_points(300, 5, 1);
    std::fill(y[7].begin(), y[7].end(), 0.0F);
    const OutputGraph graph(y.view(), 10, on_threads(2));
    ASSERT_EQ(graph.directions().rows(), 299U);
    EXPECT_EQ(graph.place_of(7), OutputGraph::nowhere);
    const std::vector<double> lengths = norms(y.view());
    for (Index row = 0; row < 300; ++row) {
        if (row != 7) {
            const Index place = graph.place_of(row);
            EXPECT_EQ(graph.row_at(place), row);
            EXPECT_FLOAT_EQ(graph.directions().row(place)[2], static_cast<float>(y[row][2] / lengths[row]));
        }
    }
}

TEST(OutputGraph, HasEdgesToTheNearestAndOnlyOnceToEach) {
    const Points y = reference::random_points(400, 4, 2);
    const OutputGraph graph(y.view(), 10, on_threads(2));
    for (Index place = 0; place < 400; ++place) {
        std::vector<Index> edges(graph.edges_of(place).begin(), graph.edges_of(place).end());
        edges.erase(std::remove(edges.begin(), edges.end(), place), edges.end());
        EXPECT_GE(edges.size(), 16U);
        std::sort(edges.begin(), edges.end());
        EXPECT_EQ(std::adjacent_find(edges.begin(), edges.end()), edges.end());
        std::vector<float> products(400);
        std::vector<Index> others(400);
        std::iota(others.begin(), others.end(), Index{0});
        multiply_listed(graph.directions().row(place), graph.directions(), others, products.data());
        products[place] = -2.0F;
        const auto nearest = static_cast<Index>(std::max_element(products.begin(), products.end()) - products.begin());
        EXPECT_TRUE(std::binary_search(edges.begin(), edges.end(), nearest));
    }
}

TEST(OutputGraph, FindsNoneThatIsNotAboveAndNoneTwice) {
    for (const Index count : {1U, 2U, 3U, 47U, 500U}) {
        const Points y = reference::random_points(count, 6, count);
        const OutputGraph graph(y.view(), 3, on_threads(1));
        for (const float floor : {-2.0F, 0.0F, 0.45F, 2.0F}) {
            for (Index place = 0; place < count; place += 7) {
                const std::vector<Index> all = all_above(graph, place, floor);
                EXPECT_EQ(found_from(graph, place, floor, {}, count), all);
                const std::vector<Index> found = found_from(graph, place, floor, {place, place}, 1);
                EXPECT_TRUE(std::includes(all.begin(), all.end(), found.begin(), found.end()));
                EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
                EXPECT_EQ(found.empty(), floor >= 1.0F);
            }
        }
    }
}

TEST(OutputGraph, FindsNearlyAllFromOneThatIsNear) {
    const Points y = reference::random_points(4000, 4, 3);
    const OutputGraph graph(y.view(), 10, on_threads(2));
    ASSERT_LT(graph.effort(), 1000U);
    std::size_t found = 0;
    std::size_t all = 0;
    for (Index place = 0; place < 4000; place += 40) {
        found += found_from(graph, place, 0.95F, {graph.edges_of(place)[3]}, graph.effort()).size();
        all += all_above(graph, place, 0.95F).size();
    }
    EXPECT_GT(static_cast<double>(found), 0.97 * static_cast<double>(all));
}

/// Of 300 groups of 20 copies, nearly equal: the nearest 19 of each point are of its own group.
TEST(OutputGraph, LeadsOutOfAGroupOfCopies) {
    const Points centres = reference::random_points(300, 3, 5);
    const Points noise = reference::random_points(6000, 3, 6);
    Points y(6000, 3);
    for (Index i = 0; i < y.count(); ++i) {
        for (Index k = 0; k < 3; ++k) {
            y[i][k] = centres[i / 20][k] + 1e-5F * noise[i][k];
        }
    }
    const OutputGraph graph(y.view(), 10, on_threads(2));
    std::size_t found = 0;
    std::size_t all = 0;
    for (Index place = 0; place < 6000; place += 60) {
        found += found_from(graph, place, 0.9F, {place}, 16).size();
        all += all_above(graph, place, 0.9F).size();
    }
    EXPECT_GT(all, 100U * 100U);                                            // of five groups and more each
    EXPECT_GT(static_cast<double>(found), 0.8 * static_cast<double>(all));  // in the own group: 0.06
}

TEST(OutputGraph, LooksAtAllWhereEdgesLeadToTooLittle) {
    Points y(3000, 2);  // three groups of a thousand copies, within the margin of each other
    for (Index i = 0; i < y.count(); ++i) {
        y[i][0] = 1.0F;
        y[i][1] = 0.01F * static_cast<float>(i % 3);
    }
    const OutputGraph graph(y.view(), 10, on_threads(2));
    EXPECT_EQ(graph.effort(), 3000U);
    EXPECT_EQ(found_from(graph, 0, 0.5F, {0}, graph.effort()).size(), 3000U);
}

TEST(OutputGraph, IsTheSameOnAnyNumberOfThreadsAndFromAnArchive) {
    Points y = reference::random_points(700, 5, 4);
    std::fill(y[9].begin(), y[9].end(), 0.0F);
    const OutputGraph one(y.view(), 10, on_threads(1));
    const OutputGraph three(y.view(), 10, on_threads(3));
    Archive archive;
    one.save(archive);
    ArchiveSchema schema;
    OutputGraph::describe(schema);
    schema.require(archive, {{"n", 700}, {"d", 5}});
    const OutputGraph loaded(y.view(), archive);
    for (Index place = 0; place < 699; ++place) {
        EXPECT_EQ(one.row_at(place), three.row_at(place));
        EXPECT_EQ(one.row_at(place), loaded.row_at(place));
        EXPECT_TRUE(std::ranges::equal(one.edges_of(place), three.edges_of(place)));
        EXPECT_TRUE(std::ranges::equal(one.edges_of(place), loaded.edges_of(place)));
    }
    EXPECT_EQ(one.effort(), three.effort());
    EXPECT_EQ(one.effort(), loaded.effort());
}

/// A file may say that a point has an edge to one without a direction.
TEST(OutputGraph, TakesEdgesToOutputsOfZeroForNone) {
    Points y = reference::random_points(60, 3, 7);
    std::fill(y[9].begin(), y[9].end(), 0.0F);
    Archive archive;
    OutputGraph(y.view(), 5, on_threads(1)).save(archive);
    std::fill_n(std::get<std::vector<std::uint32_t>>(archive.arrays.at("output_edges").values).begin(), 40, 9U);
    const OutputGraph loaded(y.view(), archive);
    for (Index place = 0; place < 59; ++place) {
        for (const Index edge : loaded.edges_of(place)) {
            EXPECT_LT(edge, 59U);
        }
    }
}

TEST(OutputGraph, OfNothingIsRefused) {
    EXPECT_THROW(OutputGraph(Points(5, 3).view(), 1, {}), InputError);
    RunContext little = on_threads(1);
    little.memory_limit = 1000;
    EXPECT_THROW(OutputGraph(reference::random_points(100, 3, 1).view(), 1, little), LimitExceeded);
}

TEST(FloorAround, NoDirectionBelowItExceedsTheThresholdWithinTheMargin) {
    // In the plane: the anchor at angle 0, u at the margin's end, and another direction beyond it.
    const double margin = 2.0 * std::asin(0.025);
    for (const double threshold : {-0.999, -0.3, 0.0, 0.7, 0.99, 1.0}) {
        const double bound = std::acos(threshold) + margin;
        EXPECT_NEAR(floor_around(threshold), std::cos(std::min(bound, M_PI)), 1e-5);
        EXPECT_LE(floor_around(threshold), std::cos(std::min(bound, M_PI)));
    }
}

}  // namespace
}  // namespace isogon::output_graph_test
