#include "isogon/transform/indexed_placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stop_token>

#include "isogon/core/error.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/placements.hpp"
#include "transform/output_graph.hpp"

namespace isogon::indexed_placement_test {
namespace {

using reference::on_threads;
using Example = support::placements::Example<LocalPlacement>;

Example example(Index fitted, Index rows) {
    return support::placements::example(fitted, rows, 5, LocalPlacement{.neighbors = 6});
}

IndexedPlacement indexed(const Example& e, int threads = 2) {
    const RunContext context = on_threads(threads);
    return {e.inputs.view(),
            e.outputs.view(),
            e.form,
            {},
            std::make_shared<const PlacementIndexes>(e.inputs.view(), e.outputs.view(), e.form, context),
            context};
}

double degrees_between(std::span<const float> a, std::span<const float> b) {
    double product = 0.0;
    double first = 0.0;
    double second = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        product += double{a[k]} * b[k];
        first += double{a[k]} * a[k];
        second += double{b[k]} * b[k];
    }
    return std::acos(std::clamp(product / std::sqrt(first * second), -1.0, 1.0)) * 180.0 / std::numbers::pi;
}

double close_share(const Points& a, const Points& b, double degrees) {
    Index close = 0;
    for (Index i = 0; i < a.count(); ++i) {
        close += degrees_between(a[i], b[i]) < degrees ? 1U : 0U;
    }
    return static_cast<double>(close) / a.count();
}

/// Of the ten fitted inputs nearest to a row by angle, the share that is among the ten outputs nearest to its output.
double recall_at_ten(const Example& e, const Points& outputs) {
    const auto truth = exact_neighbors(e.rows.view(), e.inputs.view(), 10, Metric::Cosine);
    const auto found = exact_neighbors(outputs.view(), e.outputs.view(), 10, Metric::Cosine);
    Index kept = 0;
    for (Index i = 0; i < truth.count(); ++i) {
        for (const Index wanted : truth[i]) {
            kept += std::count(found[i].begin(), found[i].end(), wanted) > 0 ? 1U : 0U;
        }
    }
    return kept / (10.0 * truth.count());
}

/// The outputs are mere projections: g has many minima, and one near point more or less may lead to another.
TEST(IndexedPlacement, PlacesMostRowsWhereTheyAreAmongAllPoints) {
    const Example e = example(2000, 200);
    const Placed full = support::placements::place(e, e.rows);
    const Placed by_index = indexed(e).place(e.rows.view(), on_threads(2));
    EXPECT_GT(close_share(full.outputs, by_index.outputs, 0.1), 0.5);
    EXPECT_GT(close_share(full.outputs, by_index.outputs, 5.0), 0.75);
    EXPECT_EQ(by_index.counts.fitted, 0U);
}

TEST(IndexedPlacement, GivesEachRowTheSameBitsInAnyBatchAndOnAnyThreads) {
    const Example e = example(1500, 120);
    const IndexedPlacement placement = indexed(e, 1);
    const Placed together = placement.place(e.rows.view(), on_threads(3));
    for (Index i = 0; i < e.rows.count(); i += 11) {
        const Placed alone = placement.place(support::placements::slice(e.rows, i, 1).view(), on_threads(1));
        EXPECT_TRUE(std::equal(alone.outputs[0].begin(), alone.outputs[0].end(), together.outputs[i].begin()));
    }
    const Placed other = indexed(e, 3).place(e.rows.view(), on_threads(2));
    EXPECT_TRUE(
        std::equal(other.outputs.values().begin(), other.outputs.values().end(), together.outputs.values().begin()));
}

TEST(IndexedPlacement, FittedRowsKeepTheirOutputsAndZerosStayZero) {
    const Example e = example(600, 2);
    Points rows(3, e.inputs.dimension());
    std::copy(e.inputs[17].begin(), e.inputs[17].end(), rows[1].begin());
    std::copy(e.rows[0].begin(), e.rows[0].end(), rows[2].begin());
    const Placed placed = indexed(e).place(rows.view(), on_threads(1));
    EXPECT_EQ(placed.counts.zero_vectors, 1U);
    EXPECT_EQ(placed.counts.fitted, 1U);
    EXPECT_TRUE(std::equal(placed.outputs[1].begin(), placed.outputs[1].end(), e.outputs[17].begin()));
    EXPECT_EQ(placed.outputs[0][0], 0.0F);
    EXPECT_NEAR(norms(placed.outputs.view())[2], norms(rows.view())[2], 1e-4);
}

TEST(IndexedPlacement, FittedPointsWithoutADirectionAttractAndRepelNothing) {
    Example e = example(600, 30);
    std::fill(e.inputs[3].begin(), e.inputs[3].end(), 0.0F);
    for (Index i = 0; i < 40; ++i) {
        std::fill(e.outputs[i].begin(), e.outputs[i].end(), 0.0F);
    }
    const Placed full = support::placements::place(e, e.rows);
    const Placed by_index = indexed(e).place(e.rows.view(), on_threads(2));
    EXPECT_GT(close_share(full.outputs, by_index.outputs, 5.0), 0.7);
}

TEST(IndexedPlacement, StatesHowItComparesWithAPlacementAmongAll) {
    const Example e = example(2000, 60);
    Summary summary;
    const IndexedPlacement placement = indexed(e);
    placement.examine(e.rows.view(), summary, on_threads(2));
    const PlacementAgreement agreement = placement.compare(e.rows.view(), on_threads(1));
    EXPECT_EQ(agreement.rows, 60U);
    EXPECT_EQ(summary.value("recall_at_10"), agreement.recall);
    EXPECT_GT(agreement.near_found, 0.9);
    EXPECT_NEAR(agreement.recall, agreement.exact_recall, 0.1);
    const Placed full = support::placements::place(e, e.rows);
    const Placed by_index = placement.place(e.rows.view(), on_threads(2));
    EXPECT_NEAR(agreement.recall, recall_at_ten(e, by_index.outputs), 1e-3);
    EXPECT_NEAR(agreement.exact_recall, recall_at_ten(e, full.outputs), 1e-2);
    std::vector<double> angles;
    for (Index i = 0; i < 60; ++i) {
        angles.push_back(degrees_between(full.outputs[i], by_index.outputs[i]));
    }
    std::nth_element(angles.begin(), angles.begin() + 30, angles.end());
    EXPECT_NEAR(agreement.median_angle, angles[30], 0.1);
    EXPECT_EQ(placement.compare(e.inputs.view(), on_threads(1)).rows, 0U);  // all of them fitted
}

TEST(IndexedPlacement, RefusesPairsAboveOneThresholdAndBadRows) {
    const Example e = example(300, 2);
    const auto indexes =
        std::make_shared<const PlacementIndexes>(e.inputs.view(), e.outputs.view(), e.form, RunContext{});
    const LocalPlacement weighted{.neighbors = 6, .weight = 0.1, .threshold = 0.5};
    EXPECT_THROW(IndexedPlacement(e.inputs.view(), e.outputs.view(), weighted, {}, indexes, {}), InvalidArgument);
    Points bad = e.rows;
    bad[1][0] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(static_cast<void>(indexed(e).place(bad.view(), {})), InputError);
    EXPECT_THROW(static_cast<void>(indexed(e).place(Points(1, 3).view(), {})), InvalidArgument);
    EXPECT_THROW(static_cast<void>(indexed(e).compare(Points(1, 3).view(), {})), InvalidArgument);
}

TEST(IndexedPlacement, EndsWhenTheContextSaysSo) {
    const Example e = example(300, 20);
    RunContext context = on_threads(1);
    const IndexedPlacement placement = indexed(e);
    std::stop_source source;
    source.request_stop();
    context.stop = source.get_token();
    EXPECT_THROW(static_cast<void>(placement.place(e.rows.view(), context)), Interruption);
    EXPECT_THROW(static_cast<void>(placement.compare(e.rows.view(), context)), Interruption);
}

}  // namespace
}  // namespace isogon::indexed_placement_test
