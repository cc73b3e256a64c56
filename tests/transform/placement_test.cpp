#include "transform/placement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"
#include "support/placements.hpp"

namespace isogon::placement_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;
using support::placements::example;
using support::placements::place;
using support::placements::row_of;
using support::placements::slice;
using Example = support::placements::Example<double>;  // by a threshold
using Vector = Eigen::VectorXd;

/// g of one row as it is printed, in float64, over all fitted points.
struct Objective {
    Objective(const Example& e, const Vector& x, std::size_t neighbors = 10) : tau(e.form) {
        directions = to_matrix(e.outputs).rowwise().normalized();
        cosines = to_matrix(e.inputs).rowwise().normalized() * x.normalized();
        support = cosines.array() > tau;
        std::vector<Eigen::Index> order(cosines.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return cosines[a] > cosines[b]; });
        order.resize(std::min<std::size_t>(neighbors, order.size()));
        start = Vector::Zero(directions.cols());
        for (const auto j : order) {
            start += cosines[j] * directions.row(j).transpose();
            isolated = isolated && !support[j];
        }
        start.normalize();
        for (const auto j : isolated ? order : std::vector<Eigen::Index>{}) {
            support[j] = true;
        }
    }

    [[nodiscard]] Vector residuals(const Vector& u) const {
        const Vector t = directions * u;
        return support.select(t - cosines, (t.array() - tau).max(0.0).matrix());
    }
    [[nodiscard]] double value(const Vector& u) const { return residuals(u).squaredNorm(); }
    [[nodiscard]] Vector gradient(const Vector& u) const {
        const Vector g = 2.0 * directions.transpose() * residuals(u);
        return g - g.dot(u) * u;
    }
    /// Gradient descent in steps so small that it crosses no ridge, for very long.
    [[nodiscard]] Vector minimizer() const {
        Vector u = start;
        const double rate = 0.25 / static_cast<double>(directions.rows());
        for (int k = 0; k < 20000; ++k) {
            const Vector g = gradient(u);
            if (g.norm() < 1e-7) {  // of g's own size, far below what is compared
                break;
            }
            u = (u - rate * g).normalized();
        }
        return u;
    }

    double tau;
    Matrix directions;
    Vector cosines;
    Eigen::Array<bool, Eigen::Dynamic, 1> support;
    Vector start;
    bool isolated = true;
};

class PlacedRows : public testing::TestWithParam<std::tuple<Index, double>> {
protected:
    Example e = example(400, 60, std::get<0>(GetParam()), std::get<1>(GetParam()));
};

INSTANTIATE_TEST_SUITE_P(DimensionsAndThresholds, PlacedRows,
                         testing::Combine(testing::Values<Index>(2, 3, 8, 17), testing::Values(0.3, 0.6, 0.8, 0.95)));

TEST_P(PlacedRows, AreStationaryForTheSumOverAllFittedPoints) {
    const Points placed = place(e, e.rows).outputs;
    for (Index i = 0; i < e.rows.count(); ++i) {
        const Objective g(e, row_of(e.rows, i));
        const Vector u = row_of(placed, i).normalized();
        const double members = static_cast<double>(g.support.count());
        // A fifth of the tolerance, 1e-4 radians, times what the support adds to the Hessian.
        EXPECT_LT(g.gradient(u).norm(), 0.2 * 1e-4 * 2.0 * members) << i;
    }
}

TEST_P(PlacedRows, AreAsLowAsALongGradientDescentFromTheSameStart) {
    const Points placed = place(e, e.rows).outputs;
    Index higher = 0;
    for (Index i = 0; i < e.rows.count(); i += 2) {  // every other row: this is the longest of all tests
        const Objective g(e, row_of(e.rows, i));
        const double slow = g.value(g.minimizer());
        higher += g.value(row_of(placed, i).normalized()) > slow * (1.0 + 1e-4) + 1e-9 ? 1U : 0U;
    }
    // g has several minima, and a step may end in another's basin: better or worse, but stationary as above.
    EXPECT_LE(higher, e.rows.count() / 2 / 20);
}

