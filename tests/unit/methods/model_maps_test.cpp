#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "isogon/methods/forces.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/methods/registry.hpp"
#include "reference/point_sets.hpp"
#include "support/heaps.hpp"
#include "support/matching_examples.hpp"

namespace isogon::model_maps_test {

namespace {

using reference::on_threads;
using support::heaps;
using support::to_matrix;

/// Clustered points, of which the first 40 are new.
struct NewRows {
    Points all = support::clustered_points(160, 12, 8, 0.6, 5);
    PointsView rows{all.view()[0].data(), 40, 12};
    PointsView inputs{all.view()[40].data(), 120, 12};
};

Archive model_of(const std::string& method, const Points& x) {
    OptionValues options{{"dimension", std::int64_t{4}}};
    if (method == "tsm" || method == "faithful") {
        options["threshold"] = 0.6;
        options["iterations"] = std::int64_t{20};
    }
    const Embedding fitted = find_method(method).embed(x.view(), options, on_threads(1));
    return make_model(method, x.view(), fitted, Store::Map);
}

TEST(TransformerWays, MixAndExtendFromModelsWithLandmarks) {
    const NewRows example;
    const Points fitted = support::to_points(to_matrix(example.inputs));
    for (const std::string method : {"tsm", "faithful"}) {
        Transformer transformer(model_of(method, fitted), {});
        const PointsView coordinates(transformer.model().numbers<float>("coordinates", {120, 4}).data(), 120, 4);
        EXPECT_FALSE(transformer.has_map());
        const Points mixed = mix_landmark_outputs(example.rows, example.inputs, coordinates, {.neighbors = 9});
        transformer.use_weights({.neighbors = 9});
        EXPECT_EQ(to_matrix(transformer.transform(example.rows, {}).coordinates), to_matrix(mixed));
        const Extended extended = extend_jointly(example.rows, example.inputs, coordinates, {.neighbors = 9}, {});
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
    const Embedding fitted = method == "umap" ? umap(points.view(), {.epochs = 90})
                                              : tsne(points.view(), {.perplexity = 8.0, .iterations = 90});
    return make_model(method, points.view(), fitted, Store::Map);
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
    EXPECT_EQ(model_of("faithful", x).note("map"), "placement");
    EXPECT_EQ(model_of("laplacian", x).note("map"), "mixture");
    EXPECT_EQ(layout_model("tsne", heaps(60)).note("map"), "frozen");
    EXPECT_NE(refusal_of_weights("pca").find("is a linear map, which places every row exactly"), std::string::npos);
    EXPECT_NE(refusal_of_weights("laplacian").find("as mixtures of fitted ones already; mixing by weights is for"),
              std::string::npos);
    EXPECT_EQ(refusal_of_weights("tsm"), "");
}

TEST(ModelMaps, AreNoneInAnotherArchive) {
    Archive model = model_of("svd", support::to_points(to_matrix(NewRows().inputs)));
    model.notes["map"] = "crooked";
    EXPECT_THROW(Transformer(model, {}), InputError);
    model.notes.erase("map");
    EXPECT_THROW(Transformer(model, {}), InputError);
    model.notes["map"] = "placement";  // whose arrays are missing
    EXPECT_THROW(Transformer(model, {}), InputError);
}

}  // namespace

}  // namespace isogon::model_maps_test
