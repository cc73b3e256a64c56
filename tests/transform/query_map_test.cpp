#include "transform/query_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"
#include "support/dense_matrices.hpp"

namespace isogon::query_map_test {

namespace {

using reference::on_threads;
using support::Matrix;
using support::to_matrix;

constexpr double tolerance = 2e-5;

Archive archive_of(const Points& x, const Points& y, const QueryMapOptions& options = {},
                   const RunContext& context = {}) {
    Archive archive;
    archive.arrays = fit_query_map(x.view(), y.view(), options, context);
    return archive;
}

/// y a bent image of x, of its length.
Points bent(const Points& x, Index dimension) {
    Points y(x.count(), dimension);
    const std::vector<double> lengths = norms(x.view());
    for (Index i = 0; i < x.count(); ++i) {
        double squares = 0.0;
        for (Index k = 0; k < dimension; ++k) {
            const double value =
                std::abs(double{x[i][k % x.dimension()]}) + 0.3 * double{x[i][(k + 1) % x.dimension()]};
            y[i][k] = static_cast<float>(value);
            squares += value * value;
        }
        for (float& value : y[i]) {
            value = squares > 0.0 ? static_cast<float>(double{value} * lengths[i] / std::sqrt(squares)) : 0.0F;
        }
    }
    return y;
}

Points mapped(const Archive& archive, const PointsView& rows, const RunContext& context = {}) {
    return QueryMap(archive).transform(rows, context).coordinates;
}

/// The definition, in float64: all prototypes in the order of their keys, the first four above the fifth.
Eigen::VectorXd reference_row(const Archive& archive, const Eigen::VectorXd& x) {
    const Matrix directions = to_matrix(points_view(archive, "map_directions"));
    const Matrix prototypes = to_matrix(points_view(archive, "map_prototypes"));
    const Array& pieces = archive.array("map_pieces");
    const auto width = static_cast<Eigen::Index>(pieces.shape[2]);
    const auto& numbers = std::get<std::vector<float>>(pieces.values);
    if (x.norm() == 0.0) {
        return Eigen::VectorXd::Zero(width);
    }
    const Eigen::VectorXd z = directions * x.normalized();
    const Eigen::VectorXd keys = prototypes * z - 0.5 * prototypes.rowwise().squaredNorm();
    std::vector<Eigen::Index> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return keys[a] > keys[b]; });
    const double threshold =
        order.size() == 1 ? keys[0] - 1.0 : keys[order[std::min<std::size_t>(4, order.size() - 1)]];
    Eigen::VectorXd u = Eigen::VectorXd::Zero(width);
    for (const auto j : order) {
        const double h = std::max(0.0, keys[j] - threshold);
        for (Eigen::Index k = 0; k <= z.size(); ++k) {
            for (Eigen::Index a = 0; a < width; ++a) {
                u[a] += h * (k < z.size() ? z[k] : 1.0) * double{numbers[(j * (z.size() + 1) + k) * width + a]};
            }
        }
    }
    return u.normalized() * x.norm();
}

TEST(QueryMap, IsWhatItsDefinitionSays) {
    for (const auto& [count, dimension, width, prototypes] : {std::array<Index, 4>{1, 1, 1, 9},
                                                              {5, 3, 2, 9},
                                                              {47, 7, 3, 1},
                                                              {48, 7, 3, 2},
                                                              {97, 60, 50, 6},
                                                              {900, 20, 5, 70}}) {
        const Points x = reference::random_points(count, dimension, count);
        const Archive archive =
            archive_of(x, bent(x, width), {.prototypes = static_cast<int>(prototypes), .directions = 50});
        const Points rows = reference::random_points(101, dimension, 7);
        const Matrix found = to_matrix(mapped(archive, rows.view()));
        const Matrix given = to_matrix(rows.view());
        for (Eigen::Index i = 0; i < found.rows(); ++i) {
            const Eigen::VectorXd expected = reference_row(archive, given.row(i).transpose());
            // Where pieces almost cancel, a direction is as uncertain as rounding.
            EXPECT_LT((found.row(i).transpose() - expected).norm(), 2e-3 * given.row(i).norm()) << count << ' ' << i;
        }
    }
}

