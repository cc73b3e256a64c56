#include <gtest/gtest.h>

#include <algorithm>

#include "isogon/core/error.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/transform/distance_placement.hpp"
#include "reference/point_sets.hpp"
#include "support/placements.hpp"
#include "transform/output_graph.hpp"

namespace isogon::placement_indexes_test {
namespace {

using reference::on_threads;
using Example = support::placements::Example<LocalPlacement>;

Example example() {
    Example e = support::placements::example(900, 40, 5, LocalPlacement());
    e.form = local_placement_of(exact_neighbors(e.inputs.view(), 6, Metric::Cosine), Metric::Cosine, 10.0);
    return e;
}

struct PlacementIndexesTest : ::testing::Test {
    Example e = example();
    PlacementIndexes made{e.inputs.view(), e.outputs.view(), e.form, on_threads(2)};

    [[nodiscard]] Archive model() const {
        Archive archive;
        made.save(archive);
        return archive;
    }
    [[nodiscard]] PlacementIndexes load(const Archive& archive) const {
        return {e.inputs.view(), e.outputs.view(), e.form, archive, on_threads(1)};
    }
    [[nodiscard]] Points placed(PlacementIndexes indexes) const {
        const auto shared = std::make_shared<const PlacementIndexes>(std::move(indexes));
        return DistancePlacement(e.inputs.view(), e.outputs.view(), e.form, shared, on_threads(1))
            .place(e.rows.view(), on_threads(1))
            .outputs;
    }
};

TEST_F(PlacementIndexesTest, PlaceRowsToTheSameBitsFromAModel) {
    EXPECT_FALSE(PlacementIndexes::are_in({}));
    EXPECT_TRUE(PlacementIndexes::are_in(model()));
    const Points expected = placed(PlacementIndexes(e.inputs.view(), e.outputs.view(), e.form, on_threads(1)));
    const Points found = placed(load(model()));
    EXPECT_TRUE(std::equal(found.values().begin(), found.values().end(), expected.values().begin()));
}

TEST_F(PlacementIndexesTest, KeepNoCopyOfTheInputs) {
    const Archive archive = model();
    EXPECT_FALSE(archive.has("index.points"));
    for (const auto& [name, array] : archive.arrays) {
        const std::size_t most =
            name == "output_edges" ? std::size_t{900} * OutputGraph::degree : e.inputs.values().size() / 2;
        EXPECT_LE(*element_count(array.shape), most) << name;
    }
}

TEST_F(PlacementIndexesTest, AreRefusedWhereTheArraysDoNotHangTogether) {
    for (const auto& item : model().arrays) {
        const std::string& name = item.first;
        Archive lacking = model();
        lacking.arrays.erase(name);
        if (name != "index.directions") {
            EXPECT_THROW(load(lacking), InputError) << name;
        }
    }
    Archive beyond = model();
    std::get<std::vector<std::uint32_t>>(beyond.arrays.at("output_edges").values)[5] = 4000;
    EXPECT_THROW(load(beyond), InputError);
    beyond = model();
    std::get<std::vector<std::uint64_t>>(beyond.arrays.at("output_effort").values)[0] = 0;
    EXPECT_THROW(load(beyond), InputError);
    beyond = model();
    std::get<std::vector<std::uint32_t>>(beyond.arrays.at("index.cluster_of").values)[5] = 4000;
    EXPECT_THROW(load(beyond), InputError);
    beyond = model();
    beyond.arrays.at("output_edges") = Array{{3}, std::vector<std::uint32_t>{0, 0, 0}};
    EXPECT_THROW(load(beyond), InputError);
}

TEST_F(PlacementIndexesTest, StateTheirMemory) {
    RunContext context = on_threads(1);
    context.memory_limit = 1000;
    EXPECT_THROW(PlacementIndexes(e.inputs.view(), e.outputs.view(), e.form, context), LimitExceeded);
    EXPECT_THROW(PlacementIndexes(e.inputs.view(), e.outputs.view(), e.form, model(), context), LimitExceeded);
}

/// A model of points on which nothing was fitted: their first numbers are their outputs.
Archive model_of(Index count, Metric metric = Metric::Euclidean) {
    const Points x = reference::random_points(count, 3, 1);
    Embedding fitted;
    fitted.coordinates = Points(count, 2);
    for (Index i = 0; i < count; ++i) {
        std::copy_n(x[i].begin(), 2, fitted.coordinates[i].begin());
    }
    fitted.local_placement =
        LocalPlacement{.metric = metric, .neighbors = 4, .radii = std::vector<float>(count, 0.05F)};
    return make_model("faithful", x.view(), fitted, Store::Map);
}

TEST(AddPlacementIndexes, ToLargeModelsByMetricsThatHaveIndexes) {
    const auto has_indexes = [](Archive model, const RunContext& context) {
        add_placement_indexes(model, context);
        return PlacementIndexes::are_in(model);
    };
    EXPECT_TRUE(has_indexes(model_of(PlacementIndexes::worthwhile), on_threads(2)));
    EXPECT_FALSE(has_indexes(model_of(PlacementIndexes::worthwhile, Metric::Manhattan), on_threads(2)));
    EXPECT_FALSE(has_indexes(model_of(PlacementIndexes::worthwhile - 1), on_threads(2)));
    RunContext little = on_threads(2);
    little.memory_limit = 1000;
    EXPECT_FALSE(has_indexes(model_of(PlacementIndexes::worthwhile), little));
}

TEST(TransformerOfIndexedModels, SearchesAsItIsTold) {
    Archive model = model_of(PlacementIndexes::worthwhile);
    add_placement_indexes(model, on_threads(2));
    EXPECT_TRUE(Transformer(model, on_threads(2)).map().is_approximate());
    EXPECT_FALSE(Transformer(model, on_threads(2), Placing::Exact).map().is_approximate());
    const Archive small = model_of(500);
    EXPECT_FALSE(Transformer(small, on_threads(2)).map().is_approximate());
    EXPECT_TRUE(Transformer(small, on_threads(2), Placing::Approximate).map().is_approximate());
    EXPECT_THROW(Transformer(model_of(500, Metric::Manhattan), on_threads(2), Placing::Approximate), InvalidArgument);
    Archive other = small;
    other.notes["map"] = "placement";
    other.add_number("threshold", 0.5);
    EXPECT_THROW(Transformer(other, on_threads(2), Placing::Approximate), InvalidArgument);
}

}  // namespace
}  // namespace isogon::placement_indexes_test
