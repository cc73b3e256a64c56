#include <gtest/gtest.h>

#include <algorithm>

#include "isogon/core/error.hpp"
#include "isogon/methods/method.hpp"
#include "isogon/methods/model.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "reference/point_sets.hpp"
#include "support/placements.hpp"
#include "transform/distance_placement.hpp"
#include "transform/proximity_graph.hpp"

namespace isogon::out_of_sample_indexes_test {
namespace {

using reference::on_threads;
using Example = support::placements::Example<LocalPlacement>;

Example example() {
    Example e = support::placements::example(900, 40, 5, LocalPlacement());
    e.form = local_placement_of(exact_neighbors(e.inputs.view(), 6, Metric::Cosine), Metric::Cosine, 10.0);
    return e;
}

struct OutOfSampleIndexesTest : ::testing::Test {
    Example e = example();
    OutOfSampleIndexes made{e.inputs.view(), e.outputs.view(), e.form, on_threads(2)};

    [[nodiscard]] Archive model() const {
        Archive archive;
        made.save(archive);
        return archive;
    }
    [[nodiscard]] OutOfSampleIndexes load(const Archive& archive) const {
        return {e.inputs.view(), e.outputs.view(), e.form, archive, on_threads(1)};
    }
    [[nodiscard]] Points placed(OutOfSampleIndexes indexes) const {
        const auto shared = std::make_shared<const OutOfSampleIndexes>(std::move(indexes));
        return DistancePlacement(e.inputs.view(), e.outputs.view(), e.form, shared, on_threads(1))
            .place(e.rows.view(), on_threads(1))
            .outputs;
    }
};

TEST_F(OutOfSampleIndexesTest, PlaceRowsToTheSameBitsFromAModel) {
    EXPECT_FALSE(OutOfSampleIndexes::are_in({}));
    EXPECT_TRUE(OutOfSampleIndexes::are_in(model()));
    const Points expected = placed(OutOfSampleIndexes(e.inputs.view(), e.outputs.view(), e.form, on_threads(1)));
    const Points found = placed(load(model()));
    EXPECT_TRUE(std::equal(found.values().begin(), found.values().end(), expected.values().begin()));
}

TEST_F(OutOfSampleIndexesTest, KeepNoCopyOfTheInputs) {
    const Archive archive = model();
    EXPECT_FALSE(archive.has("index.points"));
    for (const auto& [name, array] : archive.arrays) {
        const std::size_t most =
            name == "output_edges" ? std::size_t{900} * ProximityGraph::degree : e.inputs.values().size() / 2;
        EXPECT_LE(*element_count(array.shape), most) << name;
    }
}

TEST_F(OutOfSampleIndexesTest, AreRefusedWhereTheArraysDoNotHangTogether) {
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

TEST_F(OutOfSampleIndexesTest, StateTheirMemory) {
    RunContext context = on_threads(1);
    context.memory_limit = 1000;
    EXPECT_THROW(OutOfSampleIndexes(e.inputs.view(), e.outputs.view(), e.form, context), LimitExceeded);
    EXPECT_THROW(OutOfSampleIndexes(e.inputs.view(), e.outputs.view(), e.form, model(), context), LimitExceeded);
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
    return make_model("faithful", x.view(), fitted);
}

TEST(AddPlacementIndexes, ToLargeModelsByMetricsThatHaveIndexes) {
    const auto has_indexes = [](Archive model, const RunContext& context) {
        add_placement_indexes(model, context);
        return OutOfSampleIndexes::are_in(model);
    };
    EXPECT_TRUE(has_indexes(model_of(OutOfSampleIndexes::worthwhile), on_threads(2)));
    EXPECT_FALSE(has_indexes(model_of(OutOfSampleIndexes::worthwhile, Metric::Manhattan), on_threads(2)));
    EXPECT_FALSE(has_indexes(model_of(OutOfSampleIndexes::worthwhile - 1), on_threads(2)));
    RunContext little = on_threads(2);
    little.memory_limit = 1000;
    EXPECT_FALSE(has_indexes(model_of(OutOfSampleIndexes::worthwhile), little));
}

TEST(TransformerOfIndexedModels, SearchesAsItIsTold) {
    Archive model = model_of(OutOfSampleIndexes::worthwhile);
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
}  // namespace isogon::out_of_sample_indexes_test
