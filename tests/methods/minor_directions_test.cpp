// Structure that is far shorter than what all points share: methods that square their data keep it, or say that they
// do not. PCA and SVD: tests/linalg/truncated_svd_test.cpp; kpca and mds of all points: their own tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/faithful/faithful.hpp"
#include "methods/forces.hpp"
#include "methods/linear.hpp"
#include "methods/spectral.hpp"
#include "methods/tsm.hpp"
#include "reference/nonnegative.hpp"
#include "reference/point_sets.hpp"
#include "reference/quality.hpp"
#include "support/spectral_methods.hpp"

namespace isogon::minor_directions_test {
namespace {

using support::Matrix;

/// Multiples of 1/256 in [-4, 4], in every number so far from 0: exact in float32 up to 2^15, and so are differences.
Points shifted_points(Index count, Index dimension, double shift) {
    Matrix x = support::to_matrix(reference::random_points(count, dimension, 7));
    x = (256.0 * x).array().round().max(-1024.0).min(1024.0) / 256.0 + shift;
    return support::to_points(x);
}

/// Spread over five axes, and an equal length along a sixth.
Points along_an_axis(Index count, double shift) {
    Matrix x = Matrix::Zero(count, 12);
    x.leftCols(5) = support::to_matrix(reference::random_points(count, 5, 3));
    x.col(5).setConstant(shift);
    return support::to_points(x);
}

/// Five orthogonal columns of lengths 10^decades to 1, each times the root of the count, in nine numbers.
Points graded_points(Index count, double decades) {
    const Matrix columns =
        support::random_matrix(count, 5, 5).householderQr().householderQ() * Matrix::Identity(count, 5);
    Matrix x = Matrix::Zero(count, 9);
    for (int k = 0; k < 5; ++k) {
        x.col(k) = columns.col(k) * std::pow(10.0, decades * (4 - k) / 4.0) * std::sqrt(double(count));
    }
    return support::to_points(x);
}

template <class Fit>
void expect_no_change_by_a_shift(const Fit& fit) {
    const Matrix near = support::to_matrix(fit(shifted_points(300, 4, 0.0)));
    const Matrix far = support::to_matrix(fit(shifted_points(300, 4, 4096.0)));
    EXPECT_LT(support::procrustes_error(far, near), 1e-3);
}

// These methods know distances between neighbours alone, which a shift leaves as they are.
TEST(MinorDirections, OfGraphsOfNeighboursAreNotMovedByAShift) {
    expect_no_change_by_a_shift(
        [](const Points& x) { return laplacian_eigenmaps(x.view(), {.dimension = 2}).coordinates; });
    expect_no_change_by_a_shift(
        [](const Points& x) { return locally_linear_embedding(x.view(), {.dimension = 2}).coordinates; });
    expect_no_change_by_a_shift([](const Points& x) { return isomap(x.view(), {.dimension = 2}).coordinates; });
    expect_no_change_by_a_shift([](const Points& x) { return tsne(x.view(), {.iterations = 60}).coordinates; });
    expect_no_change_by_a_shift([](const Points& x) { return umap(x.view(), {.iterations = 20}).coordinates; });
}

TEST(MinorDirections, OfFaithfulMapsSurviveALengthThatAllPointsShare) {
    for (const double shift : {1.0, 30.0, 1000.0}) {
        const Points x = along_an_axis(400, shift);
        const Embedding fitted = faithful(x.view(), {.dimension = 6});
        EXPECT_GT(reference::recall(x, fitted.coordinates, 10, false), 0.98) << shift;
    }
}

TEST(MinorDirections, OfTsmAreAsGoodAsWithoutALengthThatAllPointsShare) {
    const auto recall = [](double shift) {
        const Points x = along_an_axis(400, shift);
        return reference::recall(x, tsm(x.view(), {.dimension = 6}).coordinates, 10, false);
    };
    const double near = recall(1.0);
    EXPECT_GT(near, 0.5);
    EXPECT_GT(recall(1000.0), near - 0.05);
}

TEST(MinorDirections, WhichNoAngleShowsAreRefused) {
    const Points x = along_an_axis(400, 1e5);
    EXPECT_THROW((void)tsm(x.view(), {.dimension = 6}), InputError);
}

/// How much of column k of the points the coordinates span, 1: all of it.
double kept_of_column(const Points& x, const Points& y, Index k) {
    const auto centred = [](Matrix matrix) -> Matrix { return matrix.rowwise() - matrix.colwise().mean(); };
    const Matrix columns = centred(support::to_matrix(x));
    const Matrix outputs = centred(support::to_matrix(y)).colwise().normalized();
    const Matrix basis = outputs.householderQr().householderQ() * Matrix::Identity(outputs.rows(), outputs.cols());
    return (basis.transpose() * columns.col(k)).norm() / columns.col(k).norm();
}

template <class Fit>
void expect_right_or_said(const Fit& fit) {
    for (const double decades : {1.0, 3.0, 5.0, 7.0}) {
        const Points x = graded_points(400, decades);
        for (const LandmarkExtension way :
             {LandmarkExtension::Lll, LandmarkExtension::Weights, LandmarkExtension::Nystrom}) {
            const LandmarkOptions landmarks{.landmarks = 60, .extension = way};
            const Embedding fitted = fit(x.view(), landmarks);
            double least = 1.0;
            for (Index k = 0; k < 5; ++k) {
                least = std::min(least, kept_of_column(x, fitted.coordinates, k));
            }
            EXPECT_TRUE(least > 0.8 || !fitted.summary.warnings.empty())
                << "lengths of 10^" << decades << ", way " << static_cast<int>(way) << ": " << least << " kept";
        }
    }
}

TEST(MinorDirections, OfKernelsOnLandmarksAreRightOrReported) {
    expect_right_or_said([](const PointsView& x, const LandmarkOptions& landmarks) {
        return classical_scaling(x, {.dimension = 5}, {}, {}, &landmarks);
    });
    expect_right_or_said([](const PointsView& x, const LandmarkOptions& landmarks) {
        return kernel_principal_components(x, {.dimension = 5, .kernel = KernelKind::Linear}, {}, {}, &landmarks);
    });
}

// A direction that landmarks lose is shorter than what their mixtures miss, so the warning counts at least those.
TEST(MinorDirections, ThatMixturesOfLandmarksLoseAreCounted) {
    int lost_in_all = 0;
    for (const double decades : {1.0, 3.0, 5.0}) {
        const Points x = graded_points(400, decades);
        const LandmarkOptions landmarks{.landmarks = 60};
        const Embedding fitted = classical_scaling(x.view(), {.dimension = 5}, {}, {}, &landmarks);
        const double missed = fitted.summary.value("mixture_error");
        int lost = 0;
        int counted = 0;
        for (Index k = 0; k < 5; ++k) {
            lost += kept_of_column(x, fitted.coordinates, k) < 0.8 ? 1 : 0;
            const double value = fitted.summary.value("eigenvalue_" + std::to_string(k));
            counted += value < x.count() * missed * missed ? 1 : 0;
        }
        EXPECT_GE(counted, lost) << decades;
        const auto& warnings = fitted.summary.warnings;
        const bool said = std::any_of(warnings.begin(), warnings.end(), [&](const std::string& warning) {
            return warning.starts_with(std::to_string(counted) + " of 5 eigenvalues") &&
                   warning.find("mixtures of landmarks") != std::string::npos;
        });
        EXPECT_EQ(said, counted > 0) << decades;
        lost_in_all += lost;
    }
    EXPECT_GT(lost_in_all, 0);  // else there was nothing to count
}

// The parts of what all points share are found; of what differs, as much as float32 products tell.
TEST(MinorDirections, OfNonnegativePartsAreFoundOrReported) {
    const Matrix parts = reference::uniform_matrix(4, 20, 2);
    for (const double shift : {0.0, 10.0, 1e3, 1e5}) {
        const Matrix x = (reference::uniform_matrix(300, 4, 1) * parts).array() + shift;
        const Embedding fitted = nmf(support::to_points(x).view(), {.dimension = 5, .iterations = 3000});
        const double structure = (x.rowwise() - x.colwise().mean()).norm() / x.norm();
        const double residual = fitted.summary.value("relative_residual");
        EXPECT_TRUE(residual < 0.1 * structure || !fitted.summary.warnings.empty())
            << shift << ": " << residual << " left, structure is " << structure;
    }
}

}  // namespace
}  // namespace isogon::minor_directions_test
