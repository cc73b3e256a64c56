#include "methods/precomputed_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/methods/registry.hpp"
#include "reference/graphs.hpp"
#include "reference/point_sets.hpp"

namespace isogon::precomputed_graph_test {
namespace {

PointsView rows_without_numbers(Index count) {
    return {nullptr, count, 0};
}

/// Few steps, and a start that needs no points.
OptionValues quick(const Method& method) {
    OptionValues options{{"dimension", std::int64_t{2}}};
    for (const OptionSpec& option : method.options) {
        if (option.name == "neighbors") {
            options["neighbors"] = std::int64_t{7};
        } else if (option.name == "epochs" || (option.name == "iterations" && method.name == "tsne")) {
            options[option.name] = std::int64_t{30};
        } else if (option.name == "perplexity" && method.name == "tsne") {
            options["perplexity"] = 2.0;
        } else if (option.name == "start" && method.name == "tsne") {
            options["start"] = std::string("random");
        }
    }
    return options;
}

template <class Exception>
std::string message_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Exception& error) {
        return error.what();
    }
    return "nothing was thrown";
}

class GraphAlone : public testing::Test {
protected:
    Points points_ = reference::random_points(90, 4, 1);
    NeighborLists lists_ = reference::euclidean_lists(points_, 7);
    FitExtras extras_{.neighbors = &lists_};
    PointsView rows_ = rows_without_numbers(90);
};

TEST_F(GraphAlone, GivesTheSameBitsAsWithThePoints) {
    Index tried = 0;
    for (const Method& method : methods()) {
        if (!method.accepts_precomputed) {
            continue;
        }
        ++tried;
        const Embedding with = method.embed_with(points_.view(), quick(method), {}, extras_);
        const Embedding alone = method.embed_with(rows_, quick(method), {.threads = 3}, extras_);
        ASSERT_EQ(alone.coordinates.count(), 90U) << method.name;
        EXPECT_TRUE(std::ranges::equal(with.coordinates.values(), alone.coordinates.values())) << method.name;
    }
    EXPECT_EQ(tried, 4U);
}

TEST_F(GraphAlone, IsRefusedByAllOtherMethods) {
    for (const Method& method : methods()) {
        if (!method.accepts_precomputed && method.embed_with) {
            EXPECT_THROW((void)method.embed_with(rows_, quick(method), {}, extras_), Error) << method.name;
        }
        EXPECT_TRUE(method.uses_neighbors || !method.accepts_precomputed) << method.name;
    }
}

TEST_F(GraphAlone, OfAnyUnitIsTheSame) {
    for (const float factor : {0x1p-100F, 0x1p60F}) {
        NeighborLists other = lists_;
        std::transform(other.distances.begin(), other.distances.end(), other.distances.begin(),
                       [factor](float distance) { return distance * factor; });
        const Method& isomap = find_method("isomap");
        const Embedding usual = isomap.embed_with(rows_, quick(isomap), {}, extras_);
        const Embedding scaled = isomap.embed_with(rows_, quick(isomap), {}, {.neighbors = &other});
        for (std::size_t k = 0; k < usual.coordinates.values().size(); ++k) {
            EXPECT_NEAR(scaled.coordinates.values()[k] / factor, usual.coordinates.values()[k], 1e-4);
        }
    }
}

TEST_F(GraphAlone, LeavesNoModel) {
    const Method& umap = find_method("umap");
    const Embedding fitted = umap.embed_with(rows_, quick(umap), {}, extras_);
    EXPECT_THROW((void)make_model("umap", rows_, fitted, Store::Map), InvalidArgument);
    const Method& isomap = find_method("isomap");
    const Embedding paths = isomap.embed_with(rows_, quick(isomap), {}, extras_);
    EXPECT_THROW((void)make_model("isomap", rows_, paths, Store::Map), InvalidArgument);
}