TEST_P(PlacedRows, AreNeverHigherThanTheirStartWhereverTheStepsEnd) {
    const Points start = place(e, e.rows, {.steps = 0}).outputs;
    for (int steps = 1; steps <= 12; ++steps) {
        const Points placed = place(e, e.rows, {.steps = steps}).outputs;
        for (Index i = 0; i < e.rows.count(); ++i) {
            const Objective g(e, row_of(e.rows, i));
            const double first = g.value(row_of(start, i).normalized());
            EXPECT_NEAR(first, g.value(g.start), 1e-4 * first + 1e-6);
            EXPECT_LE(g.value(row_of(placed, i).normalized()), first * (1.0 + 1e-5) + 1e-9) << i << " at " << steps;
        }
    }
}

TEST_P(PlacedRows, AreTheSameBitsAloneInABatchInAnyOrderAndOnAnyNumberOfThreads) {
    const Placement placement(e.inputs.view(), e.outputs.view(), e.form, {}, on_threads(3));
    const Points batch = placement.place(e.rows.view(), on_threads(1)).outputs;
    EXPECT_EQ(to_matrix(placement.place(e.rows.view(), on_threads(2)).outputs), to_matrix(batch));
    EXPECT_EQ(to_matrix(place(e, e.rows, {}, 3).outputs), to_matrix(batch));
    const auto order = reference::shuffled(e.rows.count(), 1);
    const Points permuted = reference::reordered(e.rows, order);
    EXPECT_EQ(to_matrix(placement.place(permuted.view(), on_threads(2)).outputs),
              to_matrix(reference::reordered(batch, order)));
    for (Index i = 0; i < e.rows.count(); i += 7) {
        const Points alone = placement.place(slice(e.rows, i, 1).view(), on_threads(2)).outputs;
        EXPECT_EQ(to_matrix(alone), to_matrix(slice(batch, i, 1)));
    }
}

TEST_P(PlacedRows, AreTwiceAsLongForTwiceTheRowAndAsLongAsTheRow) {
    const Points once = place(e, e.rows).outputs;
    EXPECT_EQ(to_matrix(place(e, reference::scaled(e.rows, 2.0F)).outputs), 2.0 * to_matrix(once));
    for (Index i = 0; i < e.rows.count(); ++i) {
        const double length = row_of(e.rows, i).norm();
        EXPECT_NEAR(row_of(once, i).norm(), length, 1e-6 * length);
    }
}

TEST(Placement, PutsPointsOfASphereWhereTheyBelong) {
    for (const Index d : {2U, 3U, 5U, 16U}) {
        const Matrix embedding = support::random_orthonormal(40, d, 1).transpose();
        const Matrix truth = support::random_matrix(600, d, 2);
        const Matrix unseen = support::random_matrix(100, d, 3);
        const Example e{support::to_points(truth * embedding), support::to_points(truth),
                        support::to_points(unseen * embedding), 0.3};
        const Placed placed = place(e, e.rows);
        EXPECT_EQ(placed.counts.isolated + placed.counts.unsettled, 0U);
        const Matrix error = to_matrix(placed.outputs) - unseen;
        EXPECT_LT((error.rowwise().norm().array() / unseen.rowwise().norm().array()).maxCoeff(), 1e-4) << d;
    }
}

TEST(Placement, GivesFittedRowsTheirStoredOutputsBitForBit) {
    Example e = example(300, 1, 5, 0.7);
    std::copy(e.inputs[3].begin(), e.inputs[3].end(), e.inputs[200].begin());  // two outputs for one input
    std::fill(e.inputs[7].begin(), e.inputs[7].end(), 0.0F);
    std::fill(e.outputs[7].begin(), e.outputs[7].end(), 0.0F);
    std::fill(e.outputs[8].begin(), e.outputs[8].end(), 0.0F);
    const Placed placed = place(e, e.inputs);
    EXPECT_EQ(placed.counts.fitted, 300U);
    EXPECT_EQ(placed.counts.steps, 0U);
    Points expected = e.outputs;
    std::copy(e.outputs[3].begin(), e.outputs[3].end(), expected[200].begin());
    EXPECT_EQ(to_matrix(placed.outputs), to_matrix(expected));
}

