#include "quality/known_truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "isogon/core/error.hpp"
#include "reference/point_sets.hpp"

namespace isogon::known_truth_test {

namespace {

using reference::on_threads;
using reference::random_points;

Points turned(const Points& points, double angle, double scale, bool mirrored) {
    Points result = points;
    for (Index i = 0; i < points.count(); ++i) {
        const double a = points[i][0];
        const double b = mirrored ? -points[i][1] : points[i][1];
        result[i][0] = static_cast<float>(scale * (std::cos(angle) * a - std::sin(angle) * b) + 3.0);
        result[i][1] = static_cast<float>(scale * (std::sin(angle) * a + std::cos(angle) * b) - 7.0);
    }
    return result;
}

TEST(Alignment, TurnedMirroredScaledAndShiftedPointsAreAlike) {
    const Points truth = random_points(60, 2, 1);
    for (const bool mirrored : {false, true}) {
        const Alignment result = align(turned(truth, 0.7, 2.5, mirrored).view(), truth.view());
        EXPECT_EQ(result.kind, AlignmentKind::Similarity);
        EXPECT_LT(result.error, 1e-6);
        EXPECT_NEAR(result.scale, 1.0 / 2.5, 1e-6);
    }
}

/// The least over angles, mirrored or not, with the best scale for each.
double least_error_in_the_plane(Points x, Points truth) {
    for (Points* points : {&x, &truth}) {
        for (Index k = 0; k < 2; ++k) {
            double mean = 0.0;
            for (Index i = 0; i < points->count(); ++i) {
                mean += (*points)[i][k] / static_cast<double>(points->count());
            }
            for (Index i = 0; i < points->count(); ++i) {
                (*points)[i][k] -= static_cast<float>(mean);
            }
        }
    }
    double best = std::numeric_limits<double>::infinity();
    for (const double sign : {1.0, -1.0}) {
        for (double angle = 0.0; angle < 6.2832; angle += 1e-3) {
            double together = 0.0;
            double own = 0.0;
            double whole = 0.0;
            for (Index i = 0; i < x.count(); ++i) {
                const double a = std::cos(angle) * x[i][0] - sign * std::sin(angle) * x[i][1];
                const double b = std::sin(angle) * x[i][0] + sign * std::cos(angle) * x[i][1];
                together += a * truth[i][0] + b * truth[i][1];
                own += a * a + b * b;
                whole += double{truth[i][0]} * truth[i][0] + double{truth[i][1]} * truth[i][1];
            }
            const double scale = std::max(0.0, together / own);
            best = std::min(best, (whole - 2.0 * scale * together + scale * scale * own) / whole);
        }
    }
    return std::sqrt(best);
}

TEST(Alignment, NoTurnComesNearer) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Points x = random_points(30, 2, seed);
        Points truth = random_points(30, 2, seed + 10);
        for (Index i = 0; i < 30; ++i) {
            truth[i][0] += 2.0F * x[i][1] + 5.0F;
        }
        EXPECT_NEAR(align(x.view(), truth.view()).error, least_error_in_the_plane(x, truth), 1e-5);
    }
}

TEST(Alignment, OtherNumbersOfColumnsAreMappedLinearly) {
    const Points x = random_points(50, 4, 1, 2.0);
    Points truth(50, 2);
    for (Index i = 0; i < 50; ++i) {
        truth[i][0] = 3.0F * x[i][0] - x[i][2] + 8.0F;
        truth[i][1] = 100.0F * x[i][3];
    }
    const Alignment result = align(x.view(), truth.view());
    EXPECT_EQ(result.kind, AlignmentKind::Linear);
    EXPECT_LT(result.error, 1e-6);
    EXPECT_GT(align(truth.view(), x.view()).error, 0.1);  // two numbers do not tell four
}

TEST(Alignment, OneColumnIsItsCorrelation) {
    const Points truth = random_points(50, 1, 1);
    Points x = random_points(50, 2, 2);
    for (Index i = 0; i < 50; ++i) {
        x[i][1] = x[i][0];  // singular: no more than one column says
    }
    Points column(50, 1);
    for (Index i = 0; i < 50; ++i) {
        column[i][0] = x[i][0];
    }
    EXPECT_NEAR(align(x.view(), truth.view()).error, align(column.view(), truth.view()).error, 1e-9);
}