TEST(QueryMap, OfOnePrototypeIsRidgeRegression) {
    const Points x = reference::random_points(700, 6, 3);
    const Points y = bent(x, 4);
    const Matrix unit_x = to_matrix(x).rowwise().normalized();
    const Matrix unit_y = to_matrix(y).rowwise().normalized();
    const auto ridge = [](const Matrix& a, const Matrix& right, double share) -> Matrix {
        const Matrix gram = a.transpose() * a;
        const double add = share * gram.trace() / static_cast<double>(gram.rows());
        return (gram + add * Matrix::Identity(gram.rows(), gram.cols())).llt().solve(a.transpose() * right);
    };
    const Matrix all = ridge(unit_x, unit_y, 0.01);
    const Matrix rest = unit_y - unit_x * all;
    const Eigen::RowVectorXd mean_x = unit_x.colwise().mean();
    const Eigen::RowVectorXd mean_rest = rest.colwise().mean();
    const Matrix own = ridge(unit_x.rowwise() - mean_x, rest.rowwise() - mean_rest, 0.3);
    const Points rows = reference::random_points(40, 6, 4);
    const Matrix unit = to_matrix(rows).rowwise().normalized();
    Matrix expected = (unit * (all + own)).rowwise() + (mean_rest - mean_x * own);
    expected.rowwise().normalize();
    Matrix found = to_matrix(mapped(archive_of(x, y, {.prototypes = 1}), rows.view()));
    found.rowwise().normalize();
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), tolerance);
}

TEST(QueryMap, FollowsABendThatOnePieceCannot) {
    const Points x = reference::random_points(4000, 3, 1);
    const Points rows = reference::random_points(500, 3, 2);
    const Matrix truth = to_matrix(bent(rows, 3));
    const auto deviation = [&](int prototypes) {
        const Archive archive = archive_of(x, bent(x, 3), {.prototypes = prototypes});
        return (to_matrix(mapped(archive, rows.view())) - truth).norm() / truth.norm();
    };
    const double linear = deviation(1);
    const double pieces = deviation(256);
    EXPECT_GT(linear, 0.2);
    EXPECT_LT(pieces, 0.4 * linear);
}

TEST(QueryMap, GivesTheSameBitsInAnyBatchOnAnyNumberOfThreads) {
    const Points x = reference::random_points(600, 30, 5);
    const Points y = bent(x, 8);
    const Archive archive = archive_of(x, y, {.prototypes = 20}, on_threads(1));
    for (const int threads : {2, 3}) {
        const Archive again = archive_of(x, y, {.prototypes = 20}, on_threads(threads));
        for (const auto& [name, array] : archive.arrays) {
            EXPECT_EQ(array.values, again.array(name).values) << name;
        }
    }
    const Points rows = reference::random_points(4000, 30, 6);
    const Matrix whole = to_matrix(mapped(archive, rows.view(), on_threads(1)));
    EXPECT_EQ(to_matrix(mapped(archive, rows.view(), on_threads(3))), whole);
    for (const Index first : {0U, 47U, 3999U}) {
        const PointsView alone(rows[first].data(), 1, 30);
        EXPECT_EQ(to_matrix(mapped(archive, alone)), whole.row(first));
    }
}

TEST(QueryMap, KeepsLengthsAndTakesRowsOfAnyLength) {
    const Points x = reference::random_points(100, 5, 8);
    const Archive archive = archive_of(x, bent(x, 3));
    const Points rows = reference::random_points(20, 5, 9);
    const Matrix plain = to_matrix(mapped(archive, rows.view()));
    for (const float factor : {0x1p-100F, 0x1p100F}) {
        const Points longer = reference::scaled(rows, factor);
        EXPECT_EQ(to_matrix(mapped(archive, longer.view())), plain * double{factor});
    }
    EXPECT_LT((plain.rowwise().norm() - to_matrix(rows).rowwise().norm()).cwiseAbs().maxCoeff(), 1e-5);
    const Points zeros(3, 5);
    const Transformed none = QueryMap(archive).transform(zeros.view(), {});
    EXPECT_EQ(to_matrix(none.coordinates), Matrix::Zero(3, 3));
    EXPECT_EQ(none.summary.value("zero_vectors"), 3.0);
}

