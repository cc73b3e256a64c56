#include "methods/neighbor_metrics.hpp"

#include <gtest/gtest.h>

#include <limits>

#include <algorithm>
#include <cmath>
#include <string>

#include "isogon/methods/model.hpp"
#include "isogon/registry/registry.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/heaps.hpp"

namespace isogon::neighbor_metrics_test {

namespace {

/// Ones and zeros in three groups, which agree within and differ between: every metric is of such rows.
Points binary_groups(Index count, Index dimension) {
    Points points = reference::whole_points(count, dimension, 1, 3);
    for (Index i = 0; i < count; ++i) {
        for (Index k = 0; k < dimension; ++k) {
            if ((i + k) % 5 != 0) {
                points[i][k] = (k / 4) % 3 == i % 3 ? 1.0F : 0.0F;
            }
        }
    }
    return points;
}

OptionValues options_of(const Method& method, const std::string& metric) {
    OptionValues options{{"dimension", std::int64_t{2}}, {"metric", metric}};
    for (const OptionSpec& option : method.options) {
        if (option.name == "neighbors") {
            options["neighbors"] = std::int64_t{25};
        } else if (option.name == "iterations" && (method.name == "tsne" || method.name == "umap")) {
            options[option.name] = std::int64_t{60};
        } else if (option.name == "perplexity" && method.name == "tsne") {
            options["perplexity"] = 8.0;
        } else if (option.name == "start" && method.name == "tsne") {
            options["start"] = std::string("random");
        } else if (option.name == "components") {
            options["components"] = std::string(method.name == "lle" ? "separate" : "bridge");
        }
    }
    return options;
}

std::vector<std::string> choices_of(const Method& method) {
    const auto spec =
        std::ranges::find_if(method.options, [](const OptionSpec& option) { return option.name == "metric"; });
    return spec == method.options.end() ? std::vector<std::string>{} : spec->choices;
}

bool is_of_neighbors(const Method& method) {
    return std::ranges::count(choices_of(method), "jaccard") > 0;
}

TEST(NeighborMetrics, BelongToTheMethodsOnNeighbours) {
    std::string names;
    for (const Method& method : methods()) {
        names += is_of_neighbors(method) ? method.name + ' ' : "";
        EXPECT_EQ(method.accepts_precomputed || method.name == "mds",
                  std::ranges::count(choices_of(method), "precomputed") > 0)
            << method.name;
    }
    EXPECT_EQ(names, "faithful isomap lle laplacian tsne umap ");
    EXPECT_EQ(neighbor_metric_choices(false).size(), 6U);
    EXPECT_EQ(neighbor_metric_choices(true).back().second, Metric::Precomputed);
}

/// A fit by a metric is that of the lists which an exact search by it gives.
TEST(NeighborMetrics, AreThoseOfTheSearch) {
    const Points points = binary_groups(90, 72);  // all different: of equal rows a fit takes one
    for (const Method& method : methods()) {
        for (const auto& [text, metric] : neighbor_metric_choices(false)) {
            if (!is_of_neighbors(method)) {
                continue;
            }
            const OptionValues options = options_of(method, text);
            const Embedding fitted = method.embed(points.view(), options, {.threads = 2});
            const NeighborLists lists = exact_neighbors(points.view(), 25, metric);
            const Embedding given = method.embed(points.view(), options, {}, {.neighbors = &lists});
            if (method.name != "faithful") {  // which measures given lists anew, in float64
                ASSERT_TRUE(std::ranges::equal(fitted.coordinates.values(), given.coordinates.values()))
                    << method.name << ' ' << text;
            }
            EXPECT_EQ(fitted.options.at("metric"), OptionValue{text});
        }
    }
}

/// Lists without distances get those of the metric.
TEST(NeighborMetrics, MeasureListsThatCameWithoutDistances) {
    const Points points = binary_groups(90, 24);
    const Method& method = find_method("isomap");
    for (const auto& [text, metric] : neighbor_metric_choices(false)) {
        const NeighborLists lists = exact_neighbors(points.view(), 25, metric);
        const NeighborLists bare{.size = lists.size, .indices = lists.indices};
        const OptionValues options = options_of(method, text);
        const Embedding with = method.embed(points.view(), options, {}, {.neighbors = &lists});
        const Embedding without = method.embed(points.view(), options, {}, {.neighbors = &bare});
        for (std::size_t k = 0; k < with.coordinates.values().size(); ++k) {
            ASSERT_NEAR(std::abs(with.coordinates.values()[k]), std::abs(without.coordinates.values()[k]),
                        2e-3 * std::abs(double{with.coordinates.values()[k]}) + 1e-3)
                << text;
        }
    }
}

TEST(NeighborMetrics, PlaceNewPointsToo) {
    const Points points = binary_groups(90, 24);
    for (const Method& method : methods()) {
        for (const auto& [text, metric] : neighbor_metric_choices(false)) {
            if (!is_of_neighbors(method)) {
                continue;
            }
            OptionValues options = options_of(method, text);
            if (method.name == "lle" || method.name == "laplacian") {
                options["components"] = std::string("separate");
            }
            const Embedding fitted = method.embed(points.view(), options, {});
            const Transformer map(make_model(method.name, points.view(), fitted), {});
            Points one(1, 24);
            std::ranges::copy(points[7], one[0].begin());
            one[0][5] = 1.0F - one[0][5];
            const Points placed = map.transform(one.view(), {}).coordinates;
            EXPECT_TRUE(std::isfinite(placed[0][0])) << method.name << ' ' << text;
            one[0][5] = 0.5F;
            if (metric == Metric::Hamming || metric == Metric::Jaccard) {
                EXPECT_THROW((void)map.transform(one.view(), {}), InputError) << method.name << ' ' << text;
            } else {
                EXPECT_NO_THROW((void)map.transform(one.view(), {}));
            }
        }
    }
}

Points table_of(const Points& points, Metric metric) {
    Points table(points.count(), points.count());
    const NeighborLists all = exact_neighbors(points.view(), points.count() - 1, metric);
    for (Index i = 0; i < points.count(); ++i) {
        for (Index a = 0; a < all.size; ++a) {
            table[i][all[i][a]] = all.distances_of(i)[a];
        }
    }
    return table;
}

/// A fit of a table of distances is that of a graph of the nearest in it.
TEST(FitOfTable, HasTheBitsOfTheGraphOfItsNearest) {
    const Points points = reference::random_points(90, 3, 5);
    const Points table = table_of(points, Metric::Manhattan);
    const NeighborLists lists = exact_neighbors(points.view(), 25, Metric::Manhattan);
    const PointsView rows(nullptr, 90, 0);
    for (const Method& method : methods()) {
        if (!method.accepts_precomputed) {
            continue;
        }
        OptionValues options = options_of(method, "precomputed");
        options.erase("components");
        const Embedding fitted = method.embed(table.view(), options, {.threads = 2});
        EXPECT_EQ(fitted.options.at("metric"), OptionValue{std::string("precomputed")});
        EXPECT_THROW((void)make_model(method.name, table.view(), fitted), InvalidArgument);
        options["metric"] = std::string("euclidean");
        const Embedding graph = method.embed(rows, options, {}, {.neighbors = &lists});
        EXPECT_TRUE(std::ranges::equal(fitted.coordinates.values(), graph.coordinates.values())) << method.name;
    }
}

/// Three groups that lie apart, and the distances between all of their points.
Points groups() {
    Points points = reference::random_points(90, 3, 5);
    for (Index i = 30; i < 90; ++i) {
        for (float& value : points[i]) {
            value += i < 60 ? 20.0F : 55.0F;
        }
    }
    return points;
}

TEST(FitOfTable, JoinsPartsByTheTable) {
    const Points points = groups();
    const Points table = table_of(points, Metric::Euclidean);
    for (const char* name : {"isomap", "laplacian"}) {
        const Method& method = find_method(name);
        OptionValues options{{"dimension", std::int64_t{2}}, {"neighbors", std::int64_t{6}}};
        const Embedding by_points = method.embed(points.view(), options, {});
        options["metric"] = std::string("precomputed");
        const Embedding by_table = method.embed(table.view(), options, {});
        EXPECT_EQ(by_table.summary.value("bridges"), 2.0) << name;
        EXPECT_EQ(by_table.options.at("components"), OptionValue{std::string("bridge")});
        ASSERT_EQ(by_table.summary.warnings.size(), by_points.summary.warnings.size());
        EXPECT_TRUE(std::ranges::equal(by_table.coordinates.values(), by_points.coordinates.values())) << name;
    }
}

TEST(FitOfTable, OfBlocksOfEqualThingsIsAFit) {
    Points table(40, 40);
    for (Index i = 0; i < 40; ++i) {
        for (Index j = 0; j < 40; ++j) {
            table[i][j] = static_cast<float>(i / 10 > j / 10 ? i / 10 - j / 10 : j / 10 - i / 10);
        }
    }
    for (const Method& method : methods()) {
        if (method.accepts_precomputed) {
            OptionValues options = options_of(method, "precomputed");
            options.erase("components");
            (method.name == "tsne" ? options["perplexity"] : options["neighbors"]) =
                method.name == "tsne" ? OptionValue{2.0} : OptionValue{std::int64_t{5}};
            const Embedding fitted = method.embed(table.view(), options, {});
            EXPECT_EQ(fitted.coordinates.count(), 40U) << method.name;
        }
    }
    EXPECT_THROW((void)lists_of_table({Points(5, 5).view(), 2}, {}, {}), InputError);
}

TEST(FitOfTable, InfinityIsNoWay) {
    Points table = table_of(groups(), Metric::Euclidean);
    for (Index i = 0; i < 90; ++i) {
        for (Index j = 0; j < 90; ++j) {
            table[i][j] = i / 30 == j / 30 ? table[i][j] : std::numeric_limits<float>::infinity();
        }
    }
    OptionValues options{
        {"dimension", std::int64_t{2}}, {"neighbors", std::int64_t{40}}, {"metric", std::string("precomputed")}};
    EXPECT_THROW((void)find_method("isomap").embed(table.view(), options, {}), InputError);
    options["components"] = std::string("separate");
    EXPECT_EQ(find_method("laplacian").embed(table.view(), options, {}).summary.value("components"), 3.0);
    options.erase("components");
    options["iterations"] = std::int64_t{5};
    EXPECT_EQ(find_method("umap").embed(table.view(), options, {}).coordinates.count(), 90U);
    for (Index j = 1; j < 90; ++j) {
        table[0][j] = table[j][0] = std::numeric_limits<float>::infinity();
    }
    EXPECT_THROW((void)lists_of_table({table.view(), 5}, {}, {}), InputError);
}

TEST(FitOfTable, NamesWhatIsNoTable) {
    const Points points = reference::random_points(30, 3, 5);
    Points table = table_of(points, Metric::Euclidean);
    const NeighborLists lists = exact_neighbors(points.view(), 5, Metric::Euclidean);
    EXPECT_THROW((void)lists_of_table({table.view(), 5}, {.neighbors = &lists}, {}), InvalidArgument);
    EXPECT_THROW((void)lists_of_table({points.view(), 5}, {}, {}), InputError);
    EXPECT_THROW((void)lists_of_table({Points(1, 1).view(), 5}, {}, {}), InputError);
    EXPECT_EQ(lists_of_table({table.view(), 500}, {}, {}).size, 29U);
    table[3][4] += 1.0F;
    for (const Method& method : methods()) {
        if (method.accepts_precomputed) {
            OptionValues options = options_of(method, "precomputed");
            EXPECT_THROW((void)method.embed(table.view(), options, {}), InputError) << method.name;
        }
    }
}

}  // namespace

}  // namespace isogon::neighbor_metrics_test
