#include "isogon/neighbors/neighbor_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stop_token>
#include <string>

#include "isogon/core/error.hpp"
#include "neighbors/cluster_search.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/ivf_index.hpp"
#include "reference/clustered_data.hpp"
#include "reference/point_sets.hpp"
#include "support/distributed_copy.hpp"
#include "support/messages.hpp"
#include "support/sanitizers.hpp"

namespace isogon::neighbor_search_test {
namespace {

using reference::on_threads;
using reference::sheet_points;
using support::says;

TEST(FindNeighbors, IsExactForFewPointsAndReportsIt) {
    const Points x = sheet_points(500, 12, 3, 1);
    const NeighborSearch found = find_neighbors(x.view(), {.neighbors = 7});
    EXPECT_EQ(found.summary.value("exact"), 1.0);
    EXPECT_EQ(found.summary.value("recall"), 1.0);
    EXPECT_EQ(found.lists.indices, exact_neighbors(x.view(), 7, Metric::Cosine).indices);
}

TEST(FindNeighbors, IsExactForMorePointsWhereBoundsRuleMostPairsOut) {
    if (support::under_a_sanitizer()) {
        GTEST_SKIP() << "minutes; the searches themselves are sanitized with fewer points";
    }
    const Points x = sheet_points(46000, 200, 4, 5);  // products of all pairs: some more than an exact search may take
    const NeighborSearchOptions options{.neighbors = 5};
    const NeighborSearch found = find_neighbors(x.view(), options, on_threads(2));
    EXPECT_EQ(found.summary.value("exact"), 1.0);
    EXPECT_EQ(found.summary.value("recall"), 1.0);
    const Range some{700, 800};  // such as those of a rank
    const NeighborLists rows = rows_of(found.lists, some);
    EXPECT_EQ(search_step(x.view(), some, options, on_threads(2)).lists.indices, rows.indices);
    EXPECT_EQ(exact_lists_of(x.view(), some, 5, Metric::Cosine, on_threads(2)).indices, rows.indices);
    // The lists of a pass over all pairs do not fit, the index does.
    RunContext little = on_threads(2);
    little.memory_limit = exact_neighbors_bytes(46000, 200, 5) - 1;
    EXPECT_EQ(find_neighbors(x.view(), options, little).summary.value("exact"), 0.0);
}

TEST(FindNeighbors, IsApproximateWhereAskedForAndSaysHowGood) {
    const Points x = sheet_points(3000, 40, 4, 2);
    const NeighborSearch found = find_neighbors(
        x.view(), {.neighbors = 7, .metric = Metric::Euclidean, .search = SearchKind::Approximate, .recall = 0.9});
    EXPECT_EQ(found.summary.value("exact"), 0.0);
    EXPECT_GE(found.summary.value("recall"), 0.87);
    EXPECT_GT(found.summary.value("probes"), 0.0);
    EXPECT_TRUE(says(found.summary.message, "approximate"));
    require_neighbor_lists(found.lists, 3000, 3000, SelfAllowed::No, "lists");
}

TEST(FindNeighbors, GivesTheSameBitsOnAnyNumberOfThreadsAndOthersForAnotherSeed) {
    const Points x = sheet_points(2000, 30, 6, 3);
    NeighborSearchOptions options{.neighbors = 5, .search = SearchKind::Approximate, .recall = 0.5};
    const NeighborSearch one = find_neighbors(x.view(), options, on_threads(1));
    for (const int threads : {2, 3}) {
        EXPECT_EQ(find_neighbors(x.view(), options, on_threads(threads)).lists.indices, one.lists.indices);
    }
    options.seed = 1;
    EXPECT_NE(find_neighbors(x.view(), options).lists.indices, one.lists.indices);
}

TEST(FindNeighbors, OfQueriesFindsPoints) {
    const Points x = sheet_points(2500, 40, 4, 7);
    const Points queries = sheet_points(300, 40, 4, 7);
    const NeighborLists truth = exact_neighbors(queries.view(), x.view(), 6, Metric::Cosine);
    NeighborSearchOptions options{.neighbors = 6};
    const NeighborSearch exact = find_neighbors(queries.view(), x.view(), options);
    EXPECT_EQ(exact.lists.indices, truth.indices);
    EXPECT_EQ(exact.summary.value("exact"), 1.0);
    options.search = SearchKind::Approximate;
    const NeighborSearch found = find_neighbors(queries.view(), x.view(), options);
    EXPECT_EQ(found.summary.value("exact"), 0.0);
    std::size_t same = 0;
    for (std::size_t a = 0; a < truth.indices.size(); ++a) {
        same += truth.indices[a] == found.lists.indices[a] ? 1 : 0;
    }
    EXPECT_GT(same, truth.indices.size() * 8 / 10);
}

/// Neighbours are those of `expected`, and distances, but for the unit and float32's ends, the same bits.
void expect_in_unit(const NeighborSearch& found, const NeighborSearch& expected, double unit) {
    EXPECT_EQ(found.lists.indices, expected.lists.indices);
    EXPECT_EQ(found.summary.measures, expected.summary.measures);
    constexpr double most = std::numeric_limits<float>::max();
    for (std::size_t k = 0; k < found.lists.distances.size(); ++k) {
        const double distance = double{expected.lists.distances[k]} * unit;
        const double size = std::abs(distance);
        const double held = size == 0.0 ? 0.0 : std::clamp(size, 0x1p-149, most);
        ASSERT_EQ(found.lists.distances[k], static_cast<float>(std::copysign(held, distance))) << k;
    }
}

TEST(FindNeighbors, AreTheSameInAnyUnitOfLength) {
    const Points x = sheet_points(800, 20, 4, 2);
    const Points queries = sheet_points(90, 20, 4, 2);
    for (const Metric metric :
         {Metric::Cosine, Metric::InnerProduct, Metric::Euclidean, Metric::Manhattan, Metric::Correlation}) {
        for (const SearchKind search : {SearchKind::Exact, SearchKind::Approximate}) {
            if (metric == Metric::Manhattan && search == SearchKind::Approximate) {
                continue;  // there is none
            }
            const NeighborSearchOptions options{.neighbors = 7, .metric = metric, .search = search};
            const NeighborSearch among = find_neighbors(x.view(), options);
            const NeighborSearch of_others = find_neighbors(queries.view(), x.view(), options);
            for (const int exponent : {-100, -40, -10, 10, 40, 100}) {
                SCOPED_TRACE(std::string(name(metric)) + " times 2^" + std::to_string(exponent));
                const double unit = std::ldexp(1.0, exponent);
                const double of_distance = metric == Metric::InnerProduct ? unit * unit : has_unit(metric) ? unit : 1.0;
                const Points y = reference::scaled(x, static_cast<float>(unit));
                expect_in_unit(find_neighbors(y.view(), options), among, of_distance);
                const Points others = reference::scaled(queries, static_cast<float>(unit));
                expect_in_unit(find_neighbors(others.view(), y.view(), options), of_others, of_distance);
            }
        }
    }
}

TEST(FindNeighbors, SaysWhereFloat32DoesNotHoldInnerProducts) {
    const Points x = reference::random_points(50, 6, 1);
    const NeighborSearchOptions options{.neighbors = 3, .metric = Metric::InnerProduct};
    EXPECT_TRUE(find_neighbors(x.view(), options).summary.warnings.empty());
    for (const float factor : {0x1p-80F, 0x1p80F}) {
        const Points y = reference::scaled(x, factor);
        const NeighborSearch found = find_neighbors(y.view(), options);
        ASSERT_EQ(found.summary.warnings.size(), 1U);
        EXPECT_TRUE(says(found.summary.warnings[0], "inner products"));
        EXPECT_TRUE(std::ranges::all_of(found.lists.distances, [](float d) { return std::isfinite(d); }));
    }
}

/// Rows by ranks give together what one search gives, and the same account of it.
void expect_parts_alike(const Points& x, const NeighborSearchOptions& options) {
    const NeighborSearch whole = search_step(x.view(), options, {});
    for (const Range part : {Range{0, 1}, Range{0, x.count() / 3}, Range{x.count() / 3, x.count()}, Range{7, 7}}) {
        const NeighborSearch found = search_step(x.view(), part, options, {});
        const NeighborLists own = rows_of(whole.lists, part);
        EXPECT_EQ(found.lists.size, options.neighbors);
        EXPECT_EQ(found.lists.indices, own.indices);
        EXPECT_EQ(found.lists.distances, own.distances);
        EXPECT_EQ(found.summary.counts, whole.summary.counts);
        EXPECT_EQ(found.summary.measures, whole.summary.measures);
    }
}

TEST(FindNeighbors, OfSomeRowsAreTheListsOfTheSearchOfAll) {
    for (const Metric metric : {Metric::Cosine, Metric::Euclidean}) {
        for (const Index neighbors : {1U, 9U, 70U}) {
            expect_parts_alike(sheet_points(500, 12, 3, 1), {.neighbors = neighbors, .metric = metric});
        }
        expect_parts_alike(sheet_points(1500, 30, 4, 2),
                           {.neighbors = 6, .metric = metric, .search = SearchKind::Approximate, .recall = 0.8});
    }
}

TEST(FindNeighbors, OfSomeRowsAreTheSameAmongEqualPointsToo) {
    Points x = sheet_points(240, 6, 3, 8);
    for (Index i = 0; i < x.count(); ++i) {  // each of 6 points forty times
        std::copy_n(x[i % 6].begin(), x.dimension(), x[i].begin());
    }
    expect_parts_alike(x, {.neighbors = 5, .metric = Metric::Euclidean});
    expect_parts_alike(x, {.neighbors = 60});
    // Which of many equally far points end a list is a matter of rounding; how far they are is not.
    const NeighborSearchOptions options{.neighbors = 60, .metric = Metric::Euclidean};
    const NeighborLists own = rows_of(search_step(x.view(), options, {}).lists, {50, 99});
    EXPECT_EQ(search_step(x.view(), {50, 99}, options, {}).lists.distances, own.distances);
}

/// Every rank has the lists of one process, and the same account of the search.
void expect_ranks_alike(const Points& x, const NeighborSearchOptions& options) {
    const NeighborSearch one = search_step(x.view(), options, {});
    for (const std::size_t ranks : {1U, 2U, 3U}) {
        support::on_ranks(ranks, x.view(), [&](const RunContext& context, const DistributedPoints& points) {
            const NeighborSearch found = search_step(points, options, context);
            EXPECT_EQ(found.lists.indices, one.lists.indices);
            EXPECT_EQ(found.lists.distances, one.lists.distances);
            EXPECT_EQ(found.summary.counts, one.summary.counts);
            EXPECT_EQ(found.summary.measures, one.summary.measures);
        });
    }
}

TEST(FindNeighbors, OfPointsThatRanksShareIsWhatOneProcessFinds) {
    for (const Metric metric : {Metric::Cosine, Metric::Euclidean, Metric::Correlation, Metric::Manhattan}) {
        expect_ranks_alike(sheet_points(500, 12, 3, 1), {.neighbors = 9, .metric = metric});
    }
    for (const Metric metric : {Metric::Cosine, Metric::Euclidean, Metric::Correlation}) {
        expect_ranks_alike(sheet_points(1500, 30, 4, 2),
                           {.neighbors = 6, .metric = metric, .search = SearchKind::Approximate, .recall = 0.8});
    }
}

TEST(FindNeighbors, OfRanksEndsOnAllWhereOneHasToEnd) {
    const Points x = sheet_points(1500, 30, 4, 2);
    for (const SearchKind kind : {SearchKind::Exact, SearchKind::Approximate}) {
        support::on_ranks(3, x.view(), [&](const RunContext& shared, const DistributedPoints& points) {
            std::stop_source stop;
            RunContext context = shared;
            context.stop = stop.get_token();
            if (points.local_range().begin > 0) {
                stop.request_stop();
            }
            EXPECT_THROW((void)search_step(points, {.neighbors = 5, .search = kind}, context), Interruption);
        });
    }
}

TEST(FindNeighbors, TakesTheIndexOnlyWhereAnExactSearchWouldCostMoreThanIsCheap) {
    const Points x = sheet_points(2000, 200, 4, 2);  // 4e8 products
    NeighborSearchOptions options{.neighbors = 5, .cheap = 5e8};
    EXPECT_EQ(find_neighbors(x.view(), options).summary.value("exact"), 1.0);
    options.cheap = 3e8;
    EXPECT_EQ(find_neighbors(x.view(), options).summary.value("exact"), 0.0);
    RunContext little;  // in which the index does not fit
    little.memory_limit = exact_neighbors_bytes(2000, 200, 5);
    ASSERT_GT(IvfIndex::bytes(2000, 200), *little.memory_limit);
    EXPECT_EQ(find_neighbors(x.view(), options, little).summary.value("exact"), 1.0);
}

TEST(FindNeighbors, ZeroVectorsAreCountedAndNamed) {
    Points x = sheet_points(100, 5, 2, 4);
    std::fill(x[17].begin(), x[17].end(), 0.0F);
    const NeighborSearch found = find_neighbors(x.view(), {.neighbors = 3});
    EXPECT_EQ(found.summary.value("zero_vectors"), 1.0);
    ASSERT_EQ(found.summary.warnings.size(), 1U);
    EXPECT_EQ(found.lists.distances_of(17)[0], 1.0F);
}

TEST(FindNeighbors, ImpossibleNumbersAndNanAreRefused) {
    Points x = sheet_points(20, 5, 2, 5);
    EXPECT_THROW((void)find_neighbors(x.view(), {.neighbors = 20}), InvalidArgument);
    EXPECT_THROW((void)find_neighbors(x.view(), {.neighbors = 0}), InvalidArgument);
    x[3][1] = std::numeric_limits<float>::infinity();
    EXPECT_THROW((void)find_neighbors(x.view(), {.neighbors = 2}), InputError);
    EXPECT_THROW((void)find_neighbors(x.view(), {.neighbors = 2, .search = SearchKind::Approximate}), InputError);
}

TEST(FindNeighbors, CanBeCancelled) {
    const Points x = sheet_points(2000, 20, 4, 6);
    const RunContext context = reference::cancelled();
    for (const SearchKind kind : {SearchKind::Exact, SearchKind::Approximate}) {
        const NeighborSearchOptions options{.neighbors = 5, .search = kind};
        EXPECT_THROW((void)search_step(x.view(), options, context), Interruption);
        const NeighborSearch ended = find_neighbors(x.view(), options, context);
        EXPECT_EQ(ended.summary.termination, Termination::Cancelled);
        EXPECT_EQ(ended.lists.count(), 0U);
    }
}

TEST(NeighborSearch, DistancesBeyondFloat32AreRefused) {
    Points x(3, 2);
    x[0][1] = 3e38F;
    x[1][1] = 2.9e38F;
    x[2][1] = -3e38F;
    const std::string message = support::message_of<InputError>(
        [&] { (void)find_neighbors(x.view(), {.neighbors = 1, .metric = Metric::Euclidean}); });
    EXPECT_TRUE(says(message, "row 2"));
    // Near points are not beyond it.
    x[2][1] = 2.8e38F;
    EXPECT_NO_THROW((void)find_neighbors(x.view(), {.neighbors = 1, .metric = Metric::Euclidean}));
}

TEST(FindNeighbors, OfMetricsWithoutAnIndexLooksAtAllPairsOrSaysThatItMust) {
    const Points x = sheet_points(300, 12, 3, 1);
    const NeighborSearch found = find_neighbors(x.view(), {.neighbors = 7, .metric = Metric::Manhattan});
    EXPECT_EQ(found.summary.value("exact"), 1.0);
    EXPECT_EQ(found.lists.indices, exact_neighbors(x.view(), 7, Metric::Manhattan).indices);
    const std::string message = support::message_of<InvalidArgument>(
        [&] { (void)find_neighbors(x.view(), {.metric = Metric::Manhattan, .search = SearchKind::Approximate}); });
    EXPECT_TRUE(says(message, "no index for metric manhattan"));
}

TEST(FindNeighbors, ByCorrelationIsByCosineOfRowsLessTheirMeansWithAnIndexToo) {
    const Points x = sheet_points(3000, 40, 4, 2);
    const NeighborSearchOptions options{
        .neighbors = 7, .metric = Metric::Correlation, .search = SearchKind::Approximate, .recall = 0.9};
    const NeighborSearch found = find_neighbors(x.view(), options);
    EXPECT_EQ(found.summary.value("exact"), 0.0);
    EXPECT_GE(found.summary.value("recall"), 0.87);
    const NeighborLists truth = exact_neighbors(x.view(), 7, Metric::Correlation);
    std::size_t same = 0;
    for (std::size_t a = 0; a < truth.indices.size(); ++a) {
        same += truth.indices[a] == found.lists.indices[a] ? 1 : 0;
    }
    EXPECT_GT(same, truth.indices.size() * 8 / 10);
    const Points queries = sheet_points(50, 40, 4, 9);
    EXPECT_EQ(find_neighbors(queries.view(), x.view(), {.neighbors = 7, .metric = Metric::Correlation}).lists.indices,
              exact_neighbors(queries.view(), x.view(), 7, Metric::Correlation).indices);
}

TEST(FindNeighbors, RowsOfEqualNumbersHaveNoCorrelation) {
    Points x = sheet_points(50, 6, 3, 1);
    std::fill(x[3].begin(), x[3].end(), 2.5F);
    const NeighborSearch found = find_neighbors(x.view(), {.neighbors = 3, .metric = Metric::Correlation});
    ASSERT_EQ(found.summary.warnings.size(), 1U);
    EXPECT_TRUE(says(found.summary.warnings[0], "1 rows of equal numbers"));
    EXPECT_EQ(found.lists.distances_of(3)[0], 1.0F);
}

}  // namespace
}  // namespace isogon::neighbor_search_test
