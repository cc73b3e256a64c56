#include "isogon/quality/nearest_label.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"

namespace isogon::nearest_label_test {
namespace {

double square_distance(std::span<const float> x, std::span<const float> y) {
    double sum = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        sum += (double{x[k]} - y[k]) * (double{x[k]} - y[k]);
    }
    return sum;
}

/// Slow twin; `apart`: queries are no points.
double slow_error(const Points& points, const std::vector<std::int64_t>& labels, const Points& queries,
                  const std::vector<std::int64_t>& truth, bool apart) {
    double wrong = 0.0;
    for (Index i = 0; i < queries.count(); ++i) {
        double least = std::numeric_limits<double>::infinity();
        std::int64_t label = 0;
        for (Index j = 0; j < points.count(); ++j) {
            const double distance = square_distance(queries[i], points[j]);
            if ((apart || i != j) && distance < least) {
                least = distance;
                label = labels[j];
            }
        }
        wrong += label == truth[i] ? 0.0 : 1.0;
    }
    return wrong / queries.count();
}

std::vector<std::int64_t> labels_of(Index count, std::int64_t classes) {
    std::vector<std::int64_t> labels(count);
    for (Index i = 0; i < count; ++i) {
        labels[i] = (i * 7 + i / 3) % classes - 1;
    }
    return labels;
}

TEST(NearestLabel, IsThatOfTheNearestOther) {
    for (const Points& points : {reference::random_points(90, 3, 1), reference::whole_points(90, 2, 4, 1)}) {
        const auto labels = labels_of(90, 3);
        const double error = nearest_label_error(points.view(), labels, reference::on_threads(3));
        EXPECT_DOUBLE_EQ(error, slow_error(points, labels, points, labels, false));
        EXPECT_GT(error, 0.0);
        EXPECT_LT(error, 1.0);
    }
}

TEST(NearestLabel, QueriesHaveThoseOfThePoints) {
    const Points points = reference::random_points(90, 3, 1);
    const Points queries = reference::random_points(40, 3, 2);
    const auto labels = labels_of(90, 3);
    const auto truth = labels_of(40, 3);
    EXPECT_DOUBLE_EQ(nearest_label_error(points.view(), labels, queries.view(), truth),
                     slow_error(points, labels, queries, truth, true));
    EXPECT_EQ(nearest_label_error(points.view(), labels, points.view(), labels), 0.0);
}

TEST(NearestLabel, WhatDoesNotBelongTogetherIsRefused) {
    const Points points = reference::random_points(10, 3, 1);
    const auto labels = labels_of(10, 2);
    const auto refuses = [](const auto& call) { EXPECT_THROW(static_cast<void>(call()), InvalidArgument); };
    refuses([&] { return nearest_label_error(points.view(), labels_of(9, 2)); });
    refuses([&] { return nearest_label_error(points.view(), {}); });
    refuses([&] { return nearest_label_error(reference::random_points(1, 3, 1).view(), labels_of(1, 2)); });
    refuses([&] { return nearest_label_error(points.view(), labels, points.view(), labels_of(9, 2)); });
    const Points other = reference::random_points(10, 2, 1);
    refuses([&] { return nearest_label_error(points.view(), labels, other.view(), labels); });
    refuses([&] { return nearest_label_error(points.view(), labels, {}, {}); });
}

}  // namespace
}  // namespace isogon::nearest_label_test
