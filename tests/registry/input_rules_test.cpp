#include "registry/input_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/registry/registry.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::input_rules_test {

namespace {

const std::vector<std::string> on_graphs{"tsne", "umap", "laplacian", "lle",  "isomap",
                                         "pca2", "lle2", "sde",       "lsde", "faithful"};
const std::vector<std::string> by_metric{"tsne", "umap", "laplacian", "lle", "isomap", "faithful"};

/// In a way that takes little time.
OptionValues quick(const std::string& method, std::int64_t neighbors = 5) {
    OptionValues values{{"dimension", std::int64_t{2}}};
    const auto whole = [&](const char* name, std::int64_t value) { values[name] = value; };
    const auto& options = find_method(method).options;
    if (method == "tsne") {
        values["perplexity"] = static_cast<double>(neighbors) / 3.0;
        whole("iterations", 300);
    } else if (find_option(options, "neighbors") != nullptr) {
        whole("neighbors", neighbors);
    }
    if (method == "umap") {
        whole("iterations", 40);
    }
    if (method == "pca2" || method == "lle2" || method == "pca-forces") {
        whole("iterations", 40);
    }
    if (method == "isomap" || method == "sde" || method == "lsde") {
        values["components"] = std::string("bridge");
    }
    if (method == "laplacian" || method == "lle") {
        values["components"] = std::string("separate");
    }
    return values;
}

Embedding fit(const std::string& method, const Points& x, const OptionValues& values, const FitExtras& extras = {}) {
    const Method& found = find_method(method);
    return found.embed(x.view(), values, {}, extras);
}

/// `points` points, then the first once more `copies` times, then the others again in their order.
std::vector<Index> with_copies(Index points, Index copies) {
    std::vector<Index> rows(copies, 0);
    for (Index i = 0; i < points; ++i) {
        rows.push_back(i);
    }
    return rows;
}

bool warns(const Summary& summary, const std::string& of) {
    return std::ranges::any_of(summary.warnings,
                               [&](const std::string& text) { return text.find(of) != std::string::npos; });
}

double apart(const Points& points, Index i, Index j) {
    return std::sqrt(squared_distance(points[i].data(), points[j].data(), points.dimension()));
}

TEST(InputRules, EveryMethodCountsRowsThatAreEqual) {
    const Points points = reference::magnitudes(reference::random_points(40, 4, 3));
    std::vector<Index> rows = reference::every_point(40);
    rows.insert(rows.end(), {3, 3, 7});
    for (const Method& method : methods()) {
        const Embedding fitted = fit(method.name, reference::reordered(points, rows), quick(method.name));
        EXPECT_EQ(fitted.summary.value("duplicates", -1.0), 3.0) << method.name;
        EXPECT_FALSE(warns(fitted.summary, "equal earlier")) << method.name;
        EXPECT_EQ(fit(method.name, points, quick(method.name)).summary.value("duplicates", -1.0), 0.0) << method.name;
    }
}

TEST(InputRules, RowsThatAreMostlyEqualAreSpokenOf) {
    const Points points = reference::random_points(20, 4, 3);
    const Embedding fitted = fit("pca", reference::reordered(points, with_copies(20, 30)), quick("pca"));
    EXPECT_TRUE(warns(fitted.summary, "30 of 50 points equal earlier ones in float32"));
}

TEST(InputRules, CopiesMoreThanNeighboursAreFittedOnce) {
    const Points points = reference::random_points(40, 3, 5);
    const std::vector<Index> rows = with_copies(40, 12);
    for (const std::string& method : on_graphs) {
        const Embedding once = fit(method, points, quick(method));
        const Embedding fitted = fit(method, reference::reordered(points, rows), quick(method));
        EXPECT_TRUE(
            std::ranges::equal(fitted.coordinates.values(), reference::reordered(once.coordinates, rows).values()))
            << method;
        EXPECT_EQ(fitted.summary.value("duplicates"), 12.0) << method;
        EXPECT_TRUE(warns(fitted.summary, "the 40 distinct points were fitted")) << method;
        EXPECT_EQ(fitted.options.at("dimension"), OptionValue(std::int64_t{2})) << method;
        EXPECT_FALSE(warns(once.summary, "distinct")) << method;
    }
}

TEST(InputRules, OfOtherMethodsCopiesLieInOnePlaceToo) {
    // One of as many columns: all directions are equally long, and rounding alone would choose among them.
    Points points(38, 11);
    for (Index i = 0; i < points.count(); ++i) {
        points[i][i % 11] = 1.0F;
    }
    for (const char* method : {"tsm", "pca-forces"}) {
        const Embedding fitted = fit(method, points, quick(method));
        for (Index i = 11; i < points.count(); ++i) {
            EXPECT_LT(apart(fitted.coordinates, i, i % 11), 1e-6) << method << ' ' << i;
        }
    }
}

TEST(InputRules, AnyNumberOfDistinctRowsLieApart) {
    for (const Index distinct : {2, 3, 4, 7}) {
        const Points points = reference::random_points(distinct, 3, distinct);
        std::vector<Index> rows;
        for (Index i = 0; i < 20 * distinct; ++i) {
            rows.push_back(i % distinct);
        }
        for (const std::string& method : on_graphs) {
            const Embedding fitted = fit(method, reference::reordered(points, rows), quick(method));
            ASSERT_EQ(fitted.coordinates.count(), rows.size()) << method << ' ' << distinct;
            ASSERT_EQ(fitted.coordinates.dimension(), 2U);
            double largest = 0.0;
            double least = 1e30;
            for (Index i = 0; i < distinct; ++i) {
                EXPECT_EQ(apart(fitted.coordinates, i, i + distinct), 0.0) << method;
                for (Index j = 0; j < i; ++j) {
                    largest = std::max(largest, apart(fitted.coordinates, i, j));
                    least = std::min(least, apart(fitted.coordinates, i, j));
                }
            }
            EXPECT_GT(largest, 0.0) << method << ' ' << distinct;
            EXPECT_TRUE(std::isfinite(largest)) << method;
            if (method == "tsne" || method == "umap") {
                EXPECT_GT(least, 1e-3 * largest) << method << ' ' << distinct;
            }
        }
    }
}

TEST(InputRules, ByAnglesCopiesAreDirections) {
    const Points points = reference::random_points(40, 3, 5);
    Points lengths = reference::reordered(points, with_copies(40, 12));
    for (Index i = 0; i < lengths.count(); ++i) {
        std::ranges::transform(lengths[i], lengths[i].begin(),
                               [&](float value) { return std::ldexp(value, static_cast<int>(i % 5)); });
    }
    for (const std::string& method : by_metric) {
        OptionValues values = quick(method);
        values["metric"] = std::string("cosine");
        const Embedding fitted = fit(method, lengths, values);
        for (Index i = 0; i < 12; ++i) {
            EXPECT_EQ(apart(fitted.coordinates, i, 12), 0.0) << method;
        }
        EXPECT_TRUE(warns(fitted.summary, "the 40 distinct directions were fitted")) << method;
    }
}

TEST(InputRules, RowsWithoutADirectionLieInTheMiddleForFitAndModel) {
    const Points points = reference::random_points(60, 5, 8);
    Points x(66, 5);
    std::copy(points.values().begin(), points.values().end(), x.values().begin() + 30);
    for (const std::string metric : {"cosine", "correlation"}) {
        for (Index i = 0; i < 6; ++i) {
            std::ranges::fill(x[i], metric == "cosine" ? 0.0F : static_cast<float>(i));
        }
        for (const std::string& method : by_metric) {
            OptionValues values = quick(method, 8);
            values["metric"] = metric;
            const Embedding others = fit(method, points, values);
            const Embedding fitted = fit(method, x, values);
            EXPECT_EQ(fitted.summary.value("zero_vectors"), 6.0) << method;
            EXPECT_TRUE(warns(fitted.summary, "no direction")) << method;
            EXPECT_TRUE(std::equal(others.coordinates.values().begin(), others.coordinates.values().end(),
                                   fitted.coordinates[6].begin()))
                << method << ' ' << metric;
            for (Index c = 0; c < 2; ++c) {
                double sum = 0.0;
                for (Index i = 0; i < 60; ++i) {
                    sum += double{others.coordinates[i][c]};
                }
                EXPECT_NEAR(fitted.coordinates[0][c], sum / 60.0, 1e-5) << method;
            }
            const Transformer model(make_model(method, x.view(), fitted), {});
            Points rows(2, 5);
            std::ranges::fill(rows[1], metric == "cosine" ? 0.0F : 77.0F);
            const Points placed = model.transform(rows.view(), {}).coordinates;
            for (Index i = 0; i < 2; ++i) {
                EXPECT_TRUE(std::ranges::equal(placed[i], fitted.coordinates[0])) << method << ' ' << metric;
            }
        }
    }
}

TEST(InputRules, TsmKeepsZeroVectorsAtZeroAndSaysSo) {
    Points x = reference::random_points(60, 5, 8);
    std::ranges::fill(x[4], 0.0F);
    const Embedding fitted = fit("tsm", x, {{"dimension", std::int64_t{2}}});
    EXPECT_EQ(fitted.summary.value("zero_vectors"), 1.0);
    EXPECT_TRUE(warns(fitted.summary, "1 zero vectors have no direction"));
    EXPECT_TRUE(std::ranges::all_of(fitted.coordinates[4], [](float value) { return value == 0.0F; }));
}

TEST(InputRules, OneDirectionIsNothingToEmbed) {
    Points x(30, 3);
    for (Index i = 0; i < 30; ++i) {
        x[i][1] = static_cast<float>(i);
    }
    OptionValues values = quick("umap");
    values["metric"] = std::string("cosine");
    EXPECT_THROW(static_cast<void>(fit("umap", x, values)), InputError);
    std::ranges::fill(x.values(), 1.0F);
    x[3][0] = 2.0F;
    values["metric"] = std::string("correlation");
    EXPECT_THROW(static_cast<void>(fit("umap", x, values)), InputError);
}

TEST(InputRules, MessagesNameTheRowsThatTheCallerKnows) {
    Points x = reference::reordered(reference::random_points(40, 3, 5), with_copies(40, 12));
    x[45][1] = std::nanf("");
    try {
        static_cast<void>(fit("umap", x, quick("umap")));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("row 45, column 1"), std::string::npos) << error.what();
    }
}

