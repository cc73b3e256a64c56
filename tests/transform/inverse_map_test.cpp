#include "transform/inverse_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/registry/registry.hpp"
#include "methods/forces.hpp"
#include "methods/linear.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::inverse_map_test {

namespace {

/// A sheet of the given sides, rolled up in space and turned into D numbers.
Points rolled_sheet(Index count, Index dimension, std::uint64_t seed) {
    const Points places = reference::random_points(count, 2, seed);
    const support::Matrix turned = support::random_matrix(3, dimension, 7);
    Points points(count, dimension);
    for (Index i = 0; i < count; ++i) {
        const double angle = 1.2 * double{places[i][0]};
        const double space[] = {std::cos(angle), std::sin(angle), 0.5 * double{places[i][1]}};
        for (Index k = 0; k < dimension; ++k) {
            double sum = 0.0;
            for (int c = 0; c < 3; ++c) {
                sum += space[c] * turned(c, k);
            }
            points[i][k] = static_cast<float>(sum);
        }
    }
    return points;
}

/// The root mean square of differences.
double error_of(const Points& made, const Points& truth) {
    return (support::to_matrix(made) - support::to_matrix(truth)).norm() / std::sqrt(truth.count());
}

Points there_and_back(const Archive& model, const Points& rows) {
    const Points places = Transformer(model, {}).transform(rows.view(), {}).coordinates;
    return Transformer(model, {}, Placing::Inverse).transform(places.view(), {}).coordinates;
}

TEST(InverseMixture, FittedCoordinatesGiveTheirOwnInputs) {
    const Points points = rolled_sheet(150, 6, 1);
    for (const std::string name : {"faithful", "tsm", "umap", "tsne", "isomap", "laplacian", "lle", "kpca", "mds"}) {
        const Method& method = find_method(name);
        const Embedding fitted = method.embed(points.view(), {{"dimension", std::int64_t{2}}}, {});
        const Transformer inverse(make_model(name, points.view(), fitted), {}, Placing::Inverse);
        EXPECT_EQ(inverse.input_dimension(), 2U);
        EXPECT_EQ(inverse.output_dimension(), 6U);
        const Points made = inverse.transform(fitted.coordinates.view(), {.threads = 3}).coordinates;
        EXPECT_TRUE(std::ranges::equal(made.values(), points.values())) << name;
    }
}

TEST(InverseMixture, OfNewRowsIsNearerThanTheBestPlaneForCurvedData) {
    const Points points = rolled_sheet(600, 6, 1);
    const Points others = rolled_sheet(100, 6, 2);
    const Embedding plane = svd(points.view(), {.dimension = 2});
    const double best_plane = error_of(there_and_back(make_model("svd", points.view(), plane), others), others);
    // The median of some seeds: from a few of them umap folds the sheet.
    std::vector<double> errors;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Embedding map = umap(points.view(), {.iterations = 200, .seed = seed});
        errors.push_back(error_of(there_and_back(make_model("umap", points.view(), map), others), others));
    }
    std::ranges::sort(errors);
    EXPECT_LT(errors[2], 0.8 * best_plane);
}

TEST(InverseMixture, EachRowStandsAlone) {
    const Points points = rolled_sheet(200, 5, 1);
    const Points places = reference::random_points(200, 3, 4);
    const InverseMixture inverse(points.view(), places.view());
    const Points rows = reference::random_points(40, 3, 5);
    const Points all = inverse.transform(rows.view(), {.threads = 3}).coordinates;
    for (Index i = 0; i < 40; ++i) {
        const PointsView one(rows[i].data(), 1, 3);
        const Points alone = inverse.transform(one, {.threads = 1}).coordinates;
        EXPECT_TRUE(std::ranges::equal(alone[0], all[i]));
    }
    EXPECT_EQ(InverseMixture::neighbors_for(2, 100), 6U);
    EXPECT_EQ(InverseMixture::neighbors_for(16, 10), 10U);
    EXPECT_THROW((void)inverse.transform(points.view(), {}), InvalidArgument);
    Points bad = rows;
    bad[3][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW((void)inverse.transform(bad.view(), {}), InputError);
}

TEST(LinearInverse, KeepsWhatTheMapKeeps) {
    const Points points = rolled_sheet(120, 5, 3);
    for (const float factor : {1.0F, 1e-9F, 1e9F}) {
        const Points x = reference::scaled(points, factor);
        for (const std::string name : {"svd", "pca"}) {
            const Embedding fitted = find_method(name).embed(x.view(), {{"dimension", std::int64_t{3}}}, {});
            const Points back = there_and_back(make_model(name, x.view(), fitted), x);
            EXPECT_LT(error_of(back, x), 1e-5 * double{factor}) << "three dimensions hold the sheet";
        }
    }
}

TEST(LinearInverse, OfNmfIsTheSumOfItsParts) {
    const Points x = reference::magnitudes(rolled_sheet(80, 5, 3));
    const Embedding fitted = find_method("nmf").embed(x.view(), {{"dimension", std::int64_t{3}}}, {});
    const Archive model = make_model("nmf", x.view(), fitted);
    const Points made = Transformer(model, {}, Placing::Inverse).transform(fitted.coordinates.view(), {}).coordinates;
    const PointsView parts = points_view(model, "parts");
    for (Index i = 0; i < 80; ++i) {
        for (Index c = 0; c < 5; ++c) {
            double sum = 0.0;
            for (Index k = 0; k < 3; ++k) {
                sum += double{fitted.coordinates[i][k]} * double{parts[k][c]};
            }
            EXPECT_NEAR(made[i][c], sum, 1e-6);
        }
    }
}

TEST(InverseMap, RefusesModelsThatAreBroken) {
    const Points points = rolled_sheet(60, 5, 3);
    const Embedding fitted = umap(points.view(), {.iterations = 20});
    Archive model = make_model("umap", points.view(), fitted);
    model.arrays.erase("inputs");
    EXPECT_THROW(Transformer(model, {}, Placing::Inverse), InputError);
    Archive linear = make_model("svd", points.view(), svd(points.view(), {.dimension = 2}));
    linear.arrays.erase("unit");
    EXPECT_THROW(Transformer(linear, {}, Placing::Inverse), InputError);
}

}  // namespace

}  // namespace isogon::inverse_map_test
