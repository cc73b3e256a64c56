#include "linalg/truncated_svd.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"
#include "support/distributed_copy.hpp"
#include "support/sparse_matrices.hpp"

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

TEST_P(TruncatedSvdOf, AgreesWithJacobisMethodAndProjectsOnItsDirections) {
    const auto [shape, center] = GetParam();
    const Points x = falling_points(shape.count, shape.dimension, 1);
    const TruncatedSvd svd = truncated_svd(x.view(), shape.rank, center, on_threads(2));
    const Matrix data = center ? centred(to_matrix(x)) : to_matrix(x);
    const Eigen::JacobiSVD<Matrix> exact(data, Eigen::ComputeThinV);
    const double scale = exact.singularValues()[0];
    ASSERT_EQ(svd.singular_values.size(), shape.rank);
    for (Index k = 0; k < std::min<Index>(shape.rank, static_cast<Index>(exact.singularValues().size())); ++k) {
        const double value = exact.singularValues()[k];
        const double rounding = std::max(1e-9 * value, 1e-13 * scale);
        EXPECT_NEAR(svd.singular_values[k], value, rounding);
        const Eigen::VectorXd direction = to_matrix(svd.directions).col(k);
        EXPECT_NEAR((data * direction).norm(), value, rounding);
    }
    EXPECT_LT(support::orthonormality_error(to_matrix(svd.directions)), 1e-10);
    EXPECT_NEAR(svd.total_squares, data.squaredNorm(), 1e-12 * data.squaredNorm());
    const Matrix v = to_matrix(svd.directions);
    for (Eigen::Index j = 0; j < v.cols(); ++j) {
        EXPECT_EQ(v.col(j).maxCoeff(), v.col(j).cwiseAbs().maxCoeff());
    }
    const Points projections = project(x.view(), svd, on_threads(2));
    EXPECT_EQ(projections.count(), shape.count);
    EXPECT_LT(support::difference(to_matrix(projections), data * v), 2e-6 * data.rowwise().norm().maxCoeff());
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

/// Points that live on the last `inner` of many coordinates: the wide form takes X X^T, or with many points the solver
/// on products with X; the narrow one X^T X.
class WideSvd : public testing::TestWithParam<std::tuple<Index, bool>> {};

INSTANTIATE_TEST_SUITE_P(Counts, WideSvd, testing::Combine(testing::Values(3, 40, 700, 1700), testing::Bool()));

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
    const double scale = b.singular_values[0];
    for (Index k = 0; k < rank; ++k) {
        EXPECT_NEAR(a.singular_values[k], b.singular_values[k], 1e-10 * scale);
    }
    EXPECT_NEAR(a.total_squares, b.total_squares, 1e-12 * scale * scale);
    EXPECT_EQ(a.unresolved(), 0U);
    EXPECT_LT(support::orthonormality_error(to_matrix(a.directions)), 1e-13);
    const Matrix kept = to_matrix(a.directions).bottomRows(inner);
    const Matrix data = center ? centred(to_matrix(narrow)) : to_matrix(narrow);
    EXPECT_NEAR((data * kept).squaredNorm(), (data * to_matrix(b.directions)).squaredNorm(), 1e-12 * scale * scale);
}

/// X = U diag(lengths) V^T + offset, rounded to float32.
Matrix points_with_lengths(Index count, Index dimension, const std::vector<double>& lengths, double offset) {
    const auto rank = static_cast<Index>(lengths.size());
    const Eigen::Map<const Eigen::VectorXd> values(lengths.data(), rank);
    const Matrix exact = support::random_orthonormal(count, rank, 1) * values.asDiagonal() *
                         support::random_orthonormal(dimension, rank, 2).transpose();
    return to_matrix(support::to_points(exact.array() + offset));
}

std::vector<double> lengths_down_to(double shortest, std::size_t count) {
    std::vector<double> lengths(count);
    for (std::size_t k = 0; k < count; ++k) {
        lengths[k] = 1e7 * std::pow(shortest / 1e7, static_cast<double>(k) / static_cast<double>(count - 1));
    }
    return lengths;
}