TEST(InputRules, StartAndLabelsAreThoseOfTheDistinctRows) {
    const Points points = reference::random_points(40, 3, 5);
    const std::vector<Index> rows = with_copies(40, 12);
    const Points start = reference::random_points(40, 2, 9);
    std::vector<std::int64_t> labels(40);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        labels[i] = static_cast<std::int64_t>(i % 3);
    }
    std::vector<std::int64_t> all_labels;
    for (const Index i : rows) {
        all_labels.push_back(labels[i]);
    }
    const Points all_start = reference::reordered(start, rows);
    const Embedding once = fit("umap", points, quick("umap"), {.start = start.view(), .labels = labels});
    const Embedding fitted = fit("umap", reference::reordered(points, rows), quick("umap"),
                                 {.start = all_start.view(), .labels = all_labels});
    EXPECT_TRUE(std::ranges::equal(fitted.coordinates.values(), reference::reordered(once.coordinates, rows).values()));
}

TEST(InputRules, GivenListsOfRowsWithDirectionsAloneGiveTheirBits) {
    Points x = reference::random_points(40, 3, 5);
    std::vector<Index> directed(40);
    std::iota(directed.begin(), directed.end(), Index{0});
    for (const Index zero : {30U, 8U}) {
        std::ranges::fill(x[zero], 0.0F);
        directed.erase(directed.begin() + zero);
    }
    const NeighborLists near = exact_neighbors(reference::reordered(x, directed).view(), 5, Metric::Cosine);
    NeighborLists lists{.size = 5};
    for (Index i = 0, r = 0; i < x.count(); ++i) {
        const bool fitted = r < directed.size() && directed[r] == i;
        for (Index k = 0; k < 5; ++k) {
            lists.indices.push_back(directed[fitted ? near[r][k] : k]);
            lists.distances.push_back(fitted ? near.distances_of(r)[k] : 1.0F);
        }
        r += fitted ? 1 : 0;
    }
    OptionValues values = quick("umap");
    values["metric"] = std::string("cosine");
    const Embedding found = fit("umap", x, values);
    const Embedding given = fit("umap", x, values, {.neighbors = &lists});
    EXPECT_TRUE(std::ranges::equal(given.coordinates.values(), found.coordinates.values()));
}

TEST(InputRules, LandmarksAreDistinctRows) {
    const Points points = reference::random_points(40, 3, 5);
    const Points x = reference::reordered(points, with_copies(40, 30));
    for (const std::string method : {"laplacian", "lle", "isomap"}) {
        for (const int landmarks : {20, 50}) {
            LandmarkOptions options;
            options.landmarks = landmarks;
            const Embedding fitted = find_method(method).embed(x.view(), quick(method), {}, {}, &options);
            EXPECT_EQ(fitted.coordinates.count(), 70U) << method;
            EXPECT_EQ(apart(fitted.coordinates, 0, 30), 0.0) << method;
            std::vector<Index> rows = fitted.barycentric_map->landmarks;
            EXPECT_TRUE(std::ranges::none_of(rows, [](Index i) { return i > 0 && i <= 30; })) << method;
        }
    }
}

}  // namespace

}  // namespace isogon::input_rules_test