TEST(Placement, LeavesZeroVectorsAtZeroAndCountsThem) {
    const Example e = example(100, 3, 4, 0.7);
    Points rows = e.rows;
    std::fill(rows[1].begin(), rows[1].end(), -0.0F);
    const Placed placed = place(e, rows);
    EXPECT_EQ(placed.counts.zero_vectors, 1U);
    EXPECT_EQ(row_of(placed.outputs, 1).norm(), 0.0);
    EXPECT_EQ(to_matrix(slice(placed.outputs, 2, 1)), to_matrix(slice(place(e, e.rows).outputs, 2, 1)));
}

TEST(Placement, MovesNothingForFittedPointsWithoutADirection) {
    const Example e = example(150, 50, 4, 0.7);
    Example more = e;
    more.inputs = Points(153, 20);
    more.outputs = Points(153, 4);
    // Fitted point 0 has no output's direction, 1 none of the input, 2 neither.
    std::copy(e.rows[0].begin(), e.rows[0].end(), more.inputs[0].begin());
    more.inputs[0][0] += 0.01F;
    more.outputs[1][2] = 1.0F;
    std::copy(e.inputs.values().begin(), e.inputs.values().end(), more.inputs[3].begin());
    std::copy(e.outputs.values().begin(), e.outputs.values().end(), more.outputs[3].begin());
    EXPECT_EQ(to_matrix(place(more, e.rows).outputs), to_matrix(place(e, e.rows).outputs));
}

TEST(Placement, CountsRowsWithoutANeighborAsIsolatedAndGoesByTheNearest) {
    Example e = example(200, 40, 5, 0.995);
    const Placed placed = place(e, e.rows);
    Index isolated = 0;
    for (Index i = 0; i < e.rows.count(); ++i) {
        isolated += Objective(e, row_of(e.rows, i)).isolated ? 1U : 0U;
    }
    EXPECT_GT(isolated, 20U);
    EXPECT_EQ(placed.counts.isolated, isolated);
    EXPECT_NE(to_matrix(place(e, e.rows, {.neighbors = 3}).outputs), to_matrix(placed.outputs));
}

TEST(Placement, SaysWhenStepsRanOut) {
    const Example e = example(300, 20, 5, 0.7);
    EXPECT_EQ(place(e, e.rows).counts.unsettled, 0U);
    const PlacementCounts none = place(e, e.rows, {.steps = 0}).counts;
    EXPECT_EQ(none.unsettled, 20U);
    EXPECT_EQ(none.steps, 0U);
    EXPECT_GT(place(e, e.rows, {.tolerance = 1e-9}).counts.steps, place(e, e.rows, {.tolerance = 0.1}).counts.steps);
}

TEST(Placement, TakesManyNeighborsAndNearMisses) {
    // Some 2,000 members a row: more than are gathered at a time.
    const Example e = example(3000, 5, 3, 0.05);
    const Points placed = place(e, e.rows).outputs;
    for (Index i = 0; i < e.rows.count(); ++i) {
        const Objective g(e, row_of(e.rows, i));
        const Vector u = row_of(placed, i).normalized();
        EXPECT_LT(g.gradient(u).norm(), 1e-3 * std::sqrt(g.value(u)));
    }
}

TEST(Placement, TakesAnyNumberOfFittedPointsAndRows) {
    for (const Index fitted : {1U, 2U, 9U, 10U, 11U, 47U, 48U, 49U, 97U}) {
        for (const Index rows : {0U, 1U, 47U, 48U, 49U, 97U}) {
            for (const Index d : {1U, 2U, 7U}) {
                const Example e{reference::random_points(fitted, 7, 1), reference::random_points(fitted, d, 2),
                                reference::random_points(rows, 7, 3), 0.4};
                const Placed placed = place(e, e.rows);
                ASSERT_EQ(placed.outputs.count(), rows);
                EXPECT_EQ(placed.outputs.dimension(), d);
                EXPECT_EQ(placed.counts.unsettled, 0U);
                for (Index i = 0; i < rows; ++i) {
                    const double length = row_of(e.rows, i).norm();
                    EXPECT_NEAR(row_of(placed.outputs, i).norm(), length, 1e-6 * length);
                }
            }
        }
    }
}

