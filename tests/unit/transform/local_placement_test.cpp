#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "isogon/core/error.hpp"
#include "isogon/transform/placement.hpp"
#include "reference/point_sets.hpp"
#include "support/matching_examples.hpp"
#include "support/placements.hpp"
#include "support/stated_need.hpp"

namespace isogon::local_placement_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;
using support::placements::place;
using support::placements::row_of;
using Example = support::placements::Example<LocalPlacement>;
using Vector = Eigen::VectorXd;

/// The k-th largest of some cosines.
double kth(Vector cosines, Index k) {
    std::nth_element(cosines.begin(), cosines.begin() + (k - 1), cosines.end(), std::greater<>());
    return cosines[k - 1];
}

/// A threshold has no use without a weight.
Example example(Index fitted, Index rows, Index dimension, Index k, double weight) {
    return support::placements::example(fitted, rows, dimension, LocalPlacement{k, weight, weight > 0.0 ? 0.6 : 0.0});
}

/// g of one row as it is defined, in float64, over all fitted points.
struct Objective {
    Objective(const Example& e, const Vector& x) : local(e.form) {
        directions = to_matrix(e.outputs).rowwise().normalized();
        cosines = to_matrix(e.inputs).rowwise().normalized() * x.normalized();
        own = kth(cosines, local.neighbors);
    }

    /// Adds a member's terms of weight 1 and w to g, and their half derivatives by u.u_j.
    void add(Eigen::Index j, double product, double& value, double& slope) const {
        const bool near = cosines[j] >= own;
        const double first = near ? product - cosines[j] : std::max(0.0, product - own);
        const double above =
            cosines[j] > local.threshold ? product - cosines[j] : std::max(0.0, product - local.threshold);
        const double second = local.weight == 0.0 ? 0.0 : above;
        value += first * first + local.weight * second * second;
        slope = first + local.weight * second;
    }
    [[nodiscard]] double value(const Vector& u) const {
        double sum = 0.0;
        double slope = 0.0;
        for (Eigen::Index j = 0; j < cosines.size(); ++j) {
            add(j, directions.row(j).dot(u), sum, slope);
        }
        return sum;
    }
    [[nodiscard]] Vector gradient(const Vector& u) const {
        Vector g = Vector::Zero(u.size());
        double sum = 0.0;
        for (Eigen::Index j = 0; j < cosines.size(); ++j) {
            double slope = 0.0;
            add(j, directions.row(j).dot(u), sum, slope);
            g += 2.0 * slope * directions.row(j).transpose();
        }
        return g - g.dot(u) * u;
    }

    LocalPlacement local;
    Matrix directions;
    Vector cosines;
    double own = 0.0;
};

class LocallyPlaced : public testing::TestWithParam<std::tuple<Index, Index, double>> {
protected:
    Example e = example(400, 50, std::get<0>(GetParam()), std::get<1>(GetParam()), std::get<2>(GetParam()));
};

INSTANTIATE_TEST_SUITE_P(DimensionsNeighborsAndWeights, LocallyPlaced,
                         testing::Combine(testing::Values<Index>(2, 8, 17), testing::Values<Index>(1, 6, 40),
                                          testing::Values(0.0, 0.1, 1.0)));

TEST_P(LocallyPlaced, AreStationaryForTheSumOverAllFittedPoints) {
    // One neighbour in eight dimensions leaves a flat valley of minima, which takes more steps than the default has.
    const Placed placed = place(e, e.rows, {.steps = 1000, .tolerance = 1e-5});
    EXPECT_EQ(placed.counts.unsettled, 0U);
    for (Index i = 0; i < e.rows.count(); ++i) {
        const Objective g(e, row_of(e.rows, i));
        const Vector u = row_of(placed.outputs, i).normalized();
        EXPECT_LT(g.gradient(u).norm(), 1e-3 * (1.0 + std::sqrt(g.value(u)))) << i;
    }
}

TEST_P(LocallyPlaced, AreNoHigherThanTheirStartNorThanWhatIsNearThem) {
    const Points start = place(e, e.rows, {.steps = 0}).outputs;
    const Points placed = place(e, e.rows).outputs;
    const Index d = e.outputs.dimension();
    for (Index i = 0; i < e.rows.count(); ++i) {
        const Objective g(e, row_of(e.rows, i));
        const Vector u = row_of(placed, i).normalized();
        const double lowest = g.value(u);
        EXPECT_LE(lowest, g.value(row_of(start, i).normalized()) * (1.0 + 1e-5) + 1e-9) << i;
        for (std::uint64_t k = 0; k < 5; ++k) {
            const Vector move = 0.01 * support::random_matrix(d, 1, 10 * i + k).normalized();
            EXPECT_LE(lowest, g.value((u + move).normalized()) * (1.0 + 1e-5) + 1e-6) << i;
        }
    }
}

TEST_P(LocallyPlaced, AreTheSameBitsAloneInABatchInAnyOrderAndOnAnyNumberOfThreads) {
    const Placement placement(e.inputs.view(), e.outputs.view(), e.form, {}, on_threads(3));
    const Points batch = placement.place(e.rows.view(), on_threads(1)).outputs;
    EXPECT_EQ(to_matrix(placement.place(e.rows.view(), on_threads(2)).outputs), to_matrix(batch));
    EXPECT_EQ(to_matrix(place(e, e.rows, {}, 3).outputs), to_matrix(batch));
    const auto order = reference::shuffled(e.rows.count(), 1);
    EXPECT_EQ(to_matrix(placement.place(reference::reordered(e.rows, order).view(), on_threads(2)).outputs),
              to_matrix(reference::reordered(batch, order)));
    for (Index i = 0; i < e.rows.count(); i += 7) {
        const Points alone = placement.place(PointsView(e.rows[i].data(), 1, 20), on_threads(2)).outputs;
        EXPECT_EQ(to_matrix(alone).row(0), to_matrix(batch).row(i));
    }
}

