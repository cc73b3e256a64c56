#include "registry/fit_series.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "isogon/core/error.hpp"
#include "isogon/registry/registry.hpp"
#include "reference/point_sets.hpp"
#include "support/series_examples.hpp"

namespace isogon::fit_series_test {
namespace {

using reference::on_threads;
using support::curved_strip;
using support::whole;

std::vector<FitRequest> fits() {
    return {{"isomap", {{"dimension", whole(2)}, {"neighbors", whole(9)}}},
            {"svd", {{"dimension", whole(2)}}},
            {"laplacian", {{"dimension", whole(2)}, {"neighbors", whole(20)}}},
            {"isomap", {{"dimension", whole(3)}, {"neighbors", whole(9)}}},
            {"lle", {{"dimension", whole(2)}, {"neighbors", whole(8)}, {"metric", OptionValue(std::string("cosine"))}}},
            {"tsm", {{"dimension", whole(2)}, {"iterations", whole(5)}}},
            {"umap", {{"iterations", whole(3)}}},
            {"tsne", {{"iterations", whole(3)}, {"perplexity", OptionValue(5.0)}}}};
}

TEST(FitSeries, EachFitIsThatOfItsOptionsAloneBitForBit) {
    const Points x = curved_strip(100);
    FitSeries series(x.view(), fits(), on_threads(3));
    for (const auto& wanted : fits()) {
        const Method& method = find_method(wanted.method);
        const Embedding alone = method.embed(x.view(), wanted.options, on_threads(1));
        const FitSeries::Fit fit = series.fit(wanted);
        ASSERT_FALSE(alone.coordinates.empty()) << wanted.method;
        EXPECT_TRUE(std::ranges::equal(fit.fitted.coordinates.values(), alone.coordinates.values())) << wanted.method;
        EXPECT_EQ(fit.fitted.summary.measures, alone.summary.measures);
        EXPECT_EQ(fit.fitted.options, alone.options);
        EXPECT_GE(fit.seconds, 0.0);
    }
}

TEST(FitSeries, NeighboursAreFoundOnce) {
    const Points x = curved_strip(100);
    FitSeries series(x.view(), fits(), {});
    std::vector<double> spent;
    for (const auto& wanted : fits()) {
        static_cast<void>(series.fit(wanted));
        double sum = 0.0;
        for (const auto& [phase, seconds] : series.shared().seconds) {
            EXPECT_EQ(phase, "neighbors");
            sum += seconds;
        }
        spent.push_back(sum);
    }
    EXPECT_GT(spent[0], 0.0);
    EXPECT_EQ(spent[3], spent[0]);  // svd, laplacian and the second isomap add nothing
    EXPECT_GT(spent[4], spent[3]);  // another metric
}

TEST(FitSeries, MistakesAreFoundBeforeWorkStarts) {
    const Points x = curved_strip(30);
    EXPECT_THROW(FitSeries(x.view(), {{"nothing", {}}}, {}), InvalidArgument);
    EXPECT_THROW(FitSeries({}, {{"svd", {}}}, {}), InputError);
    RunContext small;
    small.memory_limit = 1000;
    EXPECT_THROW(FitSeries(x.view(), fits(), small), LimitExceeded);
}

TEST(FitSeries, AFitThatIsRefusedLeavesTheOthers) {
    const Points x = curved_strip(60);
    const FitRequest too_many{"isomap", {{"neighbors", whole(60)}}};
    const FitRequest good{"isomap", {{"dimension", whole(2)}, {"neighbors", whole(8)}}};
    const FitRequest no_such_option{"svd", {{"perplexity", OptionValue(5.0)}}};
    FitSeries series(x.view(), {too_many, no_such_option, good}, {});
    EXPECT_THROW(static_cast<void>(series.fit(too_many)), InvalidArgument);
    EXPECT_THROW(static_cast<void>(series.fit(no_such_option)), InvalidArgument);
    EXPECT_FALSE(series.fit(good).fitted.coordinates.empty());
}

}  // namespace
}  // namespace isogon::fit_series_test
