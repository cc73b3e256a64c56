#include "registry/fit_series.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "isogon/core/error.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/registry/registry.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/series_examples.hpp"

namespace isogon::sweep_test {

namespace {

using reference::on_threads;
using support::curved_strip;
using support::whole;

OptionValue word(std::string text) {
    return text;
}

/// The fit of these options alone.
Embedding alone(const PointsView& x, const SweepPlan& plan, const OptionValues& values,
                const NeighborLists* lists = nullptr) {
    const Method& method = find_method(plan.method);
    OptionValues own;
    OptionValues landmarks;
    for (const auto* list : {&plan.options, &values}) {
        for (const auto& [name, value] : *list) {
            const bool its = std::ranges::any_of(
                method.options, [&, its_name = name](const auto& spec) { return spec.name == its_name; });
            (its ? own : landmarks)[name] = value;
        }
    }
    const FitExtras extras{.neighbors = lists};
    const LandmarkOptions options = landmark_option_table().make(landmarks);
    return options.landmarks == 0 ? method.embed(x, own, on_threads(2), extras)
                                  : method.embed(x, own, on_threads(2), extras, &options);
}

struct SweepCase {
    std::string name;
    SweepPlan plan;
};

class EverySweep : public testing::TestWithParam<SweepCase> {};

TEST_P(EverySweep, EachFitIsThatOfItsOptionsAloneBitForBit) {
    const Points x = curved_strip(220);
    const SweepPlan& plan = GetParam().plan;
    std::size_t seen = 0;
    const Sweep result = sweep(x.view(), plan, on_threads(3), nullptr, [&](const SweepFit& fit) {
        const Embedding own = alone(x.view(), plan, fit.row.values);
        ASSERT_FALSE(own.coordinates.empty());
        EXPECT_TRUE(std::ranges::equal(fit.fitted.coordinates.values(), own.coordinates.values())) << fit.number;
        EXPECT_EQ(fit.fitted.summary.measures, own.summary.measures);
        EXPECT_EQ(fit.fitted.summary.counts, own.summary.counts);
        EXPECT_EQ(fit.fitted.options, own.options);
        ASSERT_TRUE(fit.fitted.barycentric_map && own.barycentric_map);
        EXPECT_EQ(fit.fitted.barycentric_map->landmarks, own.barycentric_map->landmarks);
        EXPECT_EQ(fit.number, seen++);
    });
    std::size_t combinations = 1;
    for (const auto& axis : plan.axes) {
        combinations *= axis.values.size();
    }
    EXPECT_EQ(seen, combinations);
    EXPECT_EQ(result.rows.size(), combinations);
    EXPECT_EQ(result.summary.termination, Termination::Converged);
    EXPECT_EQ(result.summary.value("fitted"), static_cast<double>(combinations));
    EXPECT_EQ(result.summary.value("refused"), 0.0);
}

const OptionValues two{{"dimension", whole(2)}};
const OptionValues two_on_landmarks{{"dimension", whole(2)}, {"landmarks", whole(50)}};
const SweepAxis some_neighbors{"neighbors", {whole(8), whole(20), whole(12)}};

INSTANTIATE_TEST_SUITE_P(
    Methods, EverySweep,
    testing::Values(
        SweepCase{"LaplacianExact", {"laplacian", two, {some_neighbors, {"sigma", {0.3, {}}}}}},
        SweepCase{"LaplacianLll",
                  {"laplacian", two_on_landmarks, {some_neighbors, {"extension-neighbors", {whole(0), whole(4)}}}}},
        SweepCase{"LaplacianNystrom",
                  {"laplacian",
                   {{"dimension", whole(2)}, {"extension", word("nystrom")}},
                   {some_neighbors, {"landmarks", {whole(40), whole(60)}}}}},
        SweepCase{
            "LaplacianAllExtensions",
            {"laplacian",
             two_on_landmarks,
             {{"extension", {word("lll"), word("weights"), word("nystrom")}}, {"neighbors", {whole(9), whole(12)}}}}},
        SweepCase{"LaplacianSelection",
                  {"laplacian",
                   two_on_landmarks,
                   {{"landmark-selection", {word("random"), word("kmeans++")}},
                    {"seed", {whole(0), whole(1)}},
                    {"metric", {word("euclidean"), word("cosine")}}}}},
        SweepCase{"LleLandmarks",
                  {"lle", {}, {{"landmarks", {whole(0), whole(50)}}, {"dimension", {whole(1), whole(2)}}}}},
        SweepCase{"IsomapLll", {"isomap", two_on_landmarks, {some_neighbors}}},
        SweepCase{"Kpca",
                  {"kpca", two_on_landmarks, {{"sigma", {0.5, 2.0}}, {"extension", {word("lll"), word("nystrom")}}}}},
        SweepCase{"Mds", {"mds", two_on_landmarks, {{"extension-neighbors", {whole(4), whole(6)}}}}}),
    [](const auto& instance) { return instance.param.name; });

TEST(Sweep, SharedStepsAreDoneOnce) {
    const Points x = curved_strip(220);
    const SweepPlan plan{"laplacian", two_on_landmarks, {some_neighbors, {"sigma", {0.3, 0.6}}}};
    std::size_t searches = 0;
    std::size_t weighings = 0;
    const Sweep result = sweep(x.view(), plan, {}, nullptr, [&](const SweepFit& fit) {
        const auto has = [&](const char* phase) {
            return std::ranges::any_of(fit.fitted.summary.seconds,
                                       [&](const auto& part) { return part.first == phase; });
        };
        searches += has("neighbors") ? 1 : 0;
        weighings += has("nearest landmarks") ? 1 : 0;
    });
    EXPECT_EQ(searches, 6U);   // every fit passes that step
    EXPECT_EQ(weighings, 1U);  // but only the first weighs
    std::vector<std::string> phases;
    for (const auto& [phase, seconds] : result.summary.seconds) {
        phases.push_back(phase);
    }
    EXPECT_EQ(phases, (std::vector<std::string>{"choose landmarks", "landmark weights", "neighbors"}));
}

TEST(Sweep, UsesGivenLists) {
    const Points x = curved_strip(150);
    const NeighborLists lists = exact_neighbors(x.view(), 15, Metric::Cosine);
    const SweepPlan plan{"lle", two, {{"neighbors", {whole(8), whole(15), whole(16)}}}};
    const Sweep result = sweep(x.view(), plan, {}, &lists, [&](const SweepFit& fit) {
        const Embedding own = alone(x.view(), plan, fit.row.values, &lists);
        EXPECT_TRUE(std::ranges::equal(fit.fitted.coordinates.values(), own.coordinates.values()));
    });
    EXPECT_TRUE(result.summary.seconds.empty());
    EXPECT_EQ(result.summary.value("fitted"), 2.0);
    EXPECT_FALSE(result.rows[2].refused.empty());
}

TEST(Sweep, TheExactFitComesWithEveryRow) {
    const Points x = curved_strip(150);
    SweepPlan plan{"laplacian", two, {{"landmarks", {whole(40), whole(0)}}, {"neighbors", {whole(8), whole(12)}}}};
    plan.exact = true;
    const Sweep result = sweep(x.view(), plan, {}, nullptr, [&](const SweepFit& fit) {
        ASSERT_NE(fit.exact, nullptr);
        EXPECT_EQ(fit.exact == &fit.fitted, fit.row.values.at("landmarks") == whole(0));
        OptionValues values = fit.row.values;
        values["landmarks"] = whole(0);
        const Embedding own = alone(x.view(), plan, values);
        EXPECT_TRUE(std::ranges::equal(fit.exact->coordinates.values(), own.coordinates.values()));
        EXPECT_GT(fit.row.exact_seconds, 0.0);
    });
    EXPECT_EQ(result.summary.value("fitted"), 4.0);
    plan.exact = false;
    static_cast<void>(sweep(x.view(), plan, {}, nullptr, [](const SweepFit& fit) {
        EXPECT_EQ(fit.exact, nullptr);
        EXPECT_EQ(fit.row.exact_seconds, 0.0);
    }));
}

TEST(Sweep, WhatIsRefusedIsARowWithItsReason) {
    Points x = curved_strip(100);
    for (Index i = 50; i < 100; ++i) {
        x[i][2] += 50.0F;  // two pieces, joined from 50 neighbours on
    }
    OptionValues refusing = two;
    refusing["components"] = std::string("error");
    const SweepPlan plan{
        "laplacian", refusing, {{"neighbors", {whole(8), whole(60), whole(100)}}, {"sigma", {1e-8, 30.0}}}};
    std::size_t shown = 0;
    const Sweep result = sweep(x.view(), plan, {}, nullptr, [&](const SweepFit&) { ++shown; });
    ASSERT_EQ(result.rows.size(), 6U);
    const auto says = [&](std::size_t row, const char* words) {
        EXPECT_NE(result.rows[row].refused.find(words), std::string::npos) << row << ": " << result.rows[row].refused;
    };
    says(0, "components");
    says(1, "components");
    says(2, "sigma");
    EXPECT_EQ(result.rows[3].refused, "");
    says(4, "neighbors = 100");
    says(5, "neighbors = 100");
    EXPECT_EQ(shown, 1U);
    EXPECT_EQ(result.summary.value("refused"), 5.0);
    EXPECT_EQ(result.summary.termination, Termination::Converged);
}

TEST(Sweep, AnInterruptionLeavesTheRowsSoFar) {
    const Points x = curved_strip(150);
    const SweepPlan plan{"laplacian", two, {some_neighbors}};
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    const Sweep result = sweep(x.view(), plan, context, nullptr, [&](const SweepFit& fit) {
        if (fit.number == 1) {
            stop.request_stop();
        }
    });
    EXPECT_EQ(result.rows.size(), 2U);
    EXPECT_EQ(result.summary.termination, Termination::Cancelled);
    EXPECT_EQ(result.summary.value("combinations"), 3.0);

    const Sweep from_visit = sweep(x.view(), plan, {}, nullptr, [](const SweepFit& fit) {
        if (fit.number == 1) {
            throw Interruption{Termination::TimeLimit};
        }
    });
    EXPECT_EQ(from_visit.rows.size(), 1U);
    EXPECT_EQ(from_visit.summary.termination, Termination::TimeLimit);

    RunContext late;
    late.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
    EXPECT_TRUE(sweep(x.view(), plan, late).rows.empty());
}

TEST(Sweep, MistakesAreFoundBeforeWorkStarts) {
    Points x = curved_strip(50);
    const SweepPlan good{"laplacian", two, {some_neighbors}};
    EXPECT_THROW((void)sweep(x.view(), {"umap", two, {some_neighbors}}), InvalidArgument);
    EXPECT_THROW((void)sweep(x.view(), {"laplacian", two, {}}), InvalidArgument);
    EXPECT_THROW((void)sweep(x.view(), good, {.memory_limit = 1000}), LimitExceeded);
    EXPECT_THROW((void)sweep({}, good), InputError);
    x[7][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW((void)sweep(x.view(), good), InputError);
}

}  // namespace

}  // namespace isogon::sweep_test
