#include "forces/sampled_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::sampled_layout_test {
namespace {

constexpr OutputKernel usual{1.577, 0.895};

bool same_bits(const SampledLayout& a, const SampledLayout& b) {
    return std::ranges::equal(a.outputs().values(), b.outputs().values());
}

bool are_numbers(const Points& points) {
    return std::ranges::all_of(points.values(), [](float value) { return std::isfinite(value); });
}

TEST(SampledLayout, LowersItsObjectiveAndReportsIt) {
    const CsrMatrix<double> edges = support::random_affinities(150, 8);
    SampledLayout layout(edges, support::random_outputs(150, 2, 5.0), {.kernel = usual, .epochs = 160}, {});
    const double before = layout.loss({});
    EXPECT_EQ(layout.run_to(1000), Termination::Converged);
    EXPECT_EQ(layout.epoch(), 160);
    EXPECT_LT(layout.loss({}), 0.8 * before);
    ASSERT_EQ(layout.trace().size(), 4U);
    EXPECT_EQ(layout.trace().front().objective, before);
    EXPECT_EQ(layout.trace()[2].iteration, 100);
    EXPECT_EQ(layout.trace()[2].change, layout.trace()[1].objective - layout.trace()[2].objective);
}

/// With so many draws that their mean is that over all pairs.
TEST(SampledLayout, TheLossIsThatOfItsDefinition) {
    const CsrMatrix<double> edges = support::random_affinities(30, 3);
    const MultiVector<double> y = support::random_outputs(30, 2, 2.0);
    constexpr int negatives = 3000;
    const SampledLayout layout(edges, y, {.kernel = usual, .negatives = negatives}, {});
    double cost = 0.0;
    double weight = 0.0;
    for (Index i = 0; i < 30; ++i) {
        const auto squared = [&](Index j) {
            return std::pow(y.at(i, 0) - y.at(j, 0), 2) + std::pow(y.at(i, 1) - y.at(j, 1), 2);
        };
        double gaps = 0.0;
        for (Index j = 0; j < 30; ++j) {
            gaps += i == j ? 0.0 : usual.gap_cost(squared(j)) / 29.0;
        }
        for (std::size_t k = 0; k < edges.row_indices(i).size(); ++k) {
            const double w = edges.row_values(i)[k];
            weight += w;
            cost += w * (-std::log(usual.value(squared(edges.row_indices(i)[k]))) + negatives * gaps);
        }
    }
    EXPECT_NEAR(layout.loss({}), cost / weight, 0.03 * cost / weight);
}

TEST(SampledLayout, ContinuesToTheSameBitsOnAnyNumberOfThreads) {
    const CsrMatrix<double> edges = support::random_affinities(1500, 4);
    for (const Index dimension : {2, 5}) {
        const MultiVector<double> start = support::random_outputs(1500, dimension, 3.0);
        const SamplingOptions options{.kernel = usual, .epochs = 30, .seed = 4};
        SampledLayout whole(edges, start, options, reference::on_threads(1));
        SampledLayout parts(edges, start, options, reference::on_threads(3));
        EXPECT_EQ(whole.run_to(30), Termination::Converged);
        EXPECT_EQ(parts.run_to(7), Termination::IterationLimit);
        EXPECT_EQ(parts.run_to(8), Termination::IterationLimit);
        EXPECT_EQ(parts.run_to(8), Termination::IterationLimit);
        EXPECT_EQ(parts.run_to(30), Termination::Converged);
        EXPECT_TRUE(same_bits(whole, parts));
        SampledLayout other(edges, start, {.kernel = usual, .epochs = 30, .seed = 5}, {});
        (void)other.run_to(30);
        EXPECT_FALSE(same_bits(whole, other));
    }
}

TEST(SampledLayout, ReturnsTheCurrentResultWhenCancelled) {
    const CsrMatrix<double> edges = support::random_affinities(100, 5);
    const MultiVector<double> start = support::random_outputs(100, 2, 3.0);
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    Points seen;
    context.on_iteration = [&](const Progress& progress) {
        EXPECT_EQ(progress.phase, "layout");
        EXPECT_EQ(progress.total, 90U);
        if (progress.done == 20) {
            seen = progress.coordinates();
            stop.request_stop();
        }
    };
    SampledLayout layout(edges, start, {.epochs = 90}, context);
    EXPECT_EQ(layout.run_to(90), Termination::Cancelled);
    EXPECT_EQ(std::move(seen).values(), Points(layout.outputs()).values());
    EXPECT_EQ(layout.epoch(), 20);
    SampledLayout twenty(edges, start, {.epochs = 90}, {});
    (void)twenty.run_to(20);
    EXPECT_TRUE(same_bits(layout, twenty));
}

/// Both ends of an edge move by opposite steps.
TEST(SampledLayout, AttractionAloneLeavesTheMeanInPlace) {
    const CsrMatrix<double> edges = support::random_affinities(100, 6);
    SampledLayout layout(edges, support::random_outputs(100, 3, 4.0), {.kernel = usual, .epochs = 40, .negatives = 0},
                         {});
    const auto sum = [&](Index c) {
        double total = 0.0;
        for (Index i = 0; i < 100; ++i) {
            total += double{layout.outputs()[i][c]};
        }
        return total;
    };
    const double before[] = {sum(0), sum(1), sum(2)};
    const Points start = layout.outputs();
    (void)layout.run_to(40);
    EXPECT_FALSE(std::ranges::equal(start.values(), layout.outputs().values()));
    for (Index c = 0; c < 3; ++c) {
        EXPECT_NEAR(sum(c), before[c], 1e-3);
    }
}

/// Pulls of thousands of leaves, taken at once, would throw the middle of a star from one side to the other.
TEST(SampledLayout, TheMiddleOfAStarStaysAmongItsLeaves) {
    constexpr Index leaves = 3000;
    CsrMatrix<double> edges{.rows = leaves + 1, .columns = leaves + 1, .offsets = {0}};
    for (Index i = 0; i < leaves; ++i) {
        edges.indices.push_back(i + 1);
    }
    edges.indices.resize(2 * std::size_t{leaves}, 0);
    edges.values.assign(edges.indices.size(), 1.0);
    for (Index i = 0; i <= leaves; ++i) {
        edges.offsets.push_back(leaves + i);
    }
    SampledLayout layout(edges, support::random_outputs(leaves + 1, 2, 5.0), {.kernel = usual, .epochs = 200}, {});
    (void)layout.run_to(100);  // while steps are still long
    const Points& y = layout.outputs();
    double mean[] = {0.0, 0.0};
    for (Index i = 1; i <= leaves; ++i) {
        mean[0] += double{y[i][0]} / leaves;
        mean[1] += double{y[i][1]} / leaves;
    }
    const auto from_mean = [&](Index i) { return std::hypot(double{y[i][0]} - mean[0], double{y[i][1]} - mean[1]); };
    double width = 0.0;
    for (Index i = 1; i <= leaves; ++i) {
        width = std::max(width, from_mean(i));
    }
    EXPECT_LT(width, 60.0);
    EXPECT_LT(from_mean(0), 0.25 * width);
}

/// Half of the points have places; `hold` of the way back is taken in an epoch.
TEST(SampledLayout, HeldOutputsStayAndTheOthersComeToThem) {
    const CsrMatrix<double> edges = support::random_affinities(200, 6);
    const MultiVector<double> start = support::random_outputs(200, 2, 5.0);
    Points places(200, 2);
    for (Index i = 0; i < 200; ++i) {
        for (Index c = 0; c < 2; ++c) {
            places[i][c] = i % 2 == 0 ? static_cast<float>(start.at(i, c)) : std::numeric_limits<float>::quiet_NaN();
        }
    }
    const auto moved = [&](double hold) {
        SampledLayout layout(edges, start, {.kernel = usual, .epochs = 60, .anchors = {places.view(), hold}},
                             reference::on_threads(3));
        const double before = layout.loss({});
        (void)layout.run_to(60);
        EXPECT_LT(layout.loss({}), before) << hold;
        double sum = 0.0;
        for (Index i = 0; i < 200; i += 2) {
            sum += std::sqrt(squared_distance(layout.outputs()[i].data(), places[i].data(), 2)) / 100.0;
        }
        return sum;
    };
    const double free = moved(0.0);
    EXPECT_LT(moved(0.5), 0.7 * free);
    EXPECT_LT(moved(0.9), 0.5 * moved(0.5));
    EXPECT_EQ(moved(1.0), 0.0);
}

/// An edge to an output that stays pulls as often as one to an output that moves: two points come equally near in both.
TEST(SampledLayout, AFixedNeighbourPullsAsMuchAsAMovingOne) {
    const CsrMatrix<double> pair = reference::graph_of(2, {{0, 1, 1.0}});
    const auto gap = [&](double hold) {
        MultiVector<double> start(2, 1);
        start.at(1, 0) = 20.0;
        Points places(2, 1);
        places[1][0] = std::numeric_limits<float>::quiet_NaN();
        SampledLayout layout(pair, start,
                             {.kernel = usual, .epochs = 400, .negatives = 0, .anchors = {places.view(), hold}}, {});
        (void)layout.run_to(20);
        return double{layout.outputs()[1][0]} - double{layout.outputs()[0][0]};
    };
    EXPECT_NEAR((20.0 - gap(1.0)) / (20.0 - gap(0.0)), 0.5, 0.1);  // one of two ends moves
}

TEST(SampledLayout, RadiiFollowThoseOfTheInputsIfTheyAreToCount) {
    const CsrMatrix<double> edges = support::random_affinities(300, 6);
    std::vector<double> radii(300);
    for (Index i = 0; i < 300; ++i) {
        radii[i] = std::sin(static_cast<double>(i));
    }
    const auto correlation = [&](double weight) {
        SampledLayout layout(edges, support::random_outputs(300, 2, 5.0),
                             {.kernel = usual, .log_radii = radii, .density_weight = weight}, {});
        (void)layout.run_to(200);
        return layout.density_correlation({}).value_or(-1.0);
    };
    const double without = correlation(0.0);
    EXPECT_GT(correlation(2.0), without + 0.2);
    EXPECT_FALSE(SampledLayout(edges, support::random_outputs(300, 2, 5.0), {}, {}).density_correlation({}));
}

TEST(SampledLayout, FewPointsAndExtremesStayNumbers) {
    for (const Index count : {2, 3, 9, 20}) {
        const CsrMatrix<double> edges = support::random_affinities(count, 1);
        for (const double size : {0.0, 1e-20, 1.0, SampledLayout::largest_start / 10.0}) {
            for (const double rate : {1e-9, 1.0, 1000.0}) {
                SampledLayout layout(edges, support::random_outputs(count, 2, size),
                                     {.kernel = usual, .epochs = 20, .learning_rate = rate}, {});
                (void)layout.run_to(20);
                EXPECT_TRUE(are_numbers(layout.outputs())) << count << " points " << size;
                EXPECT_TRUE(std::isfinite(layout.loss({})));
            }
        }
    }
    CsrMatrix<double> nothing{.rows = 4, .columns = 4, .offsets = {0, 0, 0, 0, 0}};
    SampledLayout alone(nothing, support::random_outputs(4, 2, 1.0), {.epochs = 5}, {});
    EXPECT_EQ(alone.run_to(5), Termination::Converged);
    EXPECT_EQ(alone.loss({}), 0.0);
}

TEST(SampledLayout, RefusesAStartThatIsNone) {
    const CsrMatrix<double> edges = support::random_affinities(20, 3);
    EXPECT_THROW(SampledLayout(edges, MultiVector<double>(19, 2), {}, {}), InvalidArgument);
    MultiVector<double> far(20, 2);
    far.at(3, 1) = 1e16;
    EXPECT_THROW(SampledLayout(edges, far, {}, {}), InvalidArgument);
    far.at(3, 1) = NAN;
    EXPECT_THROW(SampledLayout(edges, far, {}, {}), InvalidArgument);
}

}  // namespace
}  // namespace isogon::sampled_layout_test
