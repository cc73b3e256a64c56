#include "isogon/transform/lifted_placement.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/transform/placement.hpp"
#include "support/placements.hpp"

namespace isogon::lifted_placement_test {

namespace {

using reference::on_threads;
using reference::random_points;

constexpr double tau = 0.4;

/// Fitted points with some [y, s]: directions shortened and lengthened.
struct Example {
    Points inputs = support::placements::example(300, 40, 5, tau).inputs;
    Points rows = support::placements::example(300, 40, 5, tau).rows;
    Points outputs = lifted();

    [[nodiscard]] Points lifted() const {
        const Points y = support::placements::example(300, 40, 5, tau).outputs;
        Points z(y.count(), 6);
        for (Index j = 0; j < y.count(); ++j) {
            const double length = norms(PointsView{y[j].data(), 1, 5}).front();
            const float scale = static_cast<float>((0.7 + 0.002 * j) / length);
            std::transform(y[j].begin(), y[j].end(), z[j].begin(), [scale](float value) { return value * scale; });
            z[j].back() = 0.4F + 0.001F * static_cast<float>(j);
        }
        return z;
    }

    [[nodiscard]] Points on_spheres() const {
        Points z = outputs;
        for (Index j = 0; j < z.count(); ++j) {
            const double length = norms(PointsView{z[j].data(), 1, 5}).front();
            for (Index k = 0; k < 5; ++k) {
                z[j][k] = static_cast<float>(double{z[j][k]} / length);
            }
            z[j].back() = static_cast<float>(std::sqrt(tau));
        }
        return z;
    }
};

Transformed place(const Points& inputs, const Points& outputs, const Points& rows, bool relaxed = true,
                  SearchSide side = SearchSide::Stored, int threads = 2) {
    return LiftedPlacement(inputs.view(), outputs.view(), tau, relaxed, side, on_threads(threads))
        .transform(rows.view(), on_threads(threads));
}

/// Half the gradient of f at an output, from its definition, and the sum of the absolute values of its terms.
std::pair<Eigen::VectorXd, double> slow_gradient(const Example& e, std::span<const float> x,
                                                 std::span<const float> output) {
    std::vector<double> cosines;
    for (Index j = 0; j < e.inputs.count(); ++j) {
        double product = 0.0;
        for (std::size_t k = 0; k < x.size(); ++k) {
            product += double{x[k]} * double{e.inputs[j][k]};
        }
        cosines.push_back(product / norms(PointsView{x.data(), 1, static_cast<Index>(x.size())}).front() /
                          norms(PointsView{e.inputs[j].data(), 1, e.inputs.dimension()}).front());
    }
    std::vector<Index> nearest(cosines.size());
    for (Index j = 0; j < nearest.size(); ++j) {
        nearest[j] = j;
    }
    std::stable_sort(nearest.begin(), nearest.end(), [&](Index a, Index b) { return cosines[a] > cosines[b]; });
    nearest.resize(10);
    const auto above =
        static_cast<std::size_t>(std::count_if(cosines.begin(), cosines.end(), [](double c) { return c > tau; }));
    const auto fitted = [&](Index j, double sign) {
        Eigen::VectorXd z(6);
        for (Index k = 0; k < 6; ++k) {
            z[k] = double{e.outputs[j][k]} * (k == 5 ? sign : 1.0);
        }
        return z;
    };
    Eigen::VectorXd v(6);
    std::copy(output.begin(), output.end(), v.begin());
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(6);
    double size = 0.0;
    for (Index j = 0; j < cosines.size(); ++j) {
        const bool tied = above > 0 ? cosines[j] > tau : std::count(nearest.begin(), nearest.end(), j) > 0;
        const double l = v.dot(fitted(j, -1.0));
        const double residual = tied ? l - (cosines[j] - tau) : std::max(0.0, l);
        gradient += residual * fitted(j, -1.0);
        size += std::abs(residual);
    }
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(6);
    double weights = 0.0;
    for (const Index j : nearest) {
        mean += std::max(cosines[j], 1e-6) * fitted(j, 1.0);
        weights += std::max(cosines[j], 1e-6);
    }
    gradient += 0.1 * static_cast<double>(above > 0 ? above : 10) * (v - mean / weights);
    return {gradient, size};
}

}  // namespace

// f is convex: where its gradient vanishes is the minimum.
TEST(LiftedPlacement, IsTheMinimumOfItsEquation) {
    const Example e;
    Points rows = e.rows;
    std::transform(rows[3].begin(), rows[3].end(), rows[3].begin(),
                   [](float value) { return -value; });  // far from all
    const Transformed placed = place(e.inputs, e.outputs, rows);
    EXPECT_EQ(placed.summary.value("unsettled"), 0.0);
    for (Index i = 0; i < rows.count(); ++i) {
        const auto [gradient, size] = slow_gradient(e, rows[i], placed.coordinates[i]);
        EXPECT_LT(gradient.norm(), 1e-4 * (1.0 + size)) << i;
    }
}

TEST(LiftedPlacement, RowsAreIndependentOnAnyNumberOfThreads) {
    const Example e;
    for (const bool relaxed : {true, false}) {
        const Points outputs = relaxed ? e.outputs : e.on_spheres();
        const Points together = place(e.inputs, outputs, e.rows, relaxed).coordinates;
        for (const Index i : {Index{0}, Index{39}}) {
            const Points one =
                place(e.inputs, outputs, support::placements::slice(e.rows, i, 1), relaxed, SearchSide::Stored, 1)
                    .coordinates;
            EXPECT_TRUE(std::equal(one[0].begin(), one[0].end(), together[i].begin())) << relaxed;
        }
    }
}

TEST(LiftedPlacement, LengthsDoNotCountAndKnownRowsKeepWhatTheyHave) {
    const Example e;
    Points rows = e.rows;
    for (Index k = 0; k < rows.dimension(); ++k) {
        rows[1][k] = 4.0F * rows[0][k];
        rows[2][k] = 0.0F;
        rows[3][k] = e.inputs[17][k];
    }
    const Transformed placed = place(e.inputs, e.outputs, rows);
    for (Index k = 0; k < 6; ++k) {
        EXPECT_NEAR(placed.coordinates[0][k], placed.coordinates[1][k], 1e-5);
        EXPECT_EQ(placed.coordinates[2][k], 0.0F);
        EXPECT_EQ(placed.coordinates[3][k], e.outputs[17][k]);
    }
    EXPECT_EQ(placed.summary.value("fitted_rows"), 1.0);
    EXPECT_EQ(placed.summary.value("zero_vectors"), 1.0);
    const Points asked = place(e.inputs, e.outputs, rows, true, SearchSide::Query).coordinates;
    for (Index i = 0; i < rows.count(); ++i) {
        EXPECT_EQ(asked[i].back(), -placed.coordinates[i].back());
        EXPECT_EQ(asked[i].front(), placed.coordinates[i].front());
    }
}

TEST(LiftedPlacement, OnSpheresIsPlacementByTheThreshold) {
    const Example e;
    const Points z = e.on_spheres();
    const Points placed = place(e.inputs, z, e.rows, false).coordinates;
    const PointsView y{z.view().data, z.count(), 5, z.view().stride};
    const Points other = Placement(e.inputs.view(), y, tau, {}, on_threads(1)).place(e.rows.view(), {}).outputs;
    const std::vector<double> lengths = norms(other.view());
    for (Index i = 0; i < placed.count(); ++i) {
        for (Index k = 0; k < 5; ++k) {
            EXPECT_NEAR(placed[i][k], double{other[i][k]} / lengths[i], 1e-3);
        }
        EXPECT_EQ(placed[i].back(), static_cast<float>(std::sqrt(tau)));
    }
}

TEST(LiftedPlacement, WhatCannotBeIsRefused) {
    const Example e;
    const auto make = [&](const Points& inputs, const Points& outputs, double threshold) {
        return LiftedPlacement(inputs.view(), outputs.view(), threshold, true, SearchSide::Stored, on_threads(1));
    };
    EXPECT_THROW((void)make(e.inputs, e.outputs, 1.0), InvalidArgument);
    EXPECT_THROW((void)make(e.inputs, random_points(300, 1, 1), tau), InvalidArgument);
    EXPECT_THROW((void)make(e.inputs, random_points(299, 6, 1), tau), InvalidArgument);
    EXPECT_THROW((void)make(Points(300, 4), e.outputs, tau), InputError);
    Points bad = e.outputs;
    bad[5][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW((void)make(e.inputs, bad, tau), InputError);
    bad = e.rows;
    bad[2][0] = std::numeric_limits<float>::infinity();
    EXPECT_THROW((void)place(e.inputs, e.outputs, bad), InputError);
    RunContext small = on_threads(1);
    small.memory_limit = 1000;
    EXPECT_THROW((void)LiftedPlacement(e.inputs.view(), e.outputs.view(), tau, true, SearchSide::Stored, small),
                 LimitExceeded);
}

}  // namespace isogon::lifted_placement_test
