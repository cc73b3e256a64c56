#include "methods/fitting_defaults.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "isogon/registry/registry.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::fitting_defaults_test {

namespace {

std::int64_t whole(const OptionValues& options, const char* name) {
    return std::get<std::int64_t>(options.at(name));
}

OptionValues fitted(const char* method, const FitSizes& sizes, const OptionValues& given = {}) {
    return with_fitting_defaults(find_method(method), given, sizes);
}

TEST(FittingDefaults, AreTheUsualOnesWhereTheDataAllowsThem) {
    const OptionValues options = fitted("isomap", {.points = 1000, .features = 50});
    EXPECT_EQ(whole(options, "dimension"), 16);
    EXPECT_EQ(whole(options, "neighbors"), 12);
    EXPECT_EQ(options.size(), 2U);
    EXPECT_EQ(whole(fitted("tsne", {.points = 1000, .features = 50}), "dimension"), 2);
}

TEST(FittingDefaults, AreFewerForSmallTables) {
    EXPECT_EQ(whole(fitted("pca", {.points = 150, .features = 4}), "dimension"), 4);
    EXPECT_EQ(whole(fitted("pca", {.points = 9, .features = 40}), "dimension"), 8);
    EXPECT_EQ(whole(fitted("isomap", {.points = 9, .features = 40}), "neighbors"), 8);
    EXPECT_EQ(whole(fitted("lle", {.points = 9, .features = 40}), "dimension"), 7);
    EXPECT_EQ(whole(fitted("lle", {.points = 90, .features = 40}, {{"neighbors", std::int64_t{5}}}), "dimension"), 4);
    EXPECT_EQ(whole(fitted("umap", {.points = 2, .features = 1}), "dimension"), 1);
    EXPECT_EQ(whole(fitted("isomap", {.points = 90, .features = 0}), "dimension"), 16);
    EXPECT_EQ(whole(fitted("isomap", {.points = 90, .features = 40, .listed = 5}), "neighbors"), 5);
    EXPECT_EQ(whole(fitted("laplacian", {.points = 90, .features = 40, .landmarks = 6}), "dimension"), 4);
    EXPECT_EQ(whole(fitted("lsde", {.points = 90, .features = 40, .landmarks = 6}), "dimension"), 5);
    EXPECT_EQ(whole(fitted("faithful", {.points = 90, .features = 40, .landmarks = 6}), "dimension"), 5);
    EXPECT_EQ(to_text(fitted("tsne", {.points = 90, .features = 0}).at("start")), "random");
    EXPECT_FALSE(fitted("tsne", {.points = 90, .features = 3}).contains("start"));
    EXPECT_FALSE(fitted("umap", {.points = 90, .features = 0}).contains("start"));
    EXPECT_EQ(whole(fitted("lle", {.points = 1, .features = 0}), "dimension"), 1);
}

TEST(FittingDefaults, LeaveWhatIsGiven) {
    const OptionValues given{{"dimension", std::int64_t{99}}, {"neighbors", std::int64_t{50}}};
    EXPECT_EQ(fitted("isomap", {.points = 9, .features = 4}, given), given);
    const OptionValues automatic{{"dimension", std::monostate()}};
    EXPECT_EQ(fitted("faithful", {.points = 9, .features = 4}, automatic), automatic);
}

TEST(FittingDefaults, EveryMethodFitsATableAsSmallAsThatOfIris) {
    Points points = reference::random_points(30, 4, 3);
    for (float& value : points.values()) {
        value = std::abs(value);
    }
    for (const Method& method : methods()) {
        const Embedding fit = method.embed(points.view(), {}, reference::on_threads(2));
        const Index usual = static_cast<Index>(std::get<std::int64_t>(option_of(method.options, {}, "dimension")));
        EXPECT_EQ(fit.coordinates.dimension(), std::min(4U, usual)) << method.name;
        EXPECT_EQ(whole(fit.options, "dimension"), fit.coordinates.dimension()) << method.name;
        EXPECT_THROW((void)method.embed(points.view(), {{"dimension", std::int64_t{30}}}, {}), InvalidArgument)
            << method.name;
    }
}

TEST(FittingDefaults, GivenListsAreAsLongAsTheirMethodTakesThem) {
    const Points points = reference::random_points(60, 4, 3);
    NeighborLists lists = reference::euclidean_lists(points, 8);
    for (Index k = 5; k < 8; ++k) {
        lists.indices[k] = 0;  // the list of the first point ends in empty places
    }
    const auto used = [&](const char* name) {
        return whole(find_method(name).embed(points.view(), {}, {}, {.neighbors = &lists}).options, "neighbors");
    };
    EXPECT_EQ(used("isomap"), 8);
    EXPECT_EQ(used("laplacian"), 8);
    EXPECT_EQ(used("lle"), 5);
    EXPECT_EQ(used("faithful"), 8);
}

TEST(FittingDefaults, ResultsTellWhatWasChosen) {
    const Points points = reference::random_points(60, 4, 3);
    for (const Method& method : methods()) {
        if (method.name == "nmf") {
            continue;  // takes no negative numbers, and has nothing to choose
        }
        const Embedding fit = method.embed(points.view(), {}, {});
        for (const auto& [name, value] : fit.options) {
            const OptionSpec* spec = find_option(method.options, name);
            const bool has_effect = std::ranges::all_of(spec->needs, [&](const OptionNeed& need) {
                return std::ranges::find(need.values, to_text(fit.options.at(need.option))) != need.values.end();
            });
            EXPECT_TRUE(!has_effect || to_text(value) != "auto" || name == "threshold") << method.name << ' ' << name;
        }
    }
    const Embedding laplacian = find_method("laplacian").embed(points.view(), {}, {});
    EXPECT_EQ(laplacian.options.at("sigma"), OptionValue{laplacian.summary.value("sigma")});
}

}  // namespace

}  // namespace isogon::fitting_defaults_test
