#include "registry/sweep_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "isogon/core/error.hpp"
#include "isogon/registry/registry.hpp"
#include "support/series_examples.hpp"

namespace isogon::sweep_plan_test {

namespace {

using support::whole;

const Method& laplacian() {
    return find_method("laplacian");
}

SweepPlan plan_of(std::vector<SweepAxis> axes, OptionValues options = {}) {
    return {.method = "laplacian", .options = std::move(options), .axes = std::move(axes)};
}

void expect_refused(const SweepPlan& plan, const std::string& words) {
    try {
        require_plan(laplacian(), plan);
        ADD_FAILURE() << "not refused: " << words;
    } catch (const InvalidArgument& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

TEST(SweepPlan, EveryCombinationHasItsTurnAndLandmarkOptionsVaryFastest) {
    const auto plan =
        plan_of({{"landmarks", {whole(50), whole(60)}}, {"neighbors", {whole(5), whole(7)}}, {"sigma", {0.5, {}}}},
                {{"dimension", whole(2)}, {"extension", std::string("weights")}});
    require_plan(laplacian(), plan);
    const auto points = combinations(laplacian(), plan);
    ASSERT_EQ(points.size(), 8U);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const OptionValues values{{"neighbors", whole(i < 4 ? 5 : 7)},
                                  {"sigma", i % 4 < 2 ? OptionValue(0.5) : OptionValue()},
                                  {"landmarks", whole(i % 2 == 0 ? 50 : 60)}};
        EXPECT_EQ(points[i].values, values) << i;
        EXPECT_EQ(points[i].method.size(), 3U);
        EXPECT_EQ(points[i].landmarks.size(), 2U);
        EXPECT_EQ(points[i].landmarks.at("landmarks"), values.at("landmarks"));
        EXPECT_EQ(points[i].method.at("dimension"), whole(2));
    }
}

TEST(SweepPlan, OptionsAreThoseGivenOrDefaults) {
    const auto point = combinations(laplacian(), plan_of({{"neighbors", {whole(5)}}}, {{"landmarks", whole(9)}}))[0];
    EXPECT_EQ(option_of(laplacian(), point, "neighbors"), whole(5));
    EXPECT_EQ(option_of(laplacian(), point, "landmarks"), whole(9));
    EXPECT_EQ(option_of(laplacian(), point, "dimension"), whole(16));
    EXPECT_EQ(option_of(laplacian(), point, "extension"), OptionValue(std::string("auto")));
    EXPECT_EQ(option_of(laplacian(), point, "degree"), OptionValue());
}

TEST(SweepPlan, TheMostNeighborsAreThoseThatCanBeHad) {
    const auto points =
        combinations(laplacian(), plan_of({{"neighbors", {whole(5), whole(30), whole(12), whole(100)}}}));
    EXPECT_EQ(most_neighbors(laplacian(), points, 100), 30U);
    EXPECT_EQ(most_neighbors(laplacian(), points, 101), 100U);
    EXPECT_EQ(most_neighbors(laplacian(), points, 3), 0U);
    const auto kernels = combinations(find_method("kpca"), {.method = "kpca", .axes = {{"sigma", {1.0}}}});
    EXPECT_EQ(most_neighbors(find_method("kpca"), kernels, 100), 0U);
}

TEST(SweepPlan, MemoryIsThatOfDifferentListsAndWeights) {
    const auto bytes = [](const SweepPlan& plan) {
        const auto items = shared_bytes(find_method(plan.method), combinations(find_method(plan.method), plan), 1000);
        return std::pair(items[0].bytes, items[1].bytes);
    };
    const std::uint64_t lists = std::uint64_t{1000} * 10 * 8;
    EXPECT_EQ(bytes(plan_of({{"neighbors", {whole(10)}}, {"sigma", {1.0, 2.0}}})).first, lists);
    EXPECT_EQ(bytes(plan_of({{"neighbors", {whole(10), whole(20)}}})).first, 3 * lists);
    EXPECT_EQ(bytes(plan_of({{"neighbors", {whole(1000)}}})).first, 0U);
    EXPECT_EQ(bytes(plan_of({{"neighbors", {whole(10)}}})).second, 0U);
    EXPECT_EQ(bytes({.method = "kpca", .axes = {{"sigma", {1.0}}}}).first, 0U);
    const std::uint64_t weights = std::uint64_t{1000} * (17 * 12 + 8);
    const SweepAxis landmarks{"landmarks", {whole(0), whole(100), whole(200)}};
    EXPECT_EQ(bytes(plan_of({landmarks, {"sigma", {1.0, 2.0}}})).second, 2 * weights);
    EXPECT_EQ(bytes(plan_of({landmarks}, {{"extension", std::string("nystrom")}})).second, 0U);
    EXPECT_EQ(bytes(plan_of({landmarks}, {{"extension-neighbors", whole(34)}})).second, 2 * (weights + 17000 * 12));
}

TEST(SweepPlan, MistakesAreNamed) {
    expect_refused(plan_of({}), "at least one option");
    expect_refused(plan_of({{"neighbors", {}}}), "neighbors: has no values");
    expect_refused(plan_of({{"neighbours", {whole(3)}}}), "neighbours: the method laplacian has no such option");
    expect_refused(plan_of({{"neighbors", {whole(3), whole(0)}}}),
                   "neighbors = 0: must be a whole number of at least 1");
    expect_refused(plan_of({{"sigma", {-1.0}}}), "sigma = -1");
    expect_refused(plan_of({{"neighbors", {whole(3)}}, {"neighbors", {whole(4)}}}), "twice");
    expect_refused(plan_of({{"neighbors", {whole(3)}}}, {{"neighbors", whole(4)}}), "fixed");
    expect_refused(plan_of({{"neighbors", {whole(3)}}}, {{"kernel", std::string("linear")}}), "kernel");
    expect_refused(plan_of({{"neighbors", {whole(3)}}}, {{"sigma", 0.0}}), "sigma = 0");
    expect_refused(plan_of({{"extension-neighbors", {whole(3)}}}), "goes with landmarks");
    expect_refused(plan_of({{"sigma", {1.0}}}, {{"extension", std::string("lll")}}), "goes with landmarks");
    const std::vector<OptionValue> many(400, whole(3));
    expect_refused(plan_of({{"neighbors", many}, {"seed", many}}), "100000");
}

TEST(SweepPlan, OptionsAreThoseOfTheMethodAndOfLandmarks) {
    const auto specs = sweep_option_specs("laplacian");
    const auto has = [&](const char* name) {
        return std::ranges::any_of(specs, [&](const OptionSpec& spec) { return spec.name == name; });
    };
    EXPECT_TRUE(has("sigma") && has("landmarks") && has("extension-neighbors"));
    EXPECT_FALSE(has("degree"));
    EXPECT_THROW(static_cast<void>(sweep_option_specs("svd")), InvalidArgument);
}

}  // namespace

}  // namespace isogon::sweep_plan_test
