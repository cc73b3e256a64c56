#include "forces/force_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "forces/repulsion.hpp"
#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"
#include "support/layouts.hpp"

namespace isogon::force_layout_test {

namespace {

TEST(Schedule, BeginsExaggeratedAndSlow) {
    const Schedule schedule = tsne_schedule(2400);
    ASSERT_EQ(schedule.phases.size(), 2U);
    EXPECT_EQ(schedule.iterations(), 750);
    EXPECT_EQ(schedule.phases[0].iterations, 250);
    EXPECT_EQ(schedule.phases[0].exaggeration, 12.0);
    EXPECT_EQ(schedule.phases[0].learning_rate, 200.0);
    EXPECT_EQ(schedule.phases[1].exaggeration, 1.0);
    EXPECT_EQ(schedule.phases[1].learning_rate, 2400.0);
    EXPECT_LT(schedule.phases[0].momentum, schedule.phases[1].momentum);
}

TEST(Schedule, FewIterationsAreAThirdExaggeratedAndManyNotMore) {
    EXPECT_EQ(tsne_schedule(100, {.iterations = 30}).phases[0].iterations, 10);
    EXPECT_EQ(tsne_schedule(100, {.iterations = 1}).phases[0].iterations, 0);
    EXPECT_EQ(tsne_schedule(100, {.iterations = 5000}).phases[0].iterations, 250);
    EXPECT_EQ(tsne_schedule(100, {.iterations = 5000}).iterations(), 5000);
}

TEST(Schedule, TakesTheRateAndExaggerationThatAreGiven) {
    const Schedule schedule = tsne_schedule(100, {.exaggeration = 4.0, .learning_rate = 7.0});
    EXPECT_EQ(schedule.phases[0].exaggeration, 4.0);
    EXPECT_EQ(schedule.phases[0].learning_rate, 7.0);
    EXPECT_EQ(schedule.phases[1].learning_rate, 7.0);
}

TEST(Schedule, AnIterationBelongsToTheFirstPhaseThatIsNotOver) {
    const Schedule schedule{{{2}, {0}, {3}}};
    const std::vector<std::size_t> places{0, 0, 2, 2, 2, 2};
    for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(schedule.phase_at(i), places[static_cast<std::size_t>(i)]) << i;
    }
}

TEST(Attraction, AttractionIsAQuarterOfTheGradientOfTheCost) {
    const CsrMatrix<float> edges = support::random_probabilities(40, 5);
    for (const Index dimension : {1, 2, 3, 4}) {
        for (const OutputKernel kernel : {OutputKernel{}, OutputKernel{1.6, 0.9}}) {
            MultiVector<double> y = support::random_outputs(40, dimension, 2.0);
            MultiVector<double> pulls(40, dimension);
            attract(edges, kernel, y, pulls, {});
            constexpr double h = 1e-5;
            for (const std::size_t k : {0, 17, 28, 39}) {
                const double here = y.values()[k];
                y.values()[k] = here + h;
                const double above = attraction_cost(edges, kernel, y, {});
                y.values()[k] = here - h;
                const double below = attraction_cost(edges, kernel, y, {});
                y.values()[k] = here;
                EXPECT_NEAR(4.0 * pulls.values()[k], (above - below) / (2.0 * h), 1e-8);
            }
        }
    }
}

TEST(Attraction, CostAndEntropyAreTheirSums) {
    const CsrMatrix<float> edges = support::random_probabilities(30, 4);
    const MultiVector<double> y = support::random_outputs(30, 2, 1.0);
    double cost = 0.0;
    double entropy = 0.0;
    for (Index i = 0; i < 30; ++i) {
        for (std::size_t e = 0; e < edges.row_indices(i).size(); ++e) {
            const Index j = edges.row_indices(i)[e];
            const double s = std::pow(y.at(i, 0) - y.at(j, 0), 2) + std::pow(y.at(i, 1) - y.at(j, 1), 2);
            cost += double{edges.row_values(i)[e]} * std::log(1.0 + s);
            entropy += double{edges.row_values(i)[e]} * std::log(double{edges.row_values(i)[e]});
        }
    }
    EXPECT_NEAR(attraction_cost(edges, {}, y, {}), cost, 1e-12);
    EXPECT_NEAR(negative_entropy(edges, {}), entropy, 1e-12);
}

TEST(Attraction, AWeightThatVanishedIsNoTrouble) {
    CsrMatrix<float> edges = support::random_probabilities(20, 3);
    edges.values.assign(edges.values.size(), 0.0F);
    EXPECT_EQ(negative_entropy(edges, {}), 0.0);
}

TEST(Attraction, HasTheSameBitsOnAnyNumberOfThreads) {
    const CsrMatrix<float> edges = support::random_probabilities(700, 6);
    const MultiVector<double> y = support::random_outputs(700, 2, 3.0);
    MultiVector<double> one(700, 2);
    MultiVector<double> three(700, 2);
    attract(edges, {}, y, one, reference::on_threads(1));
    attract(edges, {}, y, three, reference::on_threads(3));
    EXPECT_EQ(one.values(), three.values());
    EXPECT_EQ(attraction_cost(edges, {}, y, reference::on_threads(1)),
              attraction_cost(edges, {}, y, reference::on_threads(3)));
}

constexpr double rounding_of_shares = 1e-7;  // on their sum, which is 1 in float32, through the logarithm of Z

TEST(ForceLayout, TheGradientIsThatOfTheDivergence) {
    const CsrMatrix<float> edges = support::random_probabilities(40, 5);
    ExactRepulsion exact;
    for (const Index dimension : {1, 2, 3, 5}) {
        MultiVector<double> y = support::random_outputs(40, dimension, 1.5);
        MultiVector<double> gradient(40, dimension);
        ForceLayout layout(edges, exact, y, tsne_schedule(40), {});
        (void)layout.gradient(1.0, gradient, {});
        EXPECT_NEAR(layout.divergence({}), support::divergence(edges, y), rounding_of_shares);
        constexpr double h = 1e-5;
        for (std::size_t k = 0; k < y.values().size(); k += 7) {
            const double here = y.values()[k];
            y.values()[k] = here + h;
            const double above = support::divergence(edges, y);
            y.values()[k] = here - h;
            const double below = support::divergence(edges, y);
            y.values()[k] = here;
            EXPECT_NEAR(4.0 * gradient.values()[k], (above - below) / (2.0 * h), 1e-8);
        }
    }
}

TEST(ForceLayout, ExaggerationMultipliesWhatEdgesPullWith) {
    const CsrMatrix<float> edges = support::random_probabilities(40, 5);
    ExactRepulsion exact;
    ForceLayout layout(edges, exact, support::random_outputs(40, 2, 1.5), tsne_schedule(40), {});
    MultiVector<double> once(40, 2);
    MultiVector<double> twice(40, 2);
    MultiVector<double> thrice(40, 2);
    (void)layout.gradient(1.0, once, {});
    (void)layout.gradient(2.0, twice, {});
    (void)layout.gradient(3.0, thrice, {});
    for (std::size_t k = 0; k < 80; ++k) {
        EXPECT_NEAR(thrice.values()[k] - twice.values()[k], twice.values()[k] - once.values()[k], 1e-15);
        EXPECT_NE(twice.values()[k], once.values()[k]);
    }
}

TEST(ForceLayout, LowersItsObjectiveAndReportsIt) {
    const CsrMatrix<float> edges = support::random_probabilities(150, 8);
    ExactRepulsion exact;
    const MultiVector<double> start = support::random_outputs(150, 2, 1e-4);
    ForceLayout layout(edges, exact, start, tsne_schedule(150), {});
    const double before = layout.divergence({});
    EXPECT_EQ(layout.run_to(1000), Termination::Converged);
    EXPECT_EQ(layout.iteration(), 750);
    const double after = layout.divergence({});
    EXPECT_LT(after, 0.5 * before);
    EXPECT_NEAR(after, support::divergence(edges, layout.outputs()), rounding_of_shares);
    ASSERT_EQ(layout.trace().size(), 15U);
    EXPECT_NEAR(layout.trace().front().objective, before, 1e-12);
    EXPECT_EQ(layout.trace()[3].iteration, 150);
    EXPECT_EQ(layout.trace()[3].change, layout.trace()[2].objective - layout.trace()[3].objective);
}

TEST(ForceLayout, ContinuesToTheSameBitsOnAnyNumberOfThreads) {
    const CsrMatrix<float> edges = support::random_probabilities(300, 6);
    const MultiVector<double> start = support::random_outputs(300, 2, 1e-4);
    ExactRepulsion exact;
    const RunContext one = reference::on_threads(1);
    const RunContext three = reference::on_threads(3);
    ForceLayout whole(edges, exact, start, tsne_schedule(300, {.iterations = 90}), one);
    ForceLayout parts(edges, exact, start, tsne_schedule(300, {.iterations = 90}), three);
    EXPECT_EQ(whole.run_to(90), Termination::Converged);
    EXPECT_EQ(parts.run_to(29), Termination::IterationLimit);
    EXPECT_EQ(parts.run_to(30), Termination::IterationLimit);
    EXPECT_EQ(parts.run_to(30), Termination::IterationLimit);
    EXPECT_EQ(parts.run_to(90), Termination::Converged);
    EXPECT_EQ(whole.outputs().values(), parts.outputs().values());
}

TEST(ForceLayout, ReturnsTheCurrentResultWhenCancelled) {
    const CsrMatrix<float> edges = support::random_probabilities(100, 5);
    ExactRepulsion exact;
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    Points seen;
    context.on_iteration = [&](const Progress& progress) {
        EXPECT_EQ(progress.phase, "layout");
        EXPECT_EQ(progress.total, 750U);
        if (progress.done == 20) {
            seen = progress.coordinates();
            stop.request_stop();
        }
    };
    ForceLayout layout(edges, exact, support::random_outputs(100, 2, 1e-4), tsne_schedule(100), context);
    EXPECT_EQ(layout.run_to(750), Termination::Cancelled);
    EXPECT_EQ(std::move(seen).values(), to_points(layout.outputs()).values());
    EXPECT_EQ(layout.iteration(), 20);
    ForceLayout twenty(edges, exact, support::random_outputs(100, 2, 1e-4), tsne_schedule(100), {});
    (void)twenty.run_to(20);
    EXPECT_EQ(layout.outputs().values(), twenty.outputs().values());
}

TEST(ForceLayout, FewPointsAndHighRatesStayNumbers) {
    ExactRepulsion exact;
    for (const Index count : {2, 3, 5, 10}) {
        const CsrMatrix<float> edges = support::random_probabilities(count, 1);
        for (const double rate : {1.0, 200.0, 1e9}) {
            const Schedule schedule = tsne_schedule(count, {.learning_rate = rate});
            ForceLayout layout(edges, exact, support::random_outputs(count, 2, 1e-4), schedule, {});
            (void)layout.run_to(750);
            EXPECT_TRUE(std::isfinite(layout.divergence({}))) << count << " points at rate " << rate;
        }
    }
}

TEST(ForceLayout, RefusesAStartOfOtherPoints) {
    const CsrMatrix<float> edges = support::random_probabilities(20, 3);
    ExactRepulsion exact;
    EXPECT_THROW(ForceLayout(edges, exact, MultiVector<double>(19, 2), tsne_schedule(20), {}), InvalidArgument);
}

TEST(ForceLayout, ContinuesFromACheckpointToTheSameBits) {
    const CsrMatrix<float> edges = support::random_probabilities(60, 5);
    const MultiVector<double> start = support::random_outputs(60, 2, 1e-4);
    const Schedule schedule = tsne_schedule(60, {.iterations = 120});
    ExactRepulsion exact;
    ForceLayout whole(edges, exact, start, schedule, {});
    (void)whole.run_to(120);
    for (const int halfway : {0, 1, 40, 50, 51, 120}) {
        ForceLayout first(edges, exact, start, schedule, {});
        (void)first.run_to(halfway);
        Archive saved;
        first.save(saved);
        ForceLayout second(edges, exact, support::random_outputs(60, 2, 3.0, 5), schedule, {});
        second.restore(saved);
        EXPECT_EQ(second.run_to(120), Termination::Converged);
        EXPECT_EQ(second.outputs().values(), whole.outputs().values()) << halfway;
        ASSERT_EQ(second.trace().size(), whole.trace().size());
        for (std::size_t k = 0; k < whole.trace().size(); ++k) {
            EXPECT_EQ(second.trace()[k].iteration, whole.trace()[k].iteration);
            EXPECT_EQ(second.trace()[k].objective, whole.trace()[k].objective);
        }
    }
}

TEST(ForceLayout, WhatIsDrawnFollowsFromTheIteration) {
    const CsrMatrix<float> edges = support::random_probabilities(60, 5);
    const MultiVector<double> start = support::random_outputs(60, 2, 1e-4);
    const Schedule schedule = tsne_schedule(60, {.iterations = 60});
    SampledRepulsion sampled(10);
    ForceLayout whole(edges, sampled, start, schedule, {});
    (void)whole.run_to(60);
    Archive saved;
    {
        ForceLayout first(edges, sampled, start, schedule, {});
        (void)first.run_to(31);
        (void)first.divergence({});
        first.save(saved);
    }
    ForceLayout second(edges, sampled, start, schedule, {});
    second.restore(saved);
    (void)second.run_to(60);
    EXPECT_EQ(second.outputs().values(), whole.outputs().values());
}

/// A checkpoint of which one number of an array is another.
Archive with_number(Archive saved, const std::string& name, std::size_t place, double number) {
    std::get<std::vector<double>>(saved.arrays.at(name).values).at(place) = number;
    return saved;
}

TEST(ForceLayout, RefusesACheckpointThatNoRunLeaves) {
    const CsrMatrix<float> edges = support::random_probabilities(60, 5);
    ExactRepulsion exact;
    const MultiVector<double> start = support::random_outputs(60, 2, 1.0);
    ForceLayout layout(edges, exact, start, tsne_schedule(60), {});
    (void)layout.run_to(60);
    Archive saved;
    layout.save(saved);
    ForceLayout other(edges, exact, start, tsne_schedule(60), {});
    const MultiVector<double> before = other.outputs();
    constexpr double most = std::numeric_limits<double>::max();
    // 60 steps of at most 5, about a mean that is 0 again.
    for (const Archive& wrong : {with_number(saved, "outputs", 7, most), with_number(saved, "outputs", 7, -700.0),
                                 with_number(saved, "steps", 0, 5.1), with_number(saved, "steps", 0, -most),
                                 with_number(saved, "gains", 119, 0.0), with_number(saved, "gains", 119, most),
                                 with_number(saved, "trace", 3, most), with_number(saved, "trace", 3, std::nan(""))}) {
        EXPECT_THROW(other.restore(wrong), InputError);
        EXPECT_EQ(other.outputs().values(), before.values());
        EXPECT_EQ(other.iteration(), 0);
    }
    EXPECT_NO_THROW(other.restore(with_number(saved, "outputs", 7, 500.0)));
}

TEST(ForceLayout, RefusesACheckpointThatIsNotOfItsShape) {
    const CsrMatrix<float> edges = support::random_probabilities(60, 5);
    ExactRepulsion exact;
    ForceLayout layout(edges, exact, support::random_outputs(60, 2, 1.0), tsne_schedule(60), {});
    (void)layout.run_to(60);
    Archive saved;
    layout.save(saved);
    ForceLayout wider(edges, exact, support::random_outputs(60, 3, 1.0), tsne_schedule(60), {});
    EXPECT_THROW(wider.restore(saved), InputError);
    EXPECT_THROW(layout.restore(Archive{}), InputError);
    for (const std::uint64_t beyond : {std::uint64_t{751}, std::uint64_t{100000}, ~std::uint64_t{0}}) {
        saved.arrays.erase("iteration");
        saved.add_count("iteration", beyond);
        EXPECT_THROW(layout.restore(saved), InputError) << beyond;
    }
    ForceLayout shorter(edges, exact, support::random_outputs(60, 2, 1.0), tsne_schedule(60, {.iterations = 59}), {});
    saved.arrays.erase("iteration");
    saved.add_count("iteration", 60);
    EXPECT_THROW(shorter.restore(saved), InputError);
    saved.arrays.erase("iteration");
    saved.add_count("iteration", 51);  // a trace has as many lines as at 60, but not as at 50
    saved.arrays.erase("trace");
    saved.add("trace", Array{{1, 3}, std::vector<double>{1.0, 0.0, 0.0}});
    const MultiVector<double> before = layout.outputs();
    EXPECT_THROW(layout.restore(saved), InputError);
    EXPECT_EQ(layout.outputs().values(), before.values());
}

/// At rest, the spring of a held output balances the forces of the others: hold / (1 - hold) times the way back is n
/// times the quarter of the gradient. Outputs that are fixed do not move at all.
TEST(ForceLayout, HeldOutputsComeToRestWhereSpringsBalanceTheForces) {
    const CsrMatrix<float> edges = support::random_probabilities(40, 5);
    const MultiVector<double> start = support::random_outputs(40, 2, 3.0);
    Points places(40, 2);
    std::ranges::transform(start.values(), places.values().begin(), [](double v) { return static_cast<float>(v); });
    for (Index i = 0; i < 40; i += 4) {
        places[i][0] = std::numeric_limits<float>::quiet_NaN();
    }
    for (const double hold : {0.3, 0.8}) {
        ExactRepulsion repulsion;
        ForceLayout layout(edges, repulsion, {start, {places.view(), hold}}, tsne_schedule(40, {.iterations = 4000}),
                           {});
        EXPECT_EQ(layout.run_to(4000), Termination::Converged);
        MultiVector<double> gradient(40, 2);
        (void)layout.gradient(1.0, gradient, {});
        for (Index i = 0; i < 40; ++i) {
            for (Index c = 0; c < 2; ++c) {
                const double back = i % 4 == 0 ? 0.0 : double{places[i][c]} - layout.outputs().at(i, c);
                EXPECT_NEAR(40.0 * gradient.at(i, c), hold / (1.0 - hold) * back, 1e-3) << i << " " << hold;
            }
        }
    }
    ExactRepulsion repulsion;
    ForceLayout layout(edges, repulsion, {start, {places.view(), 1.0}}, tsne_schedule(40, {.iterations = 50}), {});
    (void)layout.run_to(50);
    for (Index i = 1; i < 40; i += 4) {
        EXPECT_NEAR(layout.outputs().at(i, 0), places[i][0], 1e-6);
    }
    EXPECT_GT(std::abs(layout.outputs().at(0, 1) - places[0][1]), 1e-3);
}

}  // namespace

}  // namespace isogon::force_layout_test
