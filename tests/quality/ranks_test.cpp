#include "quality/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <tuple>

#include "linalg/packed_points.hpp"
#include "reference/point_sets.hpp"
#include "reference/quality.hpp"

namespace isogon::ranks_test {
namespace {

using reference::on_threads;

RankScore compare(const Points& x, const Points& y, Index k, Nearness nearness,
                  const std::vector<std::int64_t>& labels = {}, std::vector<Index> rows = {}, int threads = 2,
                  std::optional<Nearness> of_y = {}) {
    const auto x_lengths = norms(x.view());
    const auto y_lengths = norms(y.view());
    if (rows.empty()) {
        rows = reference::every_point(x.count());
    }
    return compare_ranks(
        {x.view(), y.view(), x_lengths, y_lengths, labels, rows, k, {nearness, of_y.value_or(nearness)}},
        on_threads(threads));
}

std::vector<std::int64_t> some_labels(Index count) {
    std::vector<std::int64_t> labels(count);
    for (Index i = 0; i < count; ++i) {
        labels[i] = static_cast<std::int64_t>(Random(1, RandomStream::Test, i).below(5)) - 1;  // -1: unknown
    }
    return labels;
}

class RanksOf : public testing::TestWithParam<std::tuple<Index, Index, bool>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, RanksOf,
                         testing::Combine(testing::Values(3, 47, 48, 49, 97, 200), testing::Values(2, 17, 130),
                                          testing::Bool()));

TEST_P(RanksOf, AgreeWithTheDefinitions) {
    const auto [count, dimension, by_cosine] = GetParam();
    const Points x = reference::random_points(count, dimension, 1);
    const Points y = reference::random_points(count, 2, 2);
    const auto labels = some_labels(count);
    for (const Index k : {Index{1}, count / 5 + 1}) {
        const RankScore score = compare(x, y, k, by_cosine ? Nearness::Cosine : Nearness::Euclidean, labels);
        // Two keys that float32 cannot tell apart may change places.
        const double slack = 2.1 / (double(count) * k);
        EXPECT_NEAR(score.kept.neighbors, reference::recall(x, y, k, by_cosine), slack);
        EXPECT_NEAR(score.trustworthiness, reference::trustworthiness(x, y, k, by_cosine), slack);
        EXPECT_NEAR(score.continuity, reference::trustworthiness(y, x, k, by_cosine), slack);
        // One row more or less, of those whose label is known.
        const auto known = std::count_if(labels.begin(), labels.end(), [](std::int64_t label) { return label >= 0; });
        const double one = 1.1 / static_cast<double>(std::max<std::ptrdiff_t>(1, known));
        for (const auto& [found, points] : {std::pair(score.knn_accuracy, &y), {score.knn_accuracy_inputs, &x}}) {
            const auto expected = reference::knn_accuracy(*points, labels, k, by_cosine);
            ASSERT_EQ(found.has_value(), expected.has_value());
            EXPECT_NEAR(found.value_or(0.0), expected.value_or(0.0), one);
        }
    }
}

TEST(Ranks, EachSideGoesByItsOwnMetric) {
    // Directions compared by distance are the same points compared by cosine.
    Points x = reference::random_points(120, 5, 21);
    Points directions = x;
    const auto lengths = norms(x.view());
    for (Index i = 0; i < x.count(); ++i) {
        for (float& value : directions[i]) {
            value = static_cast<float>(value / lengths[i]);
        }
    }
    const Points y = reference::random_points(120, 2, 22);
    const auto labels = some_labels(120);
    const RankScore mixed = compare(x, y, 9, Nearness::Cosine, labels, {}, 2, Nearness::Euclidean);
    const RankScore distances = compare(directions, y, 9, Nearness::Euclidean, labels);
    EXPECT_NEAR(mixed.kept.neighbors, distances.kept.neighbors, 2e-3);
    EXPECT_NEAR(mixed.trustworthiness, distances.trustworthiness, 1e-3);
    EXPECT_NEAR(mixed.continuity, distances.continuity, 1e-3);
    EXPECT_EQ(mixed.knn_accuracy, distances.knn_accuracy);
    EXPECT_NEAR(mixed.trustworthiness,
                compare(directions, y, 9, Nearness::Cosine, {}, {}, 2, Nearness::Euclidean).trustworthiness, 1e-3);
    EXPECT_GT(std::abs(mixed.trustworthiness - compare(x, y, 9, Nearness::Euclidean).trustworthiness), 2e-3);
}

TEST(Ranks, WithTiesAreTheDefinitionsTriedOut) {
    // On a small grid nearly all distances tie.
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Points x = reference::whole_points(7, 3, seed % 3 == 0 ? 1 : 2, seed);
        const Points y = reference::whole_points(7, 2, seed % 2 == 0 ? 1 : 2, seed + 100);
        for (const Nearness nearness : {Nearness::Euclidean, Nearness::Cosine}) {
            const bool has_zero =
                std::ranges::any_of(reference::every_point(7), [&](Index i) { return reference::is_zero(x, i); });
            if (nearness == Nearness::Cosine && has_zero) {
                continue;
            }
            for (Index k = 1; k <= 6; ++k) {
                const RankScore score = compare(x, y, k, nearness, {}, {}, 1, Nearness::Euclidean);
                const auto expected = reference::tied_ranks(x, y, k, nearness == Nearness::Cosine);
                const auto where = testing::Message() << "seed " << seed << ", k " << k;
                EXPECT_NEAR(score.kept.neighbors, expected.recall, 1e-12) << where;
                EXPECT_NEAR(score.kept.all, expected.all_kept, 1e-12) << where;
                EXPECT_NEAR(score.trustworthiness, expected.trustworthiness, 1e-12) << where;
                EXPECT_NEAR(score.continuity, expected.continuity, 1e-12) << where;
            }
        }
    }
}

