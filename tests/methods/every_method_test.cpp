// What every method of the registry promises, whatever it computes.
#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/registry/registry.hpp"
#include "reference/point_sets.hpp"
#include "support/embeddings.hpp"
#include "support/heaps.hpp"
#include "support/quick_fits.hpp"
#include "support/series_examples.hpp"

namespace isogon::every_method_test {
namespace {

using namespace std::string_literals;
using reference::on_threads;
using support::heaps;
using support::same_bits;
using support::whole;

/// A method, with options where it has several ways, and on landmarks where it fits these itself.
struct Choice {
    std::string method;
    OptionValues options{};
    bool on_landmarks = false;
};

std::string name_of(const Choice& choice) {
    std::string name = choice.method + (choice.on_landmarks ? "_on_landmarks" : "");
    for (const auto& [option, value] : choice.options) {
        name += "_" + to_text(value);
    }
    return support::test_name(name);
}

std::vector<Choice> choices() {
    std::vector<Choice> all{{"tsm", {{"solver", "sphere"s}}}, {"sde", {{"solver", "low-rank"s}}}};
    for (const char* solver : {"barnes-hut", "fft", "sampled"}) {
        all.push_back({"tsne", {{"solver", std::string(solver)}}});
    }
    for (const Method& method : methods()) {
        all.push_back({method.name});
        if (method.fits_on_landmarks) {
            all.push_back({method.name, {}, true});
        }
    }
    return all;
}

class RegistryMethod : public testing::TestWithParam<Choice> {
protected:
    [[nodiscard]] static Points example(Index count) {
        const Points x = reference::random_points(count, 6, 1);
        return GetParam().method == "nmf" ? reference::magnitudes(x) : x;
    }

    /// More points than two blocks of a parallel loop have, where these take little time.
    [[nodiscard]] static Points large_example() {
        const std::string& method = GetParam().method;
        return example(method == "sde" ? 40 : method == "lsde" ? 90 : method == "faithful" ? 300 : 700);
    }

