#include "semidefinite/landmark_unfolding.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <string>

#include "graph/barycentric_weights.hpp"
#include "reference/graphs.hpp"
#include "support/spectral_methods.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::landmark_reconstruction_test {
namespace {

using support::Matrix;

CsrMatrix<double> weights_of(const Points& points, Index neighbors) {
    return barycentric_weights(points.view(), reference::euclidean_lists(points, neighbors), 1e-3);
}

/// The definition, dense: minus the inverse of the one block of (I - W)^T (I - W) times the other.
Matrix dense_reconstruction(const CsrMatrix<double>& weights, const std::vector<Index>& landmarks) {
    const Index n = weights.rows;
    const Matrix residual = Matrix::Identity(n, n) - reference::dense(weights);
    const Matrix phi = residual.transpose() * residual;
    std::vector<Index> unknown;
    for (Index i = 0; i < n; ++i) {
        if (!std::binary_search(landmarks.begin(), landmarks.end(), i)) {
            unknown.push_back(i);
        }
    }
    Matrix q = Matrix::Zero(n, static_cast<Eigen::Index>(landmarks.size()));
    q(unknown, Eigen::all) = -phi(unknown, unknown).llt().solve(phi(unknown, landmarks));
    for (std::size_t k = 0; k < landmarks.size(); ++k) {
        q(landmarks[k], static_cast<Eigen::Index>(k)) = 1.0;
    }
    return q;
}

TEST(LandmarkReconstruction, IsTheDefinition) {
    for (const Index count : {30, 200}) {
        const Points points = reference::random_points(count, 3, count);
        const std::vector<Index> landmarks{0, 3, 7, 12, count - 1};
        const CsrMatrix<double> weights = weights_of(points, 7);
        const MultiVector<double> q = landmark_reconstruction(weights, landmarks, {.threads = 3});
        EXPECT_LT(support::difference(support::to_matrix(q), dense_reconstruction(weights, landmarks)), 1e-7);
    }
}

TEST(LandmarkReconstruction, RowsSumToOneAndLandmarksAreThemselves) {
    const support::Sheet sheet = support::sheet(800, true);
    const std::vector<Index> landmarks{5, 100, 101, 333, 400, 555, 799};
    const MultiVector<double> q = landmark_reconstruction(weights_of(sheet.points, 10), landmarks);
    for (Index i = 0; i < q.rows(); ++i) {
        EXPECT_NEAR(std::accumulate(q.row(i), q.row(i) + q.columns(), 0.0), 1.0, 1e-6);
    }
    for (Index k = 0; k < q.columns(); ++k) {
        for (Index l = 0; l < q.columns(); ++l) {
            EXPECT_EQ(q.at(landmarks[k], l), k == l ? 1.0 : 0.0);
        }
    }
}

/// Weights that rebuild points exactly, as those of points in a plane do but for the ridge, rebuild all from three.
TEST(LandmarkReconstruction, RebuildsAPlaneFromThreePoints) {
    const Matrix truth = support::random_matrix(150, 2, 4);
    const Points points = support::to_points(truth);
    const CsrMatrix<double> weights = barycentric_weights(points.view(), reference::euclidean_lists(points, 8), 1e-9);
    const std::vector<Index> landmarks{2, 80, 149};
    const Matrix q = support::to_matrix(landmark_reconstruction(weights, landmarks));
    EXPECT_LT(support::difference(q * truth(landmarks, Eigen::all), truth), 1e-2);
}

TEST(LandmarkReconstruction, IsTheSameOnAnyNumberOfThreads) {
    const CsrMatrix<double> weights = weights_of(reference::random_points(700, 3, 1), 8);
    const std::vector<Index> landmarks{1, 50, 300, 301, 650};
    const MultiVector<double> one = landmark_reconstruction(weights, landmarks, {.threads = 1});
    EXPECT_EQ(one.values(), landmark_reconstruction(weights, landmarks, {.threads = 3}).values());
}

TEST(LandmarkReconstruction, AllPointsMayBeLandmarks) {
    const CsrMatrix<double> weights = weights_of(reference::random_points(12, 3, 1), 4);
    const Matrix q = support::to_matrix(landmark_reconstruction(weights, reference::every_point(12)));
    EXPECT_EQ(q, Matrix(Matrix::Identity(12, 12)));
}

TEST(LandmarkReconstruction, TellsHowManyPointsNoLandmarkReaches) {
    Points points = reference::random_points(60, 3, 2);
    for (Index i = 40; i < 60; ++i) {
        points[i][0] += 1000.0F;
    }
    const CsrMatrix<double> weights = weights_of(points, 5);
    try {
        (void)landmark_reconstruction(weights, std::vector<Index>{1, 2, 3});
        FAIL();
    } catch (const InputError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("20 of 60"), std::string::npos) << text;
        EXPECT_NE(text.find("point 40"), std::string::npos) << text;
    }
    EXPECT_NO_THROW((void)landmark_reconstruction(weights, std::vector<Index>{1, 2, 3, 50}));
}

TEST(LandmarkReconstruction, RefusesWhatCannotServe) {
    const CsrMatrix<double> weights = weights_of(reference::random_points(40, 3, 1), 5);
    EXPECT_THROW((void)landmark_reconstruction(weights, std::vector<Index>{}), InvalidArgument);
    EXPECT_THROW((void)landmark_reconstruction(weights, std::vector<Index>{40}), InvalidArgument);
    EXPECT_THROW((void)landmark_reconstruction(weights, std::vector<Index>{3, 2}), InvalidArgument);
    EXPECT_THROW((void)landmark_reconstruction(weights, std::vector<Index>{1, 9}, {.memory_limit = 1000}),
                 LimitExceeded);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)landmark_reconstruction(weights, std::vector<Index>{1, 9}, {.stop = stop.get_token()}),
                 Interruption);
}

}  // namespace
}  // namespace isogon::landmark_reconstruction_test