/// Binary, counts, ratings, one-hot rows, copies, and some of them standardized.
std::vector<Points> tied_inputs() {
    std::vector<Points> inputs{reference::whole_points(160, 12, 1, 1), reference::whole_points(160, 5, 9, 2),
                               reference::whole_points(160, 8, 4, 3)};
    Points one_hot(140, 7);
    for (Index i = 0; i < 140; ++i) {
        one_hot[i][i % 7] = 1.0F;
    }
    inputs.push_back(one_hot);
    Points copies = reference::random_points(150, 6, 4);
    for (Index i = 50; i < 150; ++i) {
        std::copy(copies[i % 50].begin(), copies[i % 50].end(), copies[i].begin());
    }
    inputs.push_back(copies);
    Points ratings = reference::whole_points(160, 6, 4, 5);
    for (Index i = 0; i < 160; ++i) {
        for (Index k = 0; k < 6; ++k) {
            ratings[i][k] = (ratings[i][k] - 2.3F) / (1.1F + 0.17F * static_cast<float>(k));
        }
    }
    inputs.push_back(ratings);
    return inputs;
}

void expect_perfect(const RankScore& score, const testing::Message& where) {
    EXPECT_EQ(score.kept.neighbors, 1.0) << where;
    EXPECT_EQ(score.kept.all, 1.0) << where;
    EXPECT_EQ(score.trustworthiness, 1.0) << where;
    EXPECT_EQ(score.continuity, 1.0) << where;
}

TEST(Ranks, OfPerfectMapsOfTiedInputsArePerfect) {
    const auto inputs = tied_inputs();
    for (std::size_t which = 0; which < inputs.size(); ++which) {
        const Points& x = inputs[which];
        const Points turned = reference::turned(x, 7);
        for (const Index k : {1U, 10U, 40U}) {
            const auto where = testing::Message() << "inputs " << which << ", k " << k;
            const RankScore itself = compare(x, x, k, Nearness::Euclidean);
            expect_perfect(itself, where);
            EXPECT_EQ(itself.kept.in_order, 1.0) << where;
            expect_perfect(compare(x, turned, k, Nearness::Euclidean), where);
            expect_perfect(compare(turned, x, k, Nearness::Euclidean), where);
            expect_perfect(compare(x, x, k, Nearness::Cosine), where);
            expect_perfect(compare(x, turned, k, Nearness::Cosine), where);
        }
    }
}