TEST(QueryMap, IsFittedToAwkwardPoints) {
    for (const Index count : {1U, 2U, 49U, 300U}) {
        for (const Points& x : {reference::awkward_points(count, 6, 3), reference::equal_points(count, 6)}) {
            Points y = bent(x, 4);
            const std::vector<double> lengths = norms(y.view());
            if (std::all_of(lengths.begin(), lengths.end(), [](double length) { return length == 0.0; })) {
                EXPECT_THROW((void)archive_of(x, y), InputError);
                continue;
            }
            const Archive archive = archive_of(x, y);
            const Points rows = reference::random_points(60, 6, 2);
            EXPECT_TRUE(to_matrix(mapped(archive, rows.view())).allFinite());
        }
    }
}

TEST(QueryMap, RefusesWhatItCannotFit) {
    const Points x = reference::random_points(50, 4, 1);
    const Points y = bent(x, 2);
    EXPECT_THROW((void)archive_of(x, bent(reference::random_points(49, 4, 1), 2)), InvalidArgument);
    EXPECT_THROW((void)archive_of(Points(), Points()), InvalidArgument);
    EXPECT_THROW((void)archive_of(Points(50, 4), y), InputError);
    EXPECT_THROW((void)archive_of(x, y, {.prototypes = 0}), InvalidArgument);
    EXPECT_THROW((void)archive_of(x, y, {.directions = 0}), InvalidArgument);
    Points nan = x;
    nan[3][1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW((void)archive_of(nan, y), InputError);
    RunContext small;
    small.memory_limit = 1000;
    EXPECT_THROW((void)archive_of(x, y, {}, small), LimitExceeded);
    EXPECT_THROW((void)archive_of(x, y, {}, reference::cancelled()), Interruption);
}

TEST(QueryMap, RefusesRowsThatHaveNoPlace) {
    const Points x = reference::random_points(50, 4, 1);
    const Archive archive = archive_of(x, bent(x, 2));
    const QueryMap map(archive);
    Points rows(2, 4);
    rows[1][2] = std::numeric_limits<float>::infinity();
    EXPECT_THROW((void)map.transform(rows.view(), {}), InputError);
    std::fill(rows[1].begin(), rows[1].end(), std::numeric_limits<float>::max());
    EXPECT_THROW((void)map.transform(rows.view(), {}), InputError);
    EXPECT_THROW((void)map.transform(x.view(), RunContext{.memory_limit = 10}), LimitExceeded);
    const Points narrow(2, 3);
    EXPECT_THROW((void)map.transform(narrow.view(), {}), InvalidArgument);
}

TEST(QueryMap, TrustsNoArchive) {
    const Points x = reference::random_points(50, 4, 1);
    const Archive whole = archive_of(x, bent(x, 2));
    EXPECT_TRUE(QueryMap::is_in(whole));
    EXPECT_FALSE(QueryMap::is_in(Archive()));
    const auto refuses = [&](const std::string& name, const Array& array) {
        Archive changed = whole;
        changed.arrays[name] = array;
        EXPECT_THROW(QueryMap{changed}, InputError) << name;
    };
    for (const auto& [name, array] : whole.arrays) {
        Archive less = whole;
        less.arrays.erase(name);
        EXPECT_THROW(QueryMap{less}, InputError) << name;
        Array big = array;
        std::get<std::vector<float>>(big.values).back() = 1e30F;
        refuses(name, big);
        Array flat = array;
        flat.shape = {std::get<std::vector<float>>(flat.values).size()};
        refuses(name, flat);
        refuses(name, {array.shape, std::vector<double>(std::get<std::vector<float>>(array.values).size())});
    }
    refuses("map_pieces", {{6, 4, 2}, std::vector<float>(48)});
}

}  // namespace

}  // namespace isogon::query_map_test