TEST(Alignment, PointsAllInOnePlaceAreNothingAlike) {
    const Alignment result = align(reference::equal_points(20, 3).view(), random_points(20, 3, 1).view());
    EXPECT_DOUBLE_EQ(result.error, 1.0);
    EXPECT_EQ(result.scale, 0.0);
    EXPECT_DOUBLE_EQ(align(reference::equal_points(20, 2).view(), random_points(20, 3, 1).view()).error, 1.0);
}

TEST(Alignment, BitsDoNotDependOnThreads) {
    const Points x = random_points(3000, 3, 1);
    const Points truth = random_points(3000, 3, 2);
    const double one = align(x.view(), truth.view(), on_threads(1)).error;
    EXPECT_EQ(align(x.view(), truth.view(), on_threads(2)).error, one);
    EXPECT_EQ(align(x.view(), truth.view(), on_threads(3)).error, one);
}

TEST(Alignment, WhatCannotBeComparedIsRefused) {
    const Points x = random_points(20, 2, 1);
    const auto refuses = [&](const PointsView& a, const PointsView& b) {
        EXPECT_THROW(static_cast<void>(align(a, b)), InvalidArgument);
    };
    refuses(x.view(), random_points(21, 2, 1).view());
    refuses({}, {});
    refuses(x.view(), reference::equal_points(20, 2).view());
    Points bad = x;
    bad[3][1] = std::numeric_limits<float>::infinity();
    EXPECT_THROW(static_cast<void>(align(x.view(), bad.view())), InputError);
    EXPECT_THROW(static_cast<void>(align(bad.view(), x.view())), InputError);
}

/// Slow twin; `apart`: queries are no points. Of points that tie, each is as likely; one vote less is a tie of votes,
/// for the point itself is left out.
double slow_error(const Points& points, const std::vector<std::int64_t>& labels, const Points& queries,
                  const std::vector<std::int64_t>& truth, bool apart) {
    double wrong = 0.0;
    double judged = 0.0;
    for (Index i = 0; i < queries.count(); ++i) {
        double least = std::numeric_limits<double>::infinity();
        std::map<std::int64_t, int> votes;
        int tied = 0;
        for (Index j = 0; j < points.count(); ++j) {
            const double distance = squared_distance(queries[i].data(), points[j].data(), points.dimension());
            if (!apart && i == j) {
                continue;
            }
            if (distance < least) {
                least = distance;
                votes.clear();
                tied = 0;
            }
            if (distance == least) {
                votes[labels[j]] += labels[j] < 0 ? 0 : 1;
                ++tied;
            }
        }
        std::erase_if(votes, [](const auto& vote) { return vote.first < 0; });  // unknown
        if (truth[i] < 0 || votes.empty()) {
            continue;
        }
        judged += 1.0;
        int most = 0;
        for (const auto& [label, count] : votes) {
            most = std::max(most, count);
        }
        double first = 0.0;
        bool right = false;
        for (const auto& [label, count] : votes) {
            if (count + (tied > 1 ? 1 : 0) >= most) {
                first += 1.0;
                right = right || label == truth[i];
            }
        }
        wrong += right ? 1.0 - 1.0 / first : 1.0;
    }
    return wrong / judged;
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

TEST(NearestLabel, IsOfKnownLabelsAlone) {
    const Points points = reference::random_points(30, 3, 1);
    const std::vector<std::int64_t> unknown(30, -1);
    EXPECT_THROW(static_cast<void>(nearest_label_error(points.view(), unknown)), InvalidArgument);
    std::vector<std::int64_t> one = unknown;
    one[4] = 3;
    EXPECT_THROW(static_cast<void>(nearest_label_error(points.view(), one)), InvalidArgument);
    EXPECT_EQ(nearest_label_error(points.view(), one, points.view(), one), 0.0);
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

}  // namespace isogon::known_truth_test