TEST_F(GraphAlone, NamesWhatNeedsThePoints) {
    const auto refused = [&](const char* name, const char* option, const char* value) {
        const Method& method = find_method(name);
        OptionValues options = quick(method);
        options[option] = std::string(value);
        return message_of<InvalidArgument>([&] { (void)method.embed_with(rows_, options, {}, extras_); });
    };
    for (const auto& [method, option, value] : {std::tuple{"isomap", "components", "bridge"},
                                                {"isomap", "components", "largest"},
                                                {"laplacian", "components", "largest"},
                                                {"tsne", "start", "pca"},
                                                {"umap", "start", "pca"}}) {
        const std::string message = refused(method, option, value);
        EXPECT_NE(message.find(std::string(option) + " = " + value), std::string::npos) << message;
        EXPECT_NE(message.find("needs the points"), std::string::npos) << message;
    }
    const Method& isomap = find_method("isomap");
    const LandmarkOptions landmarks{.landmarks = 20};
    EXPECT_THROW((void)isomap.embed_on_landmarks(rows_, quick(isomap), landmarks, {}, extras_), InvalidArgument);
}

TEST_F(GraphAlone, NamesWhatIsWrongWithTheGraph) {
    const auto check = [&](const NeighborLists& lists, int dimension) {
        const FitExtras extras{.neighbors = &lists};
        return [=, this] { require_points_or_graph(rows_, dimension, extras); };
    };
    NeighborLists bare = lists_;
    bare.distances.clear();
    EXPECT_NE(message_of<InputError>(check(bare, 2)).find("no distances"), std::string::npos);
    NeighborLists negative = lists_;
    negative.distances[3 * 7] = -1.0F;
    EXPECT_NE(message_of<InputError>(check(negative, 2)).find("row 3"), std::string::npos);
    NeighborLists equal = lists_;
    std::fill(equal.distances.begin(), equal.distances.end(), 0.0F);
    EXPECT_NE(message_of<InputError>(check(equal, 2)).find("nothing to embed"), std::string::npos);
    EXPECT_NE(message_of<InvalidArgument>(check(lists_, 90)).find("below 90"), std::string::npos);
    EXPECT_NE(message_of<InvalidArgument>(check(lists_, 0)).find("dimension = 0"), std::string::npos);
    const NeighborLists few = reference::euclidean_lists(reference::random_points(80, 4, 2), 7);
    EXPECT_NE(message_of<InvalidArgument>(check(few, 2)).find("80 lists"), std::string::npos);
    EXPECT_NO_THROW(check(lists_, 89)());
}

TEST_F(GraphAlone, InSeveralPartsIsRefusedOrTakenAsItIs) {
    NeighborLists parts{.size = 1};
    for (Index i = 0; i < 90; ++i) {
        parts.indices.push_back(i ^ 1U);
        parts.distances.push_back(1.0F);
    }
    const FitExtras extras{.neighbors = &parts};
    const OptionValues options{{"dimension", std::int64_t{2}}, {"neighbors", std::int64_t{1}}};
    EXPECT_THROW((void)find_method("isomap").embed_with(rows_, options, {}, extras), InputError);
    OptionValues drawn = options;
    drawn["epochs"] = std::int64_t{5};
    const Embedding map = find_method("umap").embed_with(rows_, drawn, {}, extras);
    EXPECT_TRUE(std::ranges::all_of(map.coordinates.values(), [](float value) { return std::isfinite(value); }));
    EXPECT_FALSE(map.summary.warnings.empty());
}

TEST_F(GraphAlone, IsWhatItIsOnlyWithoutNumbers) {
    EXPECT_TRUE(has_graph_alone(rows_, extras_));
    EXPECT_FALSE(has_graph_alone(points_.view(), extras_));
    EXPECT_FALSE(has_graph_alone(rows_, {}));
    EXPECT_EQ(unit_of(points_.view(), extras_, {}).points().data, points_.view().data);
    EXPECT_NO_THROW(require_graph_serves(points_.view(), extras_, ComponentPolicy::Bridge, true));
    EXPECT_NO_THROW(require_points_to_start(points_.view(), extras_, true));
    EXPECT_THROW(require_points_or_graph(rows_, 2, {}), InputError);
}

}  // namespace
}  // namespace isogon::precomputed_graph_test