TEST(LocalPlacement, PutsPointsOfASphereWhereTheyBelong) {
    for (const Index d : {2U, 3U, 5U, 16U}) {
        const Matrix embedding = support::random_orthonormal(40, d, 1).transpose();
        const Matrix truth = support::random_matrix(600, d, 2);
        const Matrix unseen = support::random_matrix(100, d, 3);
        Example e{support::to_points(truth * embedding),
                  support::to_points(truth),
                  support::to_points(unseen * embedding),
                  {}};
        e.form = {2 * d, 0.1, 0.3};
        const Placed placed = place(e, e.rows);
        EXPECT_EQ(placed.counts.isolated + placed.counts.unsettled, 0U);
        const Matrix error = to_matrix(placed.outputs) - unseen;
        EXPECT_LT((error.rowwise().norm().array() / unseen.rowwise().norm().array()).maxCoeff(), 1e-3) << d;
    }
}

TEST(LocalPlacement, GivesFittedRowsTheirStoredOutputsAndZerosZero) {
    Example e = example(300, 3, 5, 6, 0.1);
    std::fill(e.inputs[7].begin(), e.inputs[7].end(), 0.0F);
    std::fill(e.outputs[7].begin(), e.outputs[7].end(), 0.0F);
    const Placed placed = place(e, e.inputs);
    EXPECT_EQ(placed.counts.fitted, 300U);
    EXPECT_EQ(to_matrix(placed.outputs), to_matrix(e.outputs));
    std::fill(e.rows[1].begin(), e.rows[1].end(), 0.0F);
    e.inputs[7][0] = 1.0F;  // fitted, but of no output's direction
    const Placed others = place(e, e.rows);
    EXPECT_EQ(others.counts.zero_vectors, 1U);
    EXPECT_EQ(row_of(others.outputs, 1).norm(), 0.0);
    EXPECT_TRUE(to_matrix(others.outputs).allFinite());
}

TEST(LocalPlacement, IsMovedByNoFittedPointWithoutADirection) {
    const Example e = example(150, 40, 4, 6, 0.1);
    Example more{Points(152, 20), Points(152, 4), e.rows, e.form};
    more.inputs[1][3] = 1.0F;
    std::copy(e.inputs.values().begin(), e.inputs.values().end(), more.inputs[2].begin());
    std::copy(e.outputs.values().begin(), e.outputs.values().end(), more.outputs[2].begin());
    EXPECT_EQ(to_matrix(place(more, e.rows).outputs), to_matrix(place(e, e.rows).outputs));
}

TEST(LocalPlacement, TakesAwkwardPointsAndMoreNeighborsThanFittedPoints) {
    for (const Index fitted : {1U, 2U, 10U, 47U, 48U, 49U, 97U}) {
        for (const Index k : {1U, 10U, 200U}) {
            for (const double weight : {0.0, 1.0}) {
                Example e{reference::awkward_points(fitted, 6, 1),
                          reference::awkward_points(fitted, 3, 1),
                          reference::awkward_points(50, 6, 2),
                          {}};
                e.inputs[0][0] = e.outputs[0][0] = 1.0F;
                e.form = {k, weight, 0.3};
                const Placed placed = place(e, e.rows);
                EXPECT_TRUE(to_matrix(placed.outputs).allFinite());
                EXPECT_EQ(placed.counts.unsettled, 0U);
            }
        }
    }
}

TEST(LocalPlacement, StatesTheNearestPointsOfEachRow) {
    const auto need = [](Index k) {
        const Example e = example(300, 3, 4, k, 0.1);
        const Placement placement(e.inputs.view(), e.outputs.view(), e.form, {}, {});
        return support::stated_need([&](const RunContext& context) { (void)placement.place(e.rows.view(), context); });
    };
    constexpr std::uint64_t of_row = sizeof(Index) + sizeof(float);
    EXPECT_GE(need(200), need(10) + 48 * of_row * (200 - 10));
    EXPECT_EQ(need(10), need(1));  // `neighbors` is 10
    EXPECT_EQ(need(300), need(1000));
}

TEST(LocalPlacement, RefusesWhatIsOutOfBounds) {
    const Example e = example(50, 3, 4, 6, 0.1);
    const auto refused = [&](auto change) {
        LocalPlacement form = e.form;
        change(form);
        EXPECT_THROW(Placement(e.inputs.view(), e.outputs.view(), form, {}, {}), InvalidArgument);
    };
    refused([](LocalPlacement& local) { local.neighbors = 0; });
    refused([](LocalPlacement& local) { local.weight = 100.5; });
    refused([](LocalPlacement& local) { local.weight = -0.1; });
    refused([](LocalPlacement& local) { local.threshold = 0.0; });
    RunContext context = on_threads(1);
    context.memory_limit = Placement::bytes(50, 20, 4) - 1;
    EXPECT_THROW(Placement(e.inputs.view(), e.outputs.view(), e.form, {}, context), LimitExceeded);
}

}  // namespace
}  // namespace isogon::local_placement_test