    [[nodiscard]] static Embedding fit(const Points& x, const RunContext& context) {
        const Method& method = find_method(GetParam().method);
        OptionValues options = GetParam().options;
        options.merge(support::quick_options(method.name, x.count(), 2));
        const LandmarkOptions landmarks{.landmarks = 20};
        return method.embed(x.view(), options, context, {}, GetParam().on_landmarks ? &landmarks : nullptr);
    }
};

INSTANTIATE_TEST_SUITE_P(Registry, RegistryMethod, testing::ValuesIn(choices()),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(RegistryMethod, HasTheSameBitsOnAnyNumberOfThreads) {
    const Points x = large_example();
    const Embedding one = fit(x, on_threads(1));
    ASSERT_EQ(one.coordinates.count(), x.count());
    for (const int threads : {2, 3}) {
        const Embedding more = fit(x, on_threads(threads));
        EXPECT_TRUE(same_bits(more, one)) << threads;
        EXPECT_EQ(more.summary.measures, one.summary.measures) << threads;
    }
}

TEST_P(RegistryMethod, AStopAtAnyReportGivesFiniteCoordinatesOrNone) {
    const Points x = example(60);
    int reports = 0;
    RunContext counting = on_threads(1);
    counting.on_iteration = [&](const Progress& /*progress*/) { ++reports; };
    const Embedding whole = fit(x, counting);
    for (int cut = 0; cut < 5; ++cut) {
        int left = 1 + cut * (reports - 1) / 5;
        std::stop_source source;
        RunContext context = on_threads(1);
        context.stop = source.get_token();
        context.on_iteration = [&](const Progress& /*progress*/) {
            if (--left == 0) {
                source.request_stop();
            }
        };
        const Embedding result = fit(x, context);
        // After the last step a stop comes too late.
        EXPECT_TRUE(result.summary.termination == Termination::Cancelled || same_bits(result, whole)) << cut;
        EXPECT_TRUE(support::all_finite(result.coordinates)) << cut;
        EXPECT_TRUE(result.coordinates.empty() || result.coordinates.count() == x.count()) << cut;
    }
}

TEST_P(RegistryMethod, SaysWhatEndedItBeforeItBegan) {
    const Points x = example(100);
    RunContext late = on_threads(1);
    late.limit_seconds(0.0);
    EXPECT_EQ(fit(x, late).summary.termination, Termination::TimeLimit);
    std::stop_source source;
    source.request_stop();
    EXPECT_EQ(fit(x, {.threads = 1, .stop = source.get_token()}).summary.termination, Termination::Cancelled);
}

TEST_P(RegistryMethod, StatesItsMemoryBeforeItTakesIt) {
    if (GetParam().method == "svd" || GetParam().method == "pca" || GetParam().method == "nmf") {
        GTEST_SKIP() << "takes less for so few points; its own test has a limit of 1,000 bytes";
    }
    // As much as the look for equal points takes, which comes first.
    const RunContext context{.threads = 1, .memory_limit = std::uint64_t{120} * 24};
    EXPECT_THROW((void)fit(example(120), context), LimitExceeded);
}

TEST_P(RegistryMethod, ItsModelGivesFittedRowsTheirCoordinates) {
    if (GetParam().on_landmarks) {
        GTEST_SKIP() << "others are mixtures of landmarks then";
    }
    const Points x = example(60);
    const Embedding fitted = fit(x, on_threads(2));
    const Transformer transformer(make_model(GetParam().method, x.view(), fitted), {});
    EXPECT_TRUE(same_bits(transformer.transform(x.view(), on_threads(2)).coordinates, fitted.coordinates));
}

TEST(EveryOption, OutOfItsBoundsIsRefusedByName) {
    const std::vector<std::pair<std::string, OptionValue>> refused{{"dimension", std::int64_t{0}},
                                                                   {"neighbors", std::int64_t{0}},
                                                                   {"iterations", std::int64_t{-1}},
                                                                   {"iterations", std::int64_t{0}},
                                                                   {"seed", std::int64_t{-1}},
                                                                   {"degree", std::int64_t{0}},
                                                                   {"tolerance", -1.0},
                                                                   {"threshold", 0.0},
                                                                   {"threshold", 1.0},
                                                                   {"perplexity", 1.0},
                                                                   {"sigma", 0.0},
                                                                   {"learning-rate", 0.0},
                                                                   {"theta", 1.5},
                                                                   {"spread", 0.0},
                                                                   {"target-weight", 1.5},
                                                                   {"recall", 0.0}};
    const Points x = reference::magnitudes(reference::random_points(60, 6, 1));
    for (const Method& method : methods()) {
        for (const auto& [option, value] : refused) {
            const OptionValues options{{option, value}};
            const bool automatic = method.name == "umap" && options == OptionValues{{"iterations", std::int64_t{0}}};
            if (find_option(method.options, option) != nullptr && !automatic) {
                EXPECT_EQ(support::refused_field([&] { (void)method.embed(x.view(), options, {}); }), option)
                    << method.name << ": " << to_text(value);
            }
        }
    }
}

/// Options of which each changes the coordinates of a fit.
struct Effects {
    std::string method;
    Points points;
    OptionValues usual;
    std::vector<std::pair<std::string, OptionValue>> changes;
};

TEST(EveryOption, OfLayoutsChangesTheCoordinates) {
    const OptionValues brief{{"iterations", whole(40)}, {"start", "random"s}};
    const std::vector<Effects> all{
        {"tsne",
         heaps(80),
         {{"iterations", whole(20)}, {"start", "random"s}},
         {{"perplexity", 5.0},
          {"solver", "fft"s},
          {"solver", "barnes-hut"s},
          {"iterations", whole(21)},
          {"exaggeration", 4.0},
          {"learning-rate", 3.0},
          {"start", "pca"s},
          {"seed", whole(1)}}},
        {"tsne", heaps(80), {{"iterations", whole(20)}, {"solver", "barnes-hut"s}}, {{"theta", 0.2}}},
        {"umap",
         reference::random_points(80, 4, 1),
         {{"iterations", whole(10)}},
         {{"neighbors", whole(5)},
          {"metric", "cosine"s},
          {"kernel", "cauchy"s},
          {"min-dist", 0.5},
          {"spread", 2.0},
          {"iterations", whole(11)},
          {"negatives", whole(2)},
          {"learning-rate", 0.5},
          {"start", "pca"s},
          {"start", "random"s},
          {"seed", whole(1)}}},
        {"pca2",
         heaps(60),
         brief,
         {{"neighbors", whole(8)},
          {"iterations", whole(41)},
          {"tolerance", 0.9},
          {"start", "pca"s},
          {"seed", whole(1)}}},
        {"lle2",
         heaps(60),
         brief,
         {{"neighbors", whole(8)},
          {"iterations", whole(41)},
          {"tolerance", 0.9},
          {"start", "pca"s},
          {"seed", whole(1)}}}};
    for (const auto& [name, points, usual, changes] : all) {
        const Method& method = find_method(name);
        const Embedding before = method.embed(points.view(), usual, on_threads(1));
        for (const auto& [option, value] : changes) {
            OptionValues options = usual;
            options[option] = value;
            EXPECT_FALSE(same_bits(before, method.embed(points.view(), options, on_threads(1))))
                << name << ": " << option << " = " << to_text(value);
        }
    }
}

TEST(IterativeMethods, ReturnTheCurrentResultWhenCancelled) {
    for (const auto& [name, phase, done, counter] : {std::tuple{"tsne", "layout", 70, "iterations"},
                                                     {"umap", "layout", 70, "epochs"},
                                                     {"pca2", "layout", 9, "iterations"},
                                                     {"lle2", "layout", 9, "iterations"},
                                                     {"pca-forces", "descent", 7, "iterations"}}) {
        SCOPED_TRACE(name);
        const auto fit = [&method = find_method(name)](const PointsView& points, const RunContext& context,
                                                       const FitExtras& /*extras*/) {
            return method.embed(points, {}, context);
        };
        support::expect_result_when_cancelled(heaps(100), fit, phase, static_cast<std::uint64_t>(done), counter);
    }
}

}  // namespace
}  // namespace isogon::every_method_test
