#include "linalg/streamed_matrix.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "reference/point_sets.hpp"
#include "support/distributed_copy.hpp"
#include "support/spectral_problems.hpp"

namespace isogon::streamed_matrix_test {
namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;
using support::to_multi_vector;

// Float64 rounding over some thousand terms, as a share of the sum of magnitudes.
constexpr double rounding = 1e-13;

double relative_error(const Matrix& result, const Matrix& at, const Matrix& b) {
    const Matrix scale = at.cwiseAbs() * b.cwiseAbs();
    return support::difference(result, at * b) / std::max(scale.maxCoeff(), 1e-300);
}

Matrix images_of(const StreamedMatrix& a, const MultiVector<double>& v, int threads) {
    Matrix images(a.count, v.columns());
    const auto take = [&](Index row, const double* y) {
        for (Index k = 0; k < v.columns(); ++k) {
            images(row, k) = y[k];
        }
    };
    visit_product(a, v, take, on_threads(threads));
    return images;
}

class StreamedMatrixOf : public testing::TestWithParam<std::tuple<Index, Index>> {};

// Less than a panel and more, less than a block of rows and more.
INSTANTIATE_TEST_SUITE_P(Shapes, StreamedMatrixOf,
                         testing::Combine(testing::Values(1, 47, 500, 2500), testing::Values(1, 48, 131)));

TEST_P(StreamedMatrixOf, ProductsAreThoseOfMatrices) {
    const auto [count, dimension] = GetParam();
    const Points x = reference::random_points(count, dimension, 11, 3.0);
    const std::vector<double> center(dimension, 2.9);
    const Matrix a = to_matrix(x).array() - 2.9;
    const Matrix v = support::random_matrix(dimension, 50, 1);
    const Matrix u = support::random_matrix(count, 50, 2);
    const StreamedMatrix rows = rows_of(x.view(), center);
    EXPECT_LT(relative_error(to_matrix(gram(rows, on_threads(2))), a.transpose(), a), rounding);
    const NormalProduct normal = normal_product(rows, to_multi_vector(v), on_threads(2));
    EXPECT_LT(relative_error(to_matrix(normal.product), a.transpose(), a * v), rounding);
    EXPECT_LT(relative_error(to_matrix(normal.squares), (a * v).transpose(), a * v), rounding);
    EXPECT_LT(relative_error(to_matrix(transposed_product(rows, to_multi_vector(u), on_threads(2))), a.transpose(), u),
              rounding);
    EXPECT_LT(relative_error(images_of(rows, to_multi_vector(v), 2), a, v), rounding);
    EXPECT_LT(relative_error(to_matrix(gram(columns_of(x.view(), center), on_threads(2))), a, a.transpose()), rounding);
}

TEST_P(StreamedMatrixOf, DirectionsAndProductsAreTakenOff) {
    const auto [count, dimension] = GetParam();
    const Points x = reference::random_points(count, dimension, 12);
    const Matrix a = to_matrix(x);
    const Matrix q = support::random_orthonormal(dimension, 1, 3);
    const MultiVector<double> directions = to_multi_vector(q);
    const MultiVector<double> images = to_multi_vector(a * q);
    const Matrix rest = a - a * q * q.transpose();
    const StreamedMatrix rows = without_directions(rows_of(x.view(), {}), directions);
    const StreamedMatrix columns = without_product(columns_of(x.view(), {}), directions, images);
    const double scale = a.squaredNorm();
    EXPECT_LT(support::difference(to_matrix(gram(rows, {})), rest.transpose() * rest), rounding * scale);
    EXPECT_LT(support::difference(to_matrix(gram(columns, {})), rest * rest.transpose()), rounding * scale);
}

TEST_P(StreamedMatrixOf, TheSameBitsForAnyNumberOfThreadsAndFromAnywhere) {
    const auto [count, dimension] = GetParam();
    const Points x = reference::random_points(count, dimension, 13);
    const MultiVector<double> v = to_multi_vector(support::random_matrix(dimension, 5, 14));
    const auto load = [&](Index row, std::span<float> into) { std::copy(x[row].begin(), x[row].end(), into.begin()); };
    const auto all = [&](const StreamedMatrix& rows, const RunContext& context) {
        const NormalProduct normal = normal_product(rows, v, context);
        return std::tuple(gram(rows, context).values, normal.product.values(), normal.squares.values);
    };
    const auto one = all(rows_of(x.view(), {}), on_threads(1));
    EXPECT_EQ(one, all(rows_of(x.view(), {}), on_threads(3)));
    EXPECT_EQ(one, all(rows_of(count, dimension, load), on_threads(2)));
    for (const std::size_t ranks : {2U, 7U}) {  // more ranks than tiles
        support::on_ranks(ranks, x.view(), [&](const RunContext& context, const DistributedPoints& points) {
            EXPECT_EQ(one, all(rows_of(points), context)) << ranks << " ranks";
        });
    }
}

TEST(StreamedMatrix, ReadStridedViews) {
    const Points wide = reference::random_points(700, 20, 17);
    const PointsView middle(wide.view().data + 3, 700, 11, 20);
    const Matrix columns = to_matrix(wide).middleCols(3, 11);
    EXPECT_LT(relative_error(to_matrix(gram(rows_of(middle, {}), {})), columns.transpose(), columns), rounding);
}

TEST(StreamedMatrix, CanBeCancelled) {
    RunContext context;
    context.limit_seconds(0.0);
    const Points x = reference::random_points(9, 2, 19);
    const MultiVector<double> v(2, 1);
    const MultiVector<double> u(9, 1);
    const StreamedMatrix rows = rows_of(x.view(), {});
    EXPECT_THROW(static_cast<void>(gram(rows, context)), Interruption);
    EXPECT_THROW(static_cast<void>(normal_product(rows, v, context)), Interruption);
    EXPECT_THROW(static_cast<void>(transposed_product(rows, u, context)), Interruption);
    EXPECT_THROW(visit_product(
                     rows, v, [](Index, const double*) {}, context),
                 Interruption);
}

}  // namespace
}  // namespace isogon::streamed_matrix_test