TEST(Ranks, OneHotRowsOnIslandsArePerfect) {
    const Points x = tied_inputs()[3];
    const Points jitter = reference::random_points(140, 2, 6);
    Points y(140, 2);
    for (Index i = 0; i < 140; ++i) {
        y[i][0] = static_cast<float>(i % 7) + 0.01F * jitter[i][0];
        y[i][1] = 0.01F * jitter[i][1];
    }
    expect_perfect(compare(x, y, 10, Nearness::Euclidean), testing::Message() << "islands");
}

TEST(Ranks, OfAllAtOnePlaceAreChance) {
    for (const Points& x : {reference::random_points(150, 4, 1), tied_inputs()[0], tied_inputs()[3]}) {
        const Points y = reference::equal_points(x.count(), 2);
        const RankScore flat = compare(x, y, 10, Nearness::Euclidean);
        EXPECT_NEAR(flat.kept.neighbors, flat.chance, 1e-12);
        // The mean values of maps at random.
        double recall = 0.0;
        double trustworthiness = 0.0;
        double continuity = 0.0;
        constexpr int maps = 100;
        for (std::uint64_t seed = 0; seed < maps; ++seed) {
            const RankScore score = compare(x, reference::random_points(x.count(), 2, seed), 10, Nearness::Euclidean);
            recall += score.kept.neighbors / maps;
            trustworthiness += score.trustworthiness / maps;
            continuity += score.continuity / maps;
            EXPECT_NEAR(score.chance, flat.chance, 1e-12);
        }
        EXPECT_NEAR(flat.kept.neighbors, recall, 0.012);
        EXPECT_NEAR(flat.trustworthiness, trustworthiness, 0.012);
        EXPECT_NEAR(flat.continuity, continuity, 0.012);
    }
    EXPECT_NEAR(compare(reference::random_points(151, 4, 1), Points(151, 2), 10, Nearness::Euclidean).chance,
                10.0 / 150.0, 1e-12);
}

TEST(Ranks, TheOrderOfRowsDecidesNothing) {
    const auto inputs = tied_inputs();
    for (const Points& x : inputs) {
        for (const Points& y : {reference::truncated(x, 2), reference::whole_points(x.count(), 2, 4, 9)}) {
            const auto labels = some_labels(x.count());
            const auto order = reference::shuffled(x.count(), 8);
            std::vector<std::int64_t> moved(labels.size());
            for (Index i = 0; i < x.count(); ++i) {
                moved[i] = labels[order[i]];
            }
            const RankScore one = compare(x, y, 9, Nearness::Euclidean, labels);
            const RankScore two =
                compare(reference::reordered(x, order), reference::reordered(y, order), 9, Nearness::Euclidean, moved);
            EXPECT_NEAR(one.kept.neighbors, two.kept.neighbors, 1e-12);
            EXPECT_NEAR(one.kept.all, two.kept.all, 1e-12);
            EXPECT_NEAR(one.trustworthiness, two.trustworthiness, 1e-12);
            EXPECT_NEAR(one.continuity, two.continuity, 1e-12);
            EXPECT_NEAR(one.knn_accuracy.value(), two.knn_accuracy.value(), 1e-12);
            EXPECT_NEAR(one.knn_accuracy_inputs.value(), two.knn_accuracy_inputs.value(), 1e-12);
        }
    }
}

TEST(Ranks, ScikitLearnAgrees) {
    const auto file = std::filesystem::path(ISOGON_GOLDEN_DIR) / "trustworthiness.txt";
    std::ifstream in(file);
    ASSERT_TRUE(in) << file;
    int compared = 0;
    for (Index count = 0, inputs = 0, outputs = 0; in >> count >> inputs >> outputs;) {
        Points x(count, inputs);
        Points y(count, outputs);
        for (Index i = 0; i < count; ++i) {
            for (float& value : x[i]) {
                in >> value;
            }
            for (float& value : y[i]) {
                in >> value;
            }
        }
        int results = 0;
        for (in >> results; results > 0; --results, ++compared) {
            Index k = 0;
            double trustworthiness = 0.0;
            double continuity = 0.0;
            in >> k >> trustworthiness >> continuity;
            const RankScore score = compare(x, y, k, Nearness::Euclidean);
            EXPECT_NEAR(score.trustworthiness, trustworthiness, 1e-12) << count << " points, k = " << k;
            EXPECT_NEAR(score.continuity, continuity, 1e-12) << count << " points, k = " << k;
        }
    }
    EXPECT_EQ(compared, 12);
}