TEST(Placement, TakesDuplicatesAntipodesZerosAndTinyPoints) {
    const Example e{reference::awkward_points(200, 6, 1), reference::awkward_points(200, 3, 1),
                    reference::awkward_points(100, 6, 2), 0.5};
    const Placed placed = place(e, e.rows);
    EXPECT_TRUE(to_matrix(placed.outputs).allFinite());
    EXPECT_GT(placed.counts.fitted, 0U);  // zeros
    EXPECT_EQ(placed.counts.unsettled, 0U);
}

TEST(Placement, WorksAtLengthsNearTheEndsOfFloat32) {
    const Example e = example(200, 50, 4, 0.7);
    const Matrix usual = to_matrix(place(e, e.rows).outputs);
    for (const float factor : {1e-30F, 1e30F}) {
        Example scaled = e;
        scaled.inputs = reference::scaled(e.inputs, factor);
        scaled.outputs = reference::scaled(e.outputs, 1.0F / factor);
        const Points placed = place(scaled, reference::scaled(e.rows, factor)).outputs;
        EXPECT_LT(support::difference(to_matrix(placed) / double{factor}, usual), 1e-3) << factor;
    }
}

TEST(Placement, RefusesRowsThatHaveNoPlace) {
    const Example e = example(50, 3, 4, 0.7);
    for (const float bad : {NAN, INFINITY, -INFINITY}) {
        Points rows = e.rows;
        rows[2][13] = bad;
        try {
            (void)place(e, rows);
            FAIL();
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("row 2, column 13"), std::string::npos) << error.what();
        }
    }
    Points rows = e.rows;
    std::fill(rows[1].begin(), rows[1].end(), 3e38F);
    EXPECT_THROW((void)place(e, rows), InputError);
    EXPECT_THROW((void)place(e, Points(3, 19)), InvalidArgument);
    EXPECT_THROW((void)place(e, Points(0, 19)), InvalidArgument);
}

TEST(Placement, RefusesFittedPointsAndOptionsThatCannotServe) {
    const Example e = example(50, 3, 4, 0.7);
    const auto build = [&](const Points& x, const Points& y, double tau, const PlacementOptions& options = {}) {
        return Placement(x.view(), y.view(), tau, options, {});
    };
    EXPECT_THROW(build(e.inputs, slice(e.outputs, 0, 49), 0.7), InvalidArgument);
    EXPECT_THROW(build(Points(3, 0), Points(3, 2), 0.7), InvalidArgument);
    EXPECT_THROW(build(Points(3, 2), Points(3, 0), 0.7), InvalidArgument);
    EXPECT_THROW(build(Points(0, 3), Points(0, 2), 0.7), InputError);
    EXPECT_THROW(build(Points(5, 3), Points(5, 2), 0.7), InputError);
    for (const double tau : {0.0, 1.0, -0.5, double{NAN}}) {
        EXPECT_THROW(build(e.inputs, e.outputs, tau), InvalidArgument);
    }
    EXPECT_THROW(build(e.inputs, e.outputs, 0.7, {.neighbors = 0}), InvalidArgument);
    EXPECT_THROW(build(e.inputs, e.outputs, 0.7, {.steps = -1}), InvalidArgument);
    EXPECT_THROW(build(e.inputs, e.outputs, 0.7, {.tolerance = 0.0}), InvalidArgument);
    Points bad = e.outputs;
    bad[3][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(build(e.inputs, bad, 0.7), InputError);
}

TEST(Placement, StatesItsMemoryAndCanBeCancelled) {
    const Example e = example(300, 50, 4, 0.7);
    RunContext context = on_threads(2);
    context.memory_limit = Placement::bytes(300, 20, 4) - 1;
    EXPECT_THROW(Placement(e.inputs.view(), e.outputs.view(), 0.7, {}, context), LimitExceeded);
    context.memory_limit = Placement::bytes(300, 20, 4);
    const Placement placement(e.inputs.view(), e.outputs.view(), 0.7, {}, context);
    context.memory_limit = 1000;
    EXPECT_THROW((void)placement.place(e.rows.view(), context), LimitExceeded);
    RunContext late = on_threads(2);
    late.limit_seconds(0.0);
    EXPECT_THROW((void)placement.place(e.rows.view(), late), Interruption);
}

}  // namespace
}  // namespace isogon::placement_test
