#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "isogon/faithful/faithful.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/registry/registry.hpp"
#include "isogon/synthetic/generator.hpp"
#include "methods/forces.hpp"
#include "methods/forces/layout_outputs.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/heaps.hpp"
#include "support/matching_examples.hpp"
#include "transform/distance_placement.hpp"
#include "transform/landmark_mixtures.hpp"
#include "transform/locally_linear_extension.hpp"
#include "transform/placement.hpp"
#include "transform/query_map.hpp"

namespace isogon::model_maps_test {

namespace {

using reference::on_threads;
using support::heaps;
using support::Matrix;
using support::to_matrix;

/// Clustered points, of which the first 40 are new.
struct NewRows {
    Points all = support::clustered_points(160, 12, 8, 0.6, 5);
    PointsView rows{all.view()[0].data(), 40, 12};
    PointsView inputs{all.view()[40].data(), 120, 12};
};

Archive model_of(const std::string& method, const Points& x) {
    OptionValues options{{"dimension", std::int64_t{4}}};
    if (method == "tsm") {
        options["threshold"] = 0.6;
        options["iterations"] = std::int64_t{20};
    }
    const Embedding fitted = find_method(method).embed(x.view(), options, on_threads(1));
    return make_model(method, x.view(), fitted);
}

TEST(TransformerWays, MapQueriesWhereTheModelHasAMap) {
    const NewRows example;
    const Points fitted = support::to_points(to_matrix(example.inputs));
    Archive model = model_of("tsm", fitted);
    EXPECT_THROW(Transformer(model, {}, Placing::QueryMap), InvalidArgument);
    const auto placed = Transformer(model, {}).transform(example.rows, {}).coordinates;
    const QueryMapOptions options{.prototypes = 5};
    const Archive map = make_query_map(model, options, on_threads(1));
    add_query_map(model, map);
    EXPECT_EQ(to_matrix(Transformer(model, {}).transform(example.rows, {}).coordinates), to_matrix(placed));
    RunContext little;
    little.memory_limit = 40 * 4 * sizeof(float);  // the outputs: nothing is prepared of the fitted points
    const Transformer transformer(model, little, Placing::QueryMap);
    Archive alone;
    alone.arrays = fit_query_map(example.inputs, points_view(model, "coordinates"), options, on_threads(2));
    const Matrix mapped = to_matrix(QueryMap(alone).transform(example.rows, {}).coordinates);
    EXPECT_EQ(to_matrix(transformer.transform(example.rows, little).coordinates), mapped);
    for (const Placing placing : {Placing::Auto, Placing::QueryMap}) {
        Transformer without_inputs(map, little, placing);
        EXPECT_EQ(to_matrix(without_inputs.transform(example.rows, little).coordinates), mapped);
        EXPECT_TRUE(without_inputs.has_map());
        EXPECT_THROW(without_inputs.use_weights({}), InvalidArgument);
    }
    // Arrays that are right, of another fit.
    const Points narrow = reference::random_points(20, 5, 1);
    for (const auto& [name, array] : fit_query_map(narrow.view(), narrow.view(), options, {})) {
        model.arrays[name] = array;
    }
    EXPECT_THROW(Transformer(model, {}, Placing::QueryMap), InputError);
    Archive linear = model_of("svd", fitted);
    EXPECT_THROW(static_cast<void>(make_query_map(linear, {}, {})), InvalidArgument);
    EXPECT_THROW(Transformer(linear, {}, Placing::QueryMap), InvalidArgument);
    const Archive local = model_of("faithful", fitted);
    EXPECT_THROW(static_cast<void>(make_query_map(local, {}, {})), InvalidArgument);
    EXPECT_THROW(Transformer(local, {}, Placing::QueryMap), InvalidArgument);
    EXPECT_FALSE(has_query_maps("faithful"));
    EXPECT_TRUE(has_query_maps("tsm"));
}

TEST(TransformerWays, MapQueriesLikeThoseThatWereShown) {
    const NewRows example;
    Archive model = model_of("tsm", support::to_points(to_matrix(example.inputs)));
    const Points placed = Transformer(model, {}).transform(example.rows, {}).coordinates;
    const Archive map = make_query_map(model, {.prototypes = 5}, on_threads(1), example.rows);
    Archive expected;
    const auto above = [](const PointsView& first, const PointsView& second) {
        Matrix both(first.count + second.count, first.dimension);
        both << to_matrix(first), to_matrix(second);
        return support::to_points(both);
    };
    const Points x = above(example.inputs, example.rows);
    const Points y = above(points_view(model, "coordinates"), placed.view());
    expected.arrays = fit_query_map(x.view(), y.view(), {.prototypes = 5}, on_threads(2));
    EXPECT_EQ(to_matrix(Transformer(map, {}).transform(example.rows, {}).coordinates),
              to_matrix(QueryMap(expected).transform(example.rows, {}).coordinates));
    const Points narrow(4, 1);
    EXPECT_THROW(static_cast<void>(make_query_map(model, {}, {}, narrow.view())), InvalidArgument);
    RunContext little;
    little.memory_limit = 4096;
    EXPECT_THROW(static_cast<void>(make_query_map(model, {}, little, example.rows)), LimitExceeded);
}

TEST(TransformerWays, MixAndExtendFromModelsWithLandmarks) {
    const NewRows example;
    const Points fitted = support::to_points(to_matrix(example.inputs));
    for (const std::string method : {"tsm", "faithful"}) {
        Transformer transformer(model_of(method, fitted), {});
        const PointsView coordinates(transformer.model().numbers<float>("coordinates", {120, 4}).data(), 120, 4);
        EXPECT_FALSE(transformer.has_map());
        const Points mixed = mix_landmark_outputs(example.rows, {example.inputs, coordinates}, {.neighbors = 9});
        transformer.use_weights({.neighbors = 9});
        EXPECT_EQ(to_matrix(transformer.transform(example.rows, {}).coordinates), to_matrix(mixed));
        const Extended extended = extend_jointly(example.rows, {example.inputs, coordinates}, {.neighbors = 9}, {});
        EXPECT_EQ(to_matrix(transformer.extend(example.rows, {.neighbors = 9}, {}).coordinates),
                  to_matrix(extended.coordinates));
        const PointsView narrow(example.rows.data, 5, 7, 12);
        EXPECT_THROW((void)transformer.transform(narrow, {}), InvalidArgument);
        EXPECT_THROW(transformer.use_weights({.ridge = 0.0}), InvalidArgument);
        EXPECT_THROW((void)transformer.extend(narrow, {}, {}), InvalidArgument);
    }
}

TEST(TransformerWays, LinearModelsHaveOneOnly) {
    const NewRows example;
    for (const std::string method : {"svd", "pca"}) {
        Transformer transformer(model_of(method, support::to_points(to_matrix(example.inputs))), {});
        EXPECT_TRUE(transformer.has_map());
        EXPECT_THROW(transformer.use_weights({}), InvalidArgument);
        EXPECT_THROW((void)transformer.extend(example.rows, {}, {}), InvalidArgument);
    }
}

Archive layout_model(const std::string& method, const Points& points) {
    const Embedding fitted = method == "umap" ? umap(points.view(), {.iterations = 90})
                                              : tsne(points.view(), {.perplexity = 8.0, .iterations = 90});
    return make_model(method, points.view(), fitted);
}

class FrozenModels : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Methods, FrozenModels, testing::Values("umap", "tsne"),
                         [](const auto& test) { return test.param; });

TEST_P(FrozenModels, RefuseBrokenFilesAndOtherWays) {
    const Points points = heaps(60);
    const Archive model = layout_model(GetParam(), points);
    Transformer transformer(model, {});
    EXPECT_THROW(transformer.use_weights({}), InvalidArgument);
    EXPECT_THROW((void)transformer.extend(points.view(), {}, {}), InvalidArgument);
    EXPECT_THROW((void)transformer.transform(reference::random_points(3, 5, 1).view(), {}), InvalidArgument);
    Archive broken = model;
    broken.arrays.erase("inputs");
    EXPECT_THROW(Transformer(broken, {}), InputError);
    broken.add("inputs", reference::random_points(59, 6, 1).view());
    EXPECT_THROW(Transformer(broken, {}), InputError);
    broken = model;
    broken.options["seed"] = std::string("seven");
    EXPECT_THROW(Transformer(broken, {}), Error);
    broken = model;
    std::get<std::vector<float>>(broken.arrays.at("coordinates").values)[5] = 1e20F;
    EXPECT_THROW(Transformer(broken, {}), InputError);
}

std::string refusal_of_weights(const std::string& method) {
    try {
        Transformer(model_of(method, support::to_points(to_matrix(NewRows().inputs))), {}).use_weights({});
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "";
}

TEST(ModelMaps, AreNamedByTheirKind) {
    const Points x = support::to_points(to_matrix(NewRows().inputs));
    EXPECT_EQ(model_of("svd", x).note("map"), "linear");
    EXPECT_EQ(model_of("tsm", x).note("map"), "placement");
    EXPECT_EQ(model_of("faithful", x).note("map"), "local-placement");
    EXPECT_EQ(model_of("laplacian", x).note("map"), "mixture");
    EXPECT_EQ(layout_model("tsne", heaps(60)).note("map"), "frozen");
    EXPECT_NE(refusal_of_weights("pca").find("is a linear map, which places every row exactly"), std::string::npos);
    EXPECT_NE(refusal_of_weights("laplacian").find("as mixtures of fitted ones already; mixing by weights is for"),
              std::string::npos);
    EXPECT_EQ(refusal_of_weights("tsm"), "");
}

Embedding fit_local(const Points& x, int dimension = 10) {
    return faithful(x.view(), {.dimension = dimension, .neighbors = 8, .metric = Metric::Euclidean, .iterations = 60},
                    on_threads(2));
}

Archive local_model() {
    const Points x = support::to_points(to_matrix(NewRows().inputs));
    return make_model("faithful", x.view(), fit_local(x));
}

TEST(LocalModels, PlaceByTheOptionsOfTheFit) {
    const NewRows example;
    const Points x = support::to_points(to_matrix(example.inputs));
    const Embedding fitted = fit_local(x);
    const LocalPlacement& local = fitted.local_placement.value();
    EXPECT_EQ(local.neighbors, 8U);
    EXPECT_EQ(local.metric, Metric::Euclidean);
    EXPECT_EQ(local.radii, local_placement_of(exact_neighbors(x.view(), 8, local.metric), local.metric, 1.0).radii);
    Transformer transformer(make_model("faithful", x.view(), fitted), on_threads(1));
    EXPECT_EQ(transformer.model().note("map"), "local-placement");
    EXPECT_EQ(to_matrix(transformer.transform(x.view(), {}).coordinates), to_matrix(fitted.coordinates));
    const Points placed =
        DistancePlacement(x.view(), fitted.coordinates.view(), local, nullptr, {}).place(example.rows, {}).outputs;
    for (const int threads : {1, 2, 3}) {
        EXPECT_EQ(to_matrix(transformer.transform(example.rows, on_threads(threads)).coordinates), to_matrix(placed));
    }
    EXPECT_FALSE(transformer.has_map());  // the fitted points may as well be landmarks of another way
    transformer.use_weights({.neighbors = 9});
}

/// A fit of the distinct rows, here all but the first 20, which are copies of row 20.
TEST(LocalModels, KeepTheRowsThatWereFittedAlone) {
    const Points distinct = support::to_points(to_matrix(NewRows().inputs));
    Embedding fitted = fit_local(distinct, 4);
    Points x(20 + distinct.count(), distinct.dimension());
    Points y(x.count(), 4);
    for (Index i = 0; i < x.count(); ++i) {
        const Index row = i < 20 ? 0 : i - 20;
        std::copy(distinct[row].begin(), distinct[row].end(), x[i].begin());
        std::copy(fitted.coordinates[row].begin(), fitted.coordinates[row].end(), y[i].begin());
        if (i >= 20) {
            fitted.local_placement->rows.push_back(i);
        }
    }
    fitted.coordinates = y;
    const Transformer transformer(make_model("faithful", x.view(), fitted), on_threads(1));
    EXPECT_EQ(transformer.fitted_count(), distinct.count());
    EXPECT_EQ(to_matrix(transformer.transform(x.view(), {}).coordinates), to_matrix(y));
}

TEST(LocalModels, FindMoreNeighborsOfUnseenDigitsThanMixturesOfTheNearest) {
    const Points all = drawn_digits(700).points;
    const Points x = support::to_points(to_matrix(all).topRows(600));
    const Points rows = support::to_points(to_matrix(all).bottomRows(100));
    const Embedding fitted = fit_local(x, 16);
    Embedding mixed = fitted;
    mixed.local_placement.reset();
    mixed.barycentric_map = mixture_of_nearest(fitted.coordinates);
    const NeighborLists before = exact_neighbors(rows.view(), x.view(), 8, Metric::Euclidean);
    const auto recalled = [&](const Embedding& embedding) {
        const Transformer transformer(make_model("faithful", x.view(), embedding), {});
        const NeighborLists after = exact_neighbors(transformer.transform(rows.view(), {}).coordinates.view(),
                                                    embedding.coordinates.view(), 8, Metric::Euclidean);
        double common = 0.0;
        for (Index i = 0; i < before.count(); ++i) {
            common += static_cast<double>(std::count_if(before[i].begin(), before[i].end(), [&](Index j) {
                return std::find(after[i].begin(), after[i].end(), j) != after[i].end();
            }));
        }
        return common / static_cast<double>(before.indices.size());
    };
    EXPECT_GT(recalled(fitted), recalled(mixed) + 0.05);
}

TEST(LocalModels, AreRefusedWhereTheirArraysDisagree) {
    const Archive good = local_model();
    const auto expect_refused = [&](const std::string& word, const std::function<void(Archive&)>& damage) {
        Archive model = good;
        damage(model);
        try {
            const Transformer transformer(model, {});
            ADD_FAILURE() << word << " was taken";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
        }
    };
    const auto set = [](Archive& model, const char* name, Array array) {
        model.arrays.insert_or_assign(name, std::move(array));
    };
    for (const char* name : {"inputs", "coordinates", "neighbors", "repulsion", "radii", "farthest"}) {
        expect_refused(name, [&](Archive& model) { model.arrays.erase(name); });
    }
    for (const double bad : {0.0, -0.1, double{NAN}}) {
        expect_refused("repulsion", [&](Archive& model) { set(model, "repulsion", {{}, std::vector{bad}}); });
    }
    expect_refused("radii", [&](Archive& model) { set(model, "radii", {{3}, std::vector{1.0F, 1.0F, 1.0F}}); });
    expect_refused("radii",
                   [&](Archive& model) { std::get<std::vector<float>>(model.arrays["radii"].values)[3] = -1.0F; });
    expect_refused("metric", [&](Archive& model) { model.notes["metric"] = "inner-product"; });
    EXPECT_NO_THROW(Transformer(good, {}));
}

TEST(ModelMaps, AreNoneInAnotherArchive) {
    Archive model = model_of("svd", support::to_points(to_matrix(NewRows().inputs)));
    model.notes["map"] = "crooked";
    try {
        const Transformer transformer(model, {});
        ADD_FAILURE() << "an unknown kind of map is read";
    } catch (const InputError& error) {
        EXPECT_NE(
            std::string(error.what()).find("\"crooked\", a kind of map that this version does not have: fit again"),
            std::string::npos)
            << error.what();
    }
    model.notes.erase("map");
    EXPECT_THROW(Transformer(model, {}), InputError);
    model.notes["map"] = "placement";  // whose arrays are missing
    EXPECT_THROW(Transformer(model, {}), InputError);
}

}  // namespace

}  // namespace isogon::model_maps_test
