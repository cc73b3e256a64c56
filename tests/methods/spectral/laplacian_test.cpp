#include "methods/spectral.hpp"

#include <gtest/gtest.h>

#include "reference/graphs.hpp"
#include "support/embeddings.hpp"
#include "support/spectral_methods.hpp"

namespace isogon::laplacian_test {
namespace {

using support::Matrix;

/// W of a Gaussian on the graph, dense.
Matrix weights_of(const Points& points, Index k, double sigma) {
    const CsrMatrix<double> graph = reference::graph_of(points, k);
    Matrix w = Matrix::Zero(graph.rows, graph.rows);
    for (Index i = 0; i < graph.rows; ++i) {
        for (std::size_t e = 0; e < graph.row_indices(i).size(); ++e) {
            const double d = graph.row_values(i)[e] / sigma;
            w(i, graph.row_indices(i)[e]) = std::exp(-d * d);
        }
    }
    return w;
}

TEST(Laplacian, EqualsTheDefinition) {
    const Points points = reference::random_points(260, 4, 1);
    const Matrix w = weights_of(points, 8, 1.3);
    const Matrix degrees = w.rowwise().sum().asDiagonal();
    const Matrix truth = support::eigenvectors(degrees - w, degrees, 1, 3, false);
    const Embedding result =
        laplacian_eigenmaps(points.view(), {.dimension = 3, .neighbors = 8, .sigma = 1.3, .tolerance = 1e-10});
    EXPECT_LT(support::span_error(support::to_matrix(result.coordinates), truth), 1e-5);
    EXPECT_LT(result.summary.value("residual"), 1e-9);
    EXPECT_EQ(result.summary.value("components"), 1.0);
    const Matrix x = support::to_matrix(result.coordinates);
    EXPECT_LT(support::difference(x.transpose() * degrees * x, Matrix::Identity(3, 3)), 1e-5);
}

TEST(Laplacian, EveryAffinityUnrollsASheet) {
    const support::Sheet sheet = support::sheet(500, true);
    for (const auto affinity :
         {AffinityKind::Gaussian, AffinityKind::SelfTuning, AffinityKind::Perplexity, AffinityKind::Connectivity}) {
        const Embedding result =
            laplacian_eigenmaps(sheet.points.view(), {.dimension = 1, .neighbors = 10, .affinity = affinity});
        // The first eigenfunction of a long sheet is a cosine along it.
        const Matrix wave = (sheet.truth.col(0).array() * 3.14159 / 3.0).cos().matrix();
        EXPECT_LT(support::procrustes_error(support::to_matrix(result.coordinates), wave), 0.25);
    }
}

TEST(Laplacian, OfDirectionsHasASigmaWithoutAUnit) {
    const Points points = reference::random_points(90, 4, 4);
    const Points far = reference::scaled(points, 0x1p60F);
    const LaplacianOptions options{.dimension = 2, .neighbors = 8, .metric = Metric::Cosine, .sigma = 0.3};
    const Embedding near_by = laplacian_eigenmaps(points.view(), options);
    const Embedding far_off = laplacian_eigenmaps(far.view(), options);
    EXPECT_EQ(support::to_matrix(near_by.coordinates), support::to_matrix(far_off.coordinates));
    EXPECT_EQ(far_off.summary.value("sigma"), 0.3);
}

TEST(Laplacian, DuplicatesDoNoHarm) {
    Points points = reference::random_points(80, 3, 5);
    for (Index i = 1; i < 80; i += 2) {
        std::copy(points[i - 1].begin(), points[i - 1].end(), points[i].begin());
    }
    const Embedding result = laplacian_eigenmaps(points.view(), {.dimension = 2, .neighbors = 6});
    for (const float value : result.coordinates.values()) {
        EXPECT_TRUE(std::isfinite(value));
    }
}

TEST(Laplacian, UsesGivenNeighbours) {
    const Points points = reference::random_points(120, 4, 6);
    NeighborLists lists = reference::euclidean_lists(points, 9);
    const LaplacianOptions options{.dimension = 2, .neighbors = 7, .sigma = 1.0};
    const Embedding own = laplacian_eigenmaps(points.view(), options);
    const Embedding given = laplacian_eigenmaps(points.view(), options, {}, {.neighbors = &lists});
    lists.distances.clear();
    const Embedding bare = laplacian_eigenmaps(points.view(), options, {}, {.neighbors = &lists});
    EXPECT_LT(support::span_error(support::to_matrix(given.coordinates), support::to_matrix(own.coordinates)), 1e-4);
    EXPECT_LT(support::span_error(support::to_matrix(bare.coordinates), support::to_matrix(own.coordinates)), 1e-4);
}

TEST(Laplacian, RefusesByNameWhatDoesNotFitOrHasNoEffect) {
    const Points points = reference::random_points(60, 4, 4);
    const auto refused = [&](const LaplacianOptions& options) {
        return support::refused_field([&] { (void)laplacian_eigenmaps(points.view(), options); });
    };
    EXPECT_EQ(refused({.dimension = 2, .neighbors = 60}), "neighbors");
    EXPECT_EQ(refused({.dimension = 60}), "dimension");
    EXPECT_EQ(refused({.dimension = 2, .sigma = 1e-6}), "sigma");
    EXPECT_EQ(refused({.dimension = 2, .affinity = AffinityKind::Connectivity, .sigma = 1.0}), "sigma");
    EXPECT_EQ(refused({.dimension = 2, .perplexity = 3.0}), "perplexity");
    EXPECT_EQ(refused({.dimension = 2, .neighbors = 4, .affinity = AffinityKind::Perplexity, .perplexity = 4.0}),
              "perplexity");
}

}  // namespace
}  // namespace isogon::laplacian_test