TEST(Ranks, TheLargestExcessIsWhatTheWorstOrderGives) {
    for (const Index n : {2U, 3U, 10U, 11U}) {
        for (Index k = 1; k < n; ++k) {
            double worst = 0.0;  // neighbours that have the last k ranks of n - 1
            for (Index rank = n - k; rank < n; ++rank) {
                worst += rank > k ? rank - k : 0;
            }
            EXPECT_EQ(largest_rank_excess(n, k), worst) << n << ", " << k;
        }
    }
}

TEST(Ranks, RowsAreTheOnlyOnesThatCount) {
    // The first half is kept as it is, the second half is scattered.
    const Points x = reference::random_points(200, 2, 9);
    Points y = x;
    const Points scattered = reference::scaled(reference::random_points(100, 2, 10), 1000.0F);
    for (Index i = 100; i < 200; ++i) {
        std::copy(scattered[i - 100].begin(), scattered[i - 100].end(), y[i].begin());
    }
    const auto all = reference::every_point(200);
    const double first = compare(x, y, 5, Nearness::Cosine, {}, {all.begin(), all.begin() + 100}).kept.neighbors;
    const double second = compare(x, y, 5, Nearness::Cosine, {}, {all.begin() + 100, all.end()}).kept.neighbors;
    const double both = compare(x, y, 5, Nearness::Cosine).kept.neighbors;
    EXPECT_GT(first, 2.0 * second);
    EXPECT_NEAR(both, (first + second) / 2.0, 1e-12);
}

TEST(Ranks, TheAccuracyTakesTheLabelsOfItsRows) {
    // Two clusters, in each of which every fifth point bears the label of the other.
    Points y = reference::random_points(60, 2, 13);
    std::vector<std::int64_t> labels(60);
    std::vector<Index> right;
    for (Index i = 0; i < 60; ++i) {
        const bool second = i >= 30;
        y[i][0] += second ? 100.0F : 0.0F;
        const bool wrong = i % 5 == 1;
        labels[i] = second == wrong ? 1 : 2;
        if (!wrong) {
            right.push_back(i);
        }
    }
    const std::vector<Index> wrong{1, 6, 31, 36};
    EXPECT_EQ(compare(y, y, 29, Nearness::Euclidean, labels, right).knn_accuracy, 1.0);
    EXPECT_EQ(compare(y, y, 29, Nearness::Euclidean, labels, wrong).knn_accuracy, 0.0);
}

TEST(Ranks, TheSameBitsForAnyNumberOfThreads) {
    const Points x = reference::awkward_points(500, 8, 11);
    const Points y = reference::truncated(x, 2);
    const auto labels = some_labels(500);
    const auto numbers = [&](int threads) {
        const RankScore s = compare(x, y, 9, Nearness::Euclidean, labels, {}, threads);
        return std::tuple(s.kept.neighbors, s.trustworthiness, s.continuity, s.knn_accuracy);
    };
    EXPECT_EQ(numbers(1), numbers(2));
    EXPECT_EQ(numbers(1), numbers(3));
}

TEST(Ranks, StateTheirBytes) {
    const Points x = reference::random_points(100, 8, 12);
    const auto rows = reference::every_point(100);
    const RankProblem problem{x.view(), x.view(), {}, {}, {}, rows, 5, {Nearness::Euclidean, Nearness::Euclidean}};
    const auto few = rank_bytes(problem, on_threads(1));
    EXPECT_GT(few, 2 * PackedPoints::bytes(100, 8));
    EXPECT_GT(rank_bytes(problem, on_threads(2)), few);
}

}  // namespace
}  // namespace isogon::ranks_test
