#include "transform/proximity_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"

namespace isogon::proximity_graph_test {
namespace {

using reference::on_threads;

ProximityGraph graph_of(const Points& y, Index neighbors = 10, int threads = 2, float radius = 0.3F) {
    return {y.view(), std::vector<float>(y.count(), radius), neighbors, on_threads(threads)};
}

std::vector<Index> found_from(const ProximityGraph& graph, Index place, float radius, std::vector<Index> starts,
                              Index effort) {
    ProximityGraph::Scratch scratch;
    std::vector<Index> found{12345};  // what it held is replaced
    const ProximityGraph::Query query{graph.points().row(place), radius * static_cast<float>(graph.scale()), effort};
    graph.find_around(query, starts, scratch, found);
    // A second search finds the same: nothing of the first is left in the scratch.
    std::vector<Index> again;
    graph.find_around(query, starts, scratch, again);
    EXPECT_EQ(found, again);
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<Index> all_around(const ProximityGraph& graph, Index place, double radius) {
    std::vector<Index> all;
    radius *= graph.scale();
    for (Index other = 0; other < graph.points().rows(); ++other) {
        const double distance =
            std::sqrt(squared_distance(graph.points().row(place), graph.points().row(other), graph.points().columns()));
        if (distance < std::max(radius, double{graph.radii()[other]}) + ProximityGraph::margin * radius) {
            all.push_back(other);
        }
    }
    return all;
}

TEST(ProximityGraph, HoldsEveryOutputInItsUnit) {
    const Points y = reference::random_points(300, 5, 1);
    const ProximityGraph graph = graph_of(y);
    ASSERT_EQ(graph.points().rows(), 300U);
    float largest = 0.0F;
    for (Index row = 0; row < 300; ++row) {
        const Index place = graph.place_of(row);
        EXPECT_EQ(graph.row_at(place), row);
        EXPECT_EQ(graph.points().row(place)[2], static_cast<float>(graph.scale()) * y[row][2]);
        EXPECT_EQ(graph.radii()[place], static_cast<float>(graph.scale()) * 0.3F);
        for (Index k = 0; k < 5; ++k) {
            largest = std::max(largest, std::abs(graph.points().row(place)[k]));
        }
    }
    EXPECT_GE(largest, 1.0F);
    EXPECT_LT(largest, 2.0F);
}

TEST(ProximityGraph, HasEdgesToTheNearestAndOnlyOnceToEach) {
    const Points y = reference::random_points(400, 4, 2);
    const ProximityGraph graph = graph_of(y);
    for (Index place = 0; place < 400; ++place) {
        std::vector<Index> edges(graph.edges_of(place).begin(), graph.edges_of(place).end());
        edges.erase(std::remove(edges.begin(), edges.end(), place), edges.end());
        EXPECT_GE(edges.size(), 16U);
        std::sort(edges.begin(), edges.end());
        EXPECT_EQ(std::adjacent_find(edges.begin(), edges.end()), edges.end());
        const auto distance = [&](Index other) {
            return other == place ? 1e9 : squared_distance(graph.points().row(place), graph.points().row(other), 4);
        };
        Index nearest = 0;
        for (Index other = 1; other < 400; ++other) {
            nearest = distance(other) < distance(nearest) ? other : nearest;
        }
        EXPECT_TRUE(std::binary_search(edges.begin(), edges.end(), nearest));
    }
}

TEST(ProximityGraph, FindsNoneThatIsOutsideAndNoneTwice) {
    for (const Index count : {1U, 2U, 3U, 47U, 500U}) {
        const Points y = reference::random_points(count, 6, count);
        const ProximityGraph graph = graph_of(y, 3, 1);
        for (const float radius : {0.01F, 0.5F, 1.5F, 100.0F}) {
            for (Index place = 0; place < count; place += 7) {
                const std::vector<Index> all = all_around(graph, place, radius);
                EXPECT_EQ(found_from(graph, place, radius, {}, count), all);
                const std::vector<Index> found = found_from(graph, place, radius, {place, place}, 1);
                EXPECT_TRUE(std::includes(all.begin(), all.end(), found.begin(), found.end()));
                EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
                EXPECT_FALSE(found.empty());
            }
        }
    }
}

TEST(ProximityGraph, WithoutEdgesFindsAll) {
    const Points y = reference::random_points(300, 4, 3);
    const ProximityGraph graph(y.view(), std::vector<float>(300, 0.2F), on_threads(1));
    EXPECT_EQ(graph.effort(), 300U);
    EXPECT_EQ(found_from(graph, 7, 0.9F, {}, graph.effort()), all_around(graph, 7, 0.9F));
}

TEST(ProximityGraph, FindsNearlyAllFromOneThatIsNear) {
    const Points y = reference::random_points(4000, 4, 3);
    const ProximityGraph graph = graph_of(y);
    ASSERT_LT(graph.effort(), 1000U);
    std::size_t found = 0;
    std::size_t all = 0;
    for (Index place = 0; place < 4000; place += 40) {
        found += found_from(graph, place, 0.3F, {graph.edges_of(place)[3]}, graph.effort()).size();
        all += all_around(graph, place, 0.3F).size();
    }
    EXPECT_GT(all, 200U);
    EXPECT_GT(static_cast<double>(found), 0.97 * static_cast<double>(all));
}

/// There are 300 groups of 20 copies, nearly equal: the nearest 19 of each point are of its own group.
TEST(ProximityGraph, LeadsOutOfAGroupOfCopies) {
    const Points centres = reference::random_points(300, 3, 5);
    const Points noise = reference::random_points(6000, 3, 6);
    Points y(6000, 3);
    for (Index i = 0; i < y.count(); ++i) {
        for (Index k = 0; k < 3; ++k) {
            y[i][k] = centres[i / 20][k] + 1e-5F * noise[i][k];
        }
    }
    const ProximityGraph graph = graph_of(y, 10, 2, 0.01F);
    std::size_t found = 0;
    std::size_t all = 0;
    for (Index place = 0; place < 6000; place += 60) {
        found += found_from(graph, place, 0.4F, {place}, 16).size();
        all += all_around(graph, place, 0.4F).size();
    }
    EXPECT_GT(all, 100U * 60U);  // of three groups and more each
    EXPECT_GT(static_cast<double>(found), 0.7 * static_cast<double>(all));
}

TEST(ProximityGraph, LooksAtAllWhereEdgesLeadToTooLittle) {
    Points y(3000, 2);  // three groups of a thousand copies, within the radius of each other
    for (Index i = 0; i < y.count(); ++i) {
        y[i][0] = 1.0F;
        y[i][1] = 0.01F * static_cast<float>(i % 3);
    }
    const ProximityGraph graph = graph_of(y);
    EXPECT_EQ(graph.effort(), 3000U);
    EXPECT_EQ(found_from(graph, 0, 0.5F, {0}, graph.effort()).size(), 3000U);
}

TEST(ProximityGraph, IsTheSameOnAnyNumberOfThreadsAndFromAnArchive) {
    const Points y = reference::random_points(700, 5, 4);
    const ProximityGraph one = graph_of(y, 10, 1);
    const ProximityGraph three = graph_of(y, 10, 3);
    Archive archive;
    one.save(archive);
    ArchiveSchema schema;
    ProximityGraph::describe(schema);
    schema.require(archive, {{"n", 700}});
    const ProximityGraph loaded(y.view(), std::vector<float>(700, 0.3F), archive, on_threads(1));
    for (Index place = 0; place < 700; ++place) {
        EXPECT_EQ(one.row_at(place), three.row_at(place));
        EXPECT_EQ(one.row_at(place), loaded.row_at(place));
        EXPECT_TRUE(std::ranges::equal(one.edges_of(place), three.edges_of(place)));
        EXPECT_TRUE(std::ranges::equal(one.edges_of(place), loaded.edges_of(place)));
    }
    EXPECT_EQ(one.effort(), three.effort());
    EXPECT_EQ(one.effort(), loaded.effort());
}

TEST(ProximityGraph, StatesItsMemory) {
    RunContext little = on_threads(1);
    little.memory_limit = 1000;
    const Points y = reference::random_points(100, 3, 1);
    const std::vector<float> radii(100, 0.1F);
    EXPECT_THROW(ProximityGraph(y.view(), radii, 1, little), LimitExceeded);
    EXPECT_THROW(ProximityGraph(y.view(), radii, little), LimitExceeded);
}

}  // namespace
}  // namespace isogon::proximity_graph_test
