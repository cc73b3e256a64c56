#include "methods/spectral.hpp"

#include <gtest/gtest.h>

#include "isogon/core/error.hpp"
#include "reference/graphs.hpp"
#include "support/embeddings.hpp"
#include "support/spectral_methods.hpp"

namespace isogon::isomap_test {
namespace {

using support::Matrix;

/// By Floyd and Warshall.
Matrix path_lengths(const CsrMatrix<double>& graph) {
    Matrix lengths = Matrix::Constant(graph.rows, graph.rows, 1e300);
    for (Index i = 0; i < graph.rows; ++i) {
        lengths(i, i) = 0.0;
        for (std::size_t e = 0; e < graph.row_indices(i).size(); ++e) {
            lengths(i, graph.row_indices(i)[e]) = graph.row_values(i)[e];
        }
    }
    for (Index k = 0; k < graph.rows; ++k) {
        for (Index i = 0; i < graph.rows; ++i) {
            for (Index j = 0; j < graph.rows; ++j) {
                lengths(i, j) = std::min(lengths(i, j), lengths(i, k) + lengths(k, j));
            }
        }
    }
    return lengths;
}

TEST(Isomap, EqualsTheDefinition) {
    const Points points = reference::random_points(220, 4, 1);
    const Matrix lengths = path_lengths(reference::graph_of(points, 7));
    const Matrix j = Matrix::Identity(220, 220) - Matrix::Constant(220, 220, 1.0 / 220.0);
    const Matrix gram = -0.5 * j * lengths.cwiseProduct(lengths) * j;
    const Matrix vectors = support::eigenvectors(gram, Matrix::Identity(220, 220), 0, 3, true);
    const Embedding result = isomap(points.view(), {.dimension = 3, .neighbors = 7, .negative_eigenvalues = 2});
    EXPECT_LT(support::span_error(support::to_matrix(result.coordinates), vectors), 1e-4);
    const Eigen::SelfAdjointEigenSolver<Matrix> truth(gram);
    EXPECT_NEAR(result.summary.value("eigenvalue_0"), truth.eigenvalues()[219], 1e-3);
    EXPECT_NEAR(result.summary.value("last_eigenvalue_0"), truth.eigenvalues()[0], 1e-3);
    EXPECT_NEAR(result.summary.value("last_eigenvalue_1"), truth.eigenvalues()[1], 1e-3);
}

TEST(Isomap, OfASheetIsTheSheet) {
    const support::Sheet flat = support::sheet(900, false);
    const support::Sheet rolled = support::sheet(900, true);
    for (const auto* sheet : {&flat, &rolled}) {
        const Embedding result = isomap(sheet->points.view(), {.dimension = 2, .neighbors = 14});
        EXPECT_LT(support::procrustes_error(support::to_matrix(result.coordinates), sheet->truth), 0.05);
    }
}

TEST(Isomap, OnLandmarksInEveryWayFindsTheSheetToo) {
    const support::Sheet rolled = support::sheet(900, true);
    for (const auto extension : {LandmarkExtension::Lll, LandmarkExtension::Weights, LandmarkExtension::Nystrom}) {
        const LandmarkOptions landmarks{.landmarks = 120, .extension = extension};
        const Embedding result = isomap(rolled.points.view(), {.dimension = 2, .neighbors = 14}, {}, {}, &landmarks);
        EXPECT_LT(support::procrustes_error(support::to_matrix(result.coordinates), rolled.truth), 0.1)
            << static_cast<int>(extension);
    }
}

TEST(Isomap, OnTheGraphOfTsmJoinsPairsAboveTheThreshold) {
    const Points points = reference::random_points(150, 3, 2);
    const Matrix u = support::to_matrix(points).rowwise().normalized();
    Index edges = 0;
    for (Index i = 0; i < 150; ++i) {
        for (Index j = 0; j < i; ++j) {
            edges += u.row(i).dot(u.row(j)) > 0.8 ? 1 : 0;
        }
    }
    const Embedding result =
        isomap(points.view(),
               {.dimension = 3, .graph = IsomapGraph::Tsm, .threshold = 0.8, .components = ComponentPolicy::Bridge});
    EXPECT_EQ(result.summary.value("edges"), edges + result.summary.value("bridges"));
    // A third of the sphere lies within reach of an edge: the sphere comes out, somewhat swollen.
    EXPECT_LT(support::procrustes_error(support::to_matrix(result.coordinates), u), 0.2);
}

TEST(Isomap, TreatsComponentsAsItIsTold) {
    Points points = reference::random_points(90, 3, 3);
    for (Index i = 60; i < 90; ++i) {
        points[i][0] += 50.0F;
    }
    IsomapOptions options{.dimension = 2, .neighbors = 8};
    const Embedding unasked = isomap(points.view(), options);
    EXPECT_EQ(unasked.summary.value("bridges"), 1.0);
    EXPECT_EQ(to_text(unasked.options.at("components")), "bridge");
    ASSERT_EQ(unasked.summary.warnings.size(), 1U);
    EXPECT_NE(unasked.summary.warnings[0].find("2 components"), std::string::npos);
    options.components = ComponentPolicy::Error;
    EXPECT_THROW((void)isomap(points.view(), options), InputError);
    options.components = ComponentPolicy::Bridge;
    const Embedding bridged = isomap(points.view(), options);
    EXPECT_TRUE(std::ranges::equal(bridged.coordinates.values(), unasked.coordinates.values()));
    EXPECT_TRUE(bridged.summary.warnings.empty());
    options.components = ComponentPolicy::Largest;
    EXPECT_EQ(isomap(points.view(), options).summary.value("left_out"), 30.0);
    const LandmarkOptions landmarks{.landmarks = 20};
    EXPECT_THROW((void)isomap(points.view(), options, {}, {}, &landmarks), InvalidArgument);
}

TEST(Isomap, RefusesByNameWhatHasNoEffectOnItsGraph) {
    const auto refused = [](const IsomapOptions& options) {
        return support::refused_field([&] { isomap_option_table().validate(options); });
    };
    EXPECT_EQ(refused({.threshold = 0.5}), "threshold");
    EXPECT_EQ(refused({.graph = IsomapGraph::Tsm, .neighbors = 5}), "neighbors");
}

}  // namespace
}  // namespace isogon::isomap_test
