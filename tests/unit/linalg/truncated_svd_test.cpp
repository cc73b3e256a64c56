#include "isogon/linalg/truncated_svd.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <span>
#include <stop_token>
#include <string>
#include <tuple>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/divided_copy.hpp"

namespace isogon::truncated_svd_test {
namespace {

using reference::on_threads;
using reference::random_points;
using support::Matrix;
using support::to_matrix;

/// Points with a spectrum that falls, about a mean that is not zero.
Points falling_points(Index count, Index dimension, std::uint64_t seed) {
    Matrix x = support::random_matrix(count, dimension, seed);
    for (Index k = 0; k < dimension; ++k) {
        x.col(k) = (x.col(k).array() * std::pow(0.8, k) + 0.3).matrix();
    }
    return support::to_points(x * support::random_orthonormal(dimension, dimension, seed + 1));
}

Matrix centred(const Matrix& x) {
    return x.rowwise() - x.colwise().mean();
}

struct Shape {
    Index count;
    Index dimension;
    Index rank;
};

class TruncatedSvdOf : public testing::TestWithParam<std::tuple<Shape, bool>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, TruncatedSvdOf,
                         testing::Combine(testing::Values(Shape{2, 1, 1}, Shape{5, 3, 3}, Shape{300, 20, 5},
                                                          Shape{300, 20, 20}, Shape{15, 40, 6}, Shape{600, 49, 8}),
                                          testing::Bool()));

TEST_P(TruncatedSvdOf, AgreesWithJacobisMethod) {
    const auto [shape, center] = GetParam();
    const Points x = falling_points(shape.count, shape.dimension, 1);
    const TruncatedSvd svd = truncated_svd(x.view(), shape.rank, center, on_threads(2));
    const Matrix data = center ? centred(to_matrix(x)) : to_matrix(x);
    const Eigen::JacobiSVD<Matrix> exact(data, Eigen::ComputeThinV);
    const double scale = exact.singularValues()[0];
    ASSERT_EQ(svd.singular_values.size(), shape.rank);
    for (Index k = 0; k < std::min<Index>(shape.rank, static_cast<Index>(exact.singularValues().size())); ++k) {
        // X^T X in float32 squares the condition: small values are known to sqrt(rounding) only.
        const double value = exact.singularValues()[k];
        EXPECT_NEAR(svd.singular_values[k] * svd.singular_values[k], value * value, 3e-6 * scale * scale);
        const Eigen::VectorXd direction = to_matrix(svd.directions).col(k);
        EXPECT_NEAR((data * direction).squaredNorm(), value * value, 3e-6 * scale * scale);
    }
    EXPECT_LT(support::orthonormality_error(to_matrix(svd.directions)), 1e-10);
    EXPECT_NEAR(svd.total_squares, data.squaredNorm(), 1e-5 * data.squaredNorm());
}

TEST_P(TruncatedSvdOf, ProjectionsAreInnerProductsWithTheDirections) {
    const auto [shape, center] = GetParam();
    const Points x = falling_points(shape.count, shape.dimension, 2);
    const TruncatedSvd svd = truncated_svd(x.view(), shape.rank, center, on_threads(2));
    const Matrix data = center ? centred(to_matrix(x)) : to_matrix(x);
    const Points projections = project(x.view(), svd, on_threads(2));
    EXPECT_EQ(projections.count(), shape.count);
    EXPECT_LT(support::difference(to_matrix(projections), data * to_matrix(svd.directions)),
              2e-6 * data.rowwise().norm().maxCoeff());
}

TEST_P(TruncatedSvdOf, LargestComponentsArePositive) {
    const auto [shape, center] = GetParam();
    const Matrix v = to_matrix(
        truncated_svd(falling_points(shape.count, shape.dimension, 3).view(), shape.rank, center, {}).directions);
    for (Eigen::Index j = 0; j < v.cols(); ++j) {
        EXPECT_EQ(v.col(j).maxCoeff(), v.col(j).cwiseAbs().maxCoeff());
    }
}

TEST_P(TruncatedSvdOf, IsTheSameBitsForAnyNumberOfThreads) {
    const auto [shape, center] = GetParam();
    const Points x = falling_points(shape.count, shape.dimension, 4);
    const auto all = [&, rank = shape.rank, about_mean = center](int threads) {
        const TruncatedSvd svd = truncated_svd(x.view(), rank, about_mean, on_threads(threads));
        const auto projections = project(x.view(), svd, on_threads(threads));
        return std::tuple(svd.singular_values, svd.directions.values, svd.total_squares,
                          std::vector<float>(projections.values().begin(), projections.values().end()));
    };
    const auto one = all(1);
    EXPECT_EQ(one, all(2));
    EXPECT_EQ(one, all(3));
}

TEST(TruncatedSvd, KnowsWhatIsNotCentred) {
    const Points x = falling_points(100, 6, 5);
    EXPECT_TRUE(truncated_svd(x.view(), 2, false, {}).center.empty());
    const TruncatedSvd about_mean = truncated_svd(x.view(), 2, true, {});
    for (Index k = 0; k < 6; ++k) {
        EXPECT_NEAR(about_mean.center[k], to_matrix(x).col(k).mean(), 1e-12);
    }
}

TEST(TruncatedSvd, ReadsStridedViews) {
    const Points wide = random_points(80, 12, 6);
    const PointsView middle(wide.view().data + 2, 80, 7, 12);
    const Points copy = support::to_points(to_matrix(wide).middleCols(2, 7));
    const TruncatedSvd a = truncated_svd(middle, 3, true, {});
    const TruncatedSvd b = truncated_svd(copy.view(), 3, true, {});
    EXPECT_EQ(a.singular_values, b.singular_values);
    EXPECT_EQ(to_matrix(project(middle, a, {})), to_matrix(project(copy.view(), b, {})));
}

/// Points that live on the first `inner` of many coordinates: the wide form takes the solver on products with X, the
/// narrow one the explicit matrix.
class WideSvd : public testing::TestWithParam<std::tuple<Index, bool>> {};

INSTANTIATE_TEST_SUITE_P(Counts, WideSvd, testing::Combine(testing::Values(3, 40, 700), testing::Bool()));

TEST_P(WideSvd, AgreesWithTheExplicitMatrix) {
    const auto [count, center] = GetParam();
    constexpr Index inner = 30;
    constexpr Index outer = 1600;
    constexpr Index rank = 3;
    const Points narrow = falling_points(count, inner, 7);
    Matrix padded = Matrix::Zero(count, outer);
    padded.rightCols(inner) = to_matrix(narrow);
    const Points wide = support::to_points(padded);
    const TruncatedSvd a = truncated_svd(wide.view(), rank, center, on_threads(2));
    const TruncatedSvd b = truncated_svd(narrow.view(), rank, center, on_threads(2));
    const double scale = b.singular_values[0] * b.singular_values[0];
    for (Index k = 0; k < rank; ++k) {
        EXPECT_NEAR(a.singular_values[k] * a.singular_values[k], b.singular_values[k] * b.singular_values[k],
                    2e-5 * scale);
    }
    EXPECT_NEAR(a.total_squares, b.total_squares, 1e-9 * scale);
    EXPECT_LT(support::orthonormality_error(to_matrix(a.directions)), 1e-5);
    const Matrix kept = to_matrix(a.directions).bottomRows(inner);
    const Matrix data = center ? centred(to_matrix(narrow)) : to_matrix(narrow);
    EXPECT_NEAR((data * kept).squaredNorm(), (data * to_matrix(b.directions)).squaredNorm(), 2e-5 * scale);
}

TEST(TruncatedSvd, OfPointsThatAreAllZeroIsZero) {
    for (const Index dimension : {4, 1600}) {
        const Points x(10, dimension);
        const TruncatedSvd svd = truncated_svd(x.view(), 2, false, {});
        EXPECT_EQ(svd.singular_values, (std::vector<double>{0.0, 0.0}));
        EXPECT_EQ(svd.total_squares, 0.0);
        EXPECT_EQ(to_matrix(project(x.view(), svd, {})), Matrix::Zero(10, 2));
    }
}

TEST(TruncatedSvd, RefusesRanksThatThereAreNot) {
    const Points x = random_points(10, 4, 8);
    for (const Index rank : {0, 5}) {
        try {
            static_cast<void>(truncated_svd(x.view(), rank, false, {}));
            ADD_FAILURE() << "rank " << rank << " was taken";
        } catch (const InvalidArgument& error) {
            EXPECT_EQ(error.field(), "dimension");
            EXPECT_NE(std::string(error.what()).find("at most 4"), std::string::npos);
        }
    }
}

TEST(TruncatedSvd, EndsWhenAskedInEitherForm) {
    std::stop_source source;
    source.request_stop();
    RunContext context;
    context.stop = source.get_token();
    for (const Index dimension : {4, 1600}) {
        const Points x = random_points(10, dimension, 9);
        EXPECT_THROW(static_cast<void>(truncated_svd(x.view(), 2, false, context)), Interruption);
    }
}

TEST(TruncatedSvd, StatesMemoryOfTheFormItTakes) {
    EXPECT_EQ(truncated_svd_bytes(100, 5), 6U * 100 * 100 * sizeof(double));
    EXPECT_LT(truncated_svd_bytes(100000, 5), 100000000U);  // nothing of D x D, which would be 80 GB
}

TEST(TruncatedSvd, OfRowsThatAreMadeIsThatOfTheRowsAsPoints) {
    for (const Index dimension : {9, 1540}) {
        const Points points = reference::random_points(8, dimension, 1);
        const auto load = [&](Index row, std::span<float> into) {
            std::copy(points[row].begin(), points[row].end(), into.begin());
        };
        const TruncatedSvd truth = truncated_svd(points.view(), 3, false, {});
        const TruncatedSvd made = truncated_svd(8, dimension, load, 3, {});
        EXPECT_EQ(made.directions.values, truth.directions.values);
        EXPECT_EQ(made.singular_values, truth.singular_values);
        EXPECT_EQ(made.total_squares, truth.total_squares);
        EXPECT_TRUE(made.center.empty());
        EXPECT_THROW((void)truncated_svd(8, dimension, load, dimension + 1, {}), InvalidArgument);
    }
}

TEST(TruncatedSvd, OfPointsThatRanksDivideIsThatOfAllInOnePlace) {
    // By the product, of one tile and of many, and by the block eigensolver; one point fewer than ranks in the first.
    for (const auto& [count, dimension] : {std::pair<Index, Index>{2, 2}, {700, 5}, {3000, 130}, {600, 1540}}) {
        const Points x = random_points(count, dimension, 6);
        const Index rank = std::min<Index>(2, dimension);
        const TruncatedSvd whole = truncated_svd(x.view(), rank, false, on_threads(2));
        const Points projections = project(x.view(), whole, on_threads(1));
        support::on_ranks(3, x.view(), [&](const RunContext& context, const DividedPoints& points) {
            const TruncatedSvd svd = truncated_svd(points, rank, context);
            EXPECT_EQ(svd.directions.values, whole.directions.values) << count << " x " << dimension;
            EXPECT_EQ(svd.singular_values, whole.singular_values);
            EXPECT_EQ(svd.total_squares, whole.total_squares);
            const Points own = project(points, svd, context);
            EXPECT_TRUE(std::equal(own.values().begin(), own.values().end(), projections.values().begin(),
                                   projections.values().end()));
        });
    }
}

}  // namespace
}  // namespace isogon::truncated_svd_test