/// Minor directions beside dominant ones: each is compared by its own length with those of an SVD in float64.
void expect_minor_directions(const Matrix& x, const Matrix& data, Index rank, bool center) {
    const Points points = support::to_points(x);
    const TruncatedSvd svd = truncated_svd(points.view(), rank, center, on_threads(2));
    const Matrix projections = to_matrix(project(points.view(), svd, on_threads(2)));
    const Matrix about = center ? centred(data) : data;
    const Eigen::BDCSVD<Matrix> exact(about, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Matrix directions = to_matrix(svd.directions).bottomRows(data.cols());
    EXPECT_LT(support::orthonormality_error(to_matrix(svd.directions)), 1e-13);
    EXPECT_EQ(svd.unresolved(), 0U);
    for (Index k = 0; k < rank; ++k) {
        const double value = exact.singularValues()[k];
        EXPECT_NEAR(svd.singular_values[k], value, 1e-7 * value) << k;
        const double sign = directions.col(k).dot(exact.matrixV().col(k)) < 0.0 ? -1.0 : 1.0;
        EXPECT_LT((directions.col(k) - sign * exact.matrixV().col(k)).norm(), 1e-6) << k;
        const Eigen::VectorXd coordinates = sign * value * exact.matrixU().col(k);
        EXPECT_LT((projections.col(k) - coordinates).norm(), 1e-6 * value) << k;
        EXPECT_LT((about.transpose() * (about * directions.col(k)) - value * value * directions.col(k)).norm(),
                  TruncatedSvd::tolerance * value * value + 1e-15 * std::pow(exact.singularValues()[0], 2));
    }
}

TEST(TruncatedSvd, FindsMinorDirectionsBesideADominantOne) {
    for (const auto& [count, dimension] : {std::pair<Index, Index>{400, 300}, {300, 400}, {90, 2000}, {2500, 60}}) {
        const Matrix spectra = points_with_lengths(count, dimension, {7.7e6, 1213, 816, 544, 436, 100, 50}, 0.0);
        expect_minor_directions(spectra, spectra, 5, false);
        const Matrix graded = points_with_lengths(count, dimension, lengths_down_to(5.0, 13), 0.0);
        expect_minor_directions(graded, graded, 13, false);
        const Matrix far = points_with_lengths(count, dimension, {9, 8, 7, 6, 5, 4, 3}, 100.0);
        expect_minor_directions(far, far, 7, false);
        expect_minor_directions(far, far, 6, true);
    }
}

TEST(TruncatedSvd, FindsMinorDirectionsByProductsWithX) {
    // So many points and dimensions that no dense matrix is made of them, all but 40 of the dimensions empty.
    constexpr Index many = 1600;
    for (const auto& lengths : {std::vector<double>{7.7e6, 1213, 816, 544, 436}, lengths_down_to(5.0, 13)}) {
        const Matrix data = points_with_lengths(many, 40, lengths, 0.0);
        Matrix x = Matrix::Zero(many, many);
        x.rightCols(40) = data;
        expect_minor_directions(x, data, static_cast<Index>(lengths.size()), false);
    }
}

TEST(TruncatedSvd, ByProductsWithXFulfilsItsEquation) {
    Matrix x = support::random_matrix(1600, 1560, 3);
    for (Eigen::Index k = 0; k < x.cols(); ++k) {
        x.col(k) *= std::pow(0.997, k);
    }
    const Points points = support::to_points(x);
    const TruncatedSvd svd = truncated_svd(points.view(), 6, false, on_threads(2));
    const Matrix v = to_matrix(svd.directions);
    const Matrix image = to_matrix(points).transpose() * (to_matrix(points) * v);
    EXPECT_EQ(svd.unresolved(), 0U);
    for (Eigen::Index k = 0; k < 6; ++k) {
        const double square = svd.singular_values[k] * svd.singular_values[k];
        const double residual = (image.col(k) - square * v.col(k)).norm() / square;
        EXPECT_LT(residual, TruncatedSvd::tolerance);
        EXPECT_NEAR(residual, svd.residuals[k], 1e-9);
    }
}

TEST(TruncatedSvd, CountsDirectionsThatMissTheTolerance) {
    TruncatedSvd svd;
    svd.residuals = {1e-12, 1e-3, TruncatedSvd::tolerance, std::numeric_limits<double>::quiet_NaN()};
    EXPECT_EQ(svd.unresolved(), 2U);
}

TEST(TruncatedSvd, FillsUpWhereThereAreNoMoreDirections) {
    const Matrix flat = points_with_lengths(50, 20, {3, 2}, 0.0);
    for (const Matrix& x : {flat, Matrix(flat.transpose())}) {
        const Points points = support::to_points(4.0 * x.array().round());
        const TruncatedSvd svd = truncated_svd(points.view(), static_cast<Index>(x.cols()), false, {});
        EXPECT_LT(support::orthonormality_error(to_matrix(svd.directions)), 1e-13);
        EXPECT_EQ(svd.singular_values.size(), x.cols());
        EXPECT_EQ(svd.unresolved(), 0U);
        const double length = to_matrix(points).norm();
        EXPECT_NEAR(Eigen::Map<const Eigen::VectorXd>(svd.singular_values.data(), x.cols()).norm(), length,
                    1e-12 * length);
    }
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

TEST(TruncatedSvd, HasNoComponentsFarBelowRounding) {
    // A matrix of 27 rows that each have one of 7 columns: equal singular values, with vectors by inverse iteration.
    Points x(27, 7);
    for (Index i = 0; i < x.count(); ++i) {
        x[i][i % 7] = 1.0F;
    }
    const TruncatedSvd svd = truncated_svd(x.view(), 7, false, {});
    for (const double value : svd.directions.values) {
        EXPECT_TRUE(value == 0.0 || std::abs(value) > 1e-30) << value;
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

TEST(TruncatedSvd, CanBeCancelledInEveryForm) {
    RunContext context;
    context.limit_seconds(0.0);
    for (const auto& [count, dimension] : {std::pair<Index, Index>{10, 4}, {10, 1600}, {1600, 1600}}) {
        const Points x = random_points(count, dimension, 9);
        EXPECT_THROW(static_cast<void>(truncated_svd(x.view(), 2, false, context)), Interruption);
    }
}

TEST(TruncatedSvd, StatesNoSquareOfTheLargerSide) {
    constexpr std::uint64_t megabyte = 1000000;
    // 3.2 GB each, were there anything of D x D or n x n.
    EXPECT_LT(truncated_svd_bytes(200, 20000, 16), 60 * megabyte);
    EXPECT_LT(truncated_svd_bytes(20000, 200, 16), 30 * megabyte);
    EXPECT_LT(truncated_svd_bytes(20000, 20000, 16), 200 * megabyte);
    EXPECT_GE(truncated_svd_bytes(2000, 1000, 5), 2U * 1000 * 1000 * sizeof(double));  // X^T X, and its reduction
    EXPECT_GE(truncated_svd_bytes(1000, 2000, 5), 2U * 1000 * 1000 * sizeof(double));
}

TEST(TruncatedSvd, OfRowsThatAreMadeIsThatOfTheRowsAsPoints) {
    for (const auto& [count, dimension] : {std::pair<Index, Index>{20, 9}, {8, 9}, {8, 1540}}) {
        const Points points = reference::random_points(count, dimension, 1);
        const auto load = [&](Index row, std::span<float> into) {
            std::copy(points[row].begin(), points[row].end(), into.begin());
        };
        const TruncatedSvd truth = truncated_svd(points.view(), 3, false, {});
        const TruncatedSvd made = truncated_svd(count, dimension, load, 3, {});
        EXPECT_EQ(made.directions.values, truth.directions.values);
        EXPECT_EQ(made.singular_values, truth.singular_values);
        EXPECT_EQ(made.total_squares, truth.total_squares);
        EXPECT_TRUE(made.center.empty());
        EXPECT_THROW((void)truncated_svd(count, dimension, load, dimension + 1, {}), InvalidArgument);
    }
}

TEST(TruncatedSvd, OfPointsThatRanksDivideIsThatOfAllInOnePlace) {
    // By X^T X, of one tile and of many, by X X^T, and by products; one point fewer than ranks in the first.
    for (const auto& [count, dimension] :
         {std::pair<Index, Index>{2, 2}, {700, 5}, {3000, 130}, {600, 1540}, {1540, 1550}}) {
        Points x = random_points(count, dimension, 6);
        for (std::size_t place = 0; place < x.values().size(); ++place) {
            x.values()[place] *= static_cast<float>(std::pow(0.98, place % dimension));  // converges soon
        }
        const Index rank = std::min<Index>(2, dimension);
        const TruncatedSvd whole = truncated_svd(x.view(), rank, false, on_threads(2));
        const Points projections = project(x.view(), whole, on_threads(1));
        support::on_ranks(3, x.view(), [&](const RunContext& context, const DistributedPoints& points) {
            const TruncatedSvd svd = truncated_svd(points, rank, context);
            EXPECT_EQ(svd.directions.values, whole.directions.values) << x.count() << " x " << x.dimension();
            EXPECT_EQ(svd.singular_values, whole.singular_values);
            EXPECT_EQ(svd.total_squares, whole.total_squares);
            const Points own = project(points, svd, context);
            EXPECT_TRUE(std::equal(own.values().begin(), own.values().end(), projections.values().begin(),
                                   projections.values().end()));
        });
    }
}

TEST_P(TruncatedSvdOf, ASparseMatrixIsThatOfTheDenseOne) {
    const auto [shape, center] = GetParam();
    const Matrix dense = support::random_sparse(shape.count, shape.dimension, 0.4, 3);
    const CsrMatrix<double> x = widen(support::to_sparse(dense));
    const TruncatedSvd found = truncated_svd(x, shape.rank, center, on_threads(2));
    const Points points = support::to_points(dense);
    const TruncatedSvd known = truncated_svd(points.view(), shape.rank, center, on_threads(2));
    EXPECT_NEAR(found.total_squares, known.total_squares, 1e-5 * known.total_squares);
    EXPECT_EQ(found.unresolved(), 0U);
    for (Index k = 0; k < shape.rank; ++k) {
        EXPECT_NEAR(found.singular_values[k], known.singular_values[k], 1e-5 * known.singular_values[0]);
    }
    const Points y = project(x, found, on_threads(2));
    double squares = 0.0;
    for (const float value : y.values()) {
        squares += double{value} * double{value};
    }
    double kept = 0.0;
    for (const double value : found.singular_values) {
        kept += value * value;
    }
    EXPECT_NEAR(squares, kept, 1e-5 * known.total_squares);
    const TruncatedSvd alone = truncated_svd(x, shape.rank, center, on_threads(1));
    EXPECT_EQ(found.directions.values, alone.directions.values);
}

}  // namespace
}  // namespace isogon::truncated_svd_test
