#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/random.hpp"
#include "reference/point_sets.hpp"
#include "report/measures.hpp"

namespace isogon::verdict_test {

namespace {

constexpr SideMetrics by_angle{Nearness::Cosine, Nearness::Cosine};
class VerdictOf : public testing::Test {
protected:
    /// Measures of an angle map that keeps everything.
    VerdictOf() {
        Score& score = measures.score;
        score.points = 1001;
        score.rank_rows = 1001;
        score.neighbors = 10;
        score.threshold = 0.75;
        score.sparsity = 0.99;
        score.recall = 0.8;
        score.chance_recall = 0.01;
        score.trustworthiness = 0.99;
        score.metrics = by_angle;
        measures.pair_correlation = 0.95;
        measures.angles.in.resize(AngleDensity::angles);
        measures.angles.out.resize(AngleDensity::angles);
        measures.angles.in[30] = 10;
        measures.angles.in[90] = 990;
        measures.angles.out[90] = 1000;
        measures.points.pairs.assign(1001, 5);
    }

    [[nodiscard]] std::string text() {
        measures.chance = chance_of(subject, measures, 0);
        return verdict_of(subject, measures).text();
    }

    Points x = reference::random_points(1001, 3, 1);
    Points y = reference::random_points(1001, 8, 2);
    ReportSubject subject{.inputs = x.view(), .coordinates = y.view()};
    Measures measures;
};

TEST_F(VerdictOf, SaysWhatTheCoordinatesAreGoodForBesideChance) {
    EXPECT_EQ(text(),
              "Good for: finding similar items (80% of the 10 nearest kept; chance 1.0%), how similar near points are "
              "(angles off by 0.0 degrees; chance 60), comparing points that are far apart (rank correlation of angles "
              "0.95 of 1; chance 0).");
}

TEST_F(VerdictOf, SaysWhatTheyAreNotFor) {
    measures.score.recall = 0.39;
    measures.score.deviation_without_self_degrees = 12.0;
    measures.score.norm_deviation_mean = 0.5;
    measures.pair_correlation = 0.8;
    const std::string all = text();
    EXPECT_TRUE(all.starts_with("Fair for: comparing points that are far apart")) << all;
    EXPECT_NE(all.find("Not for: finding similar items (39%"), std::string::npos) << all;
    EXPECT_NE(all.find("angles off by 12.0 degrees"), std::string::npos) << all;
    EXPECT_NE(all.find("lengths (off by 50%)."), std::string::npos) << all;
}

TEST_F(VerdictOf, OfAMapByDistanceHasNoWordOfAngles) {
    y = reference::random_points(1001, 2, 2);
    subject.coordinates = y.view();
    measures.score.metrics = {Nearness::Cosine, Nearness::Euclidean};
    measures.score.deviation_without_self_degrees = 60.0;
    measures.score.norm_deviation_mean = 9.0;
    measures.pair_correlation = 0.3;
    const std::string all = text();
    EXPECT_EQ(all.find("angle"), std::string::npos) << all;
    EXPECT_EQ(all.find("length"), std::string::npos) << all;
    EXPECT_NE(all.find("seeing which points belong together (trustworthiness 0.99"), std::string::npos) << all;
    EXPECT_NE(all.find("Not for: distances between groups (rank correlation 0.30"), std::string::npos) << all;
}

TEST_F(VerdictOf, OfLabelsIsBesideTheInputsAndTheMostFrequentLabel) {
    subject.labels = {{"a", "b"}, std::vector<std::uint32_t>(1001, 1)};
    std::fill_n(subject.labels.index.begin(), 501, 0U);
    measures.score.knn_accuracy = 0.93;
    measures.score.knn_accuracy_inputs = 0.94;
    EXPECT_NE(text().find("k-NN label accuracy (93% right; the inputs 94%; chance 50%)"), std::string::npos);
    EXPECT_EQ(text().find("Fair for"), std::string::npos);
    measures.score.knn_accuracy = 0.90;
    EXPECT_NE(text().find("Fair for: k-NN label accuracy"), std::string::npos);
}

// A tenth of the points has the rare label: neighbours add five hundredths to always guessing the other.
TEST_F(VerdictOf, OfLabelsNeedsHalfOfWhatTheInputsTellAboveChance) {
    subject.labels = {{"a", "b"}, std::vector<std::uint32_t>(1001, 1)};
    std::fill_n(subject.labels.index.begin(), 100, 0U);
    measures.score.knn_accuracy_inputs = 0.975;
    measures.score.knn_accuracy = 0.960;
    EXPECT_NE(text().find("k-NN label accuracy (96%"), std::string::npos) << text();
    EXPECT_EQ(text().find("Not for"), std::string::npos) << text();
    measures.score.knn_accuracy = 0.930;
    EXPECT_NE(text().find("Not for: k-NN label accuracy (93%"), std::string::npos) << text();
    measures.score.knn_accuracy = 0.910;
    EXPECT_NE(text().find("Not shown to be better than chance at: k-NN label accuracy (91%"), std::string::npos)
        << text();
}

TEST_F(VerdictOf, NothingIsGoodThatChanceGives) {
    const Points few = reference::random_points(15, 3, 1);
    subject.inputs = subject.coordinates = few.view();
    measures.score.rank_rows = 15;
    measures.score.recall = 0.71;
    measures.score.chance_recall = 10.0 / 14.0;
    measures.pair_correlation = 0.6;
    measures.points.pairs.assign(15, 0);
    measures.points.pairs[3] = measures.points.pairs[4] = 1;
    EXPECT_EQ(text(),
              "Not shown to be better than chance at: finding similar items (71% of the 10 nearest kept; chance "
              "71%), how similar near points are (angles off by 0.0 degrees; chance 60), comparing points that "
              "are far apart (rank correlation of angles 0.60 of 1; chance 0).");
    measures.score.recall = 1.0;
    EXPECT_TRUE(text().starts_with("Good for: finding similar items (100%")) << text();
}

/// The baseline keeps 75% at each point, the coordinates 65%.
TEST_F(VerdictOf, NothingIsGoodThatTheBaselineDoesClearlyBetter) {
    measures.svd = measures.score;
    measures.score.kept.shares.assign(1001, 0.65F);
    measures.score.recall = 0.65;
    measures.svd->kept.shares.assign(1001, 0.75F);
    measures.svd->recall = 0.75;
    measures.svd_pair_correlation = 0.96;
    EXPECT_NE(text().find("SVD to 8 dimensions does better at: finding similar items (65% of the 10 nearest kept; SVD "
                          "75%; chance 1.0%)."),
              std::string::npos)
        << text();
    EXPECT_NE(text().find("0.95 of 1; chance 0"), std::string::npos) << text();  // 0.96 is no clear difference
    measures.svd->kept.shares.assign(1001, 0.66F);
    EXPECT_TRUE(text().starts_with("Good for: finding similar items (65%")) << text();
    // Better on average, and as often worse.
    for (std::size_t i = 0; i < 1001; i += 2) {
        measures.svd->kept.shares[i] = 0.0F;
    }
    EXPECT_TRUE(text().starts_with("Good for: finding similar items (65%")) << text();
}

TEST_F(VerdictOf, LabelsThatTheBaselineTellsClearlyBetterAreItsOwn) {
    subject.coordinates = x.view();
    subject.labels = {{"a", "b"}, std::vector<std::uint32_t>(1001, 1)};
    std::fill_n(subject.labels.index.begin(), 501, 0U);
    measures.score.metrics = {Nearness::Euclidean, Nearness::Euclidean};
    measures.score.knn_accuracy = 0.79;
    measures.score.knn_accuracy_inputs = 0.80;
    measures.svd = measures.score;
    measures.svd->knn_accuracy = 0.899;
    EXPECT_NE(
        text().find("PCA to 3 dimensions does better at: k-NN label accuracy (79% right; the inputs 80%; PCA 90%; "
                    "chance 50%)."),
        std::string::npos)
        << text();
    measures.svd->knn_accuracy = 0.80;
    EXPECT_NE(text().find("k-NN label accuracy (79% right; the inputs 80%; chance 50%)"), std::string::npos) << text();
}

TEST_F(VerdictOf, NothingIsRoundedToAll) {
    measures.score.recall = 0.9999;
    EXPECT_NE(text().find("(99% of the 10 nearest kept"), std::string::npos) << text();
    measures.score.recall = 1.0;
    EXPECT_NE(text().find("(100% of the 10 nearest kept"), std::string::npos) << text();
}

/// A class of each point, in shares of 1, 1/2, 1/4, ... or equal ones.
Classes random_labels(Index count, std::uint32_t classes, bool balanced, std::uint64_t seed) {
    Classes labels;
    for (std::uint32_t label = 0; label < classes; ++label) {
        labels.names.push_back(std::to_string(label));
    }
    for (Index i = 0; i < count; ++i) {
        Random random(seed, RandomStream::Test, i);
        std::uint32_t label = balanced ? random.below(classes) : 0;
        while (!balanced && label + 1 < classes && random.uniform() < 0.5) {
            ++label;
        }
        labels.index.push_back(label);
    }
    return labels;
}

// Maps, labels and inputs that know nothing of each other, by distance and by angle.
TEST(Verdict, OfRandomMapsAndLabelsIsSeldomGoodOrFair) {
    constexpr std::array<Index, 8> sizes{15, 20, 30, 50, 80, 150, 300, 500};
    constexpr std::array<Index, 4> dimensions{1, 2, 3, 8};
    int said = 0;
    for (std::uint64_t map = 0; map < 200; ++map) {
        const Index count = sizes[map % sizes.size()];
        const Points x = reference::random_points(count, static_cast<Index>(1 + map % 13), 2 * map);
        const Points y = reference::random_points(count, dimensions[map / 8 % 4], 2 * map + 1);
        const ReportSubject subject{
            .inputs = x.view(),
            .coordinates = y.view(),
            .labels = random_labels(count, static_cast<std::uint32_t>(2 + map % 5), map % 2 == 0, map)};
        Summary summary;
        const InputMetric metric = map % 3 == 0 ? InputMetric::Cosine : InputMetric::Auto;
        const Verdict verdict = take_measures(subject, {.metric = metric, .seed = map}, {}, summary).verdict;
        said += verdict.good.empty() && verdict.fair.empty() && verdict.outdone.empty() ? 0 : 1;
    }
    EXPECT_LE(said, 10);
}

class PerfectMaps : public testing::TestWithParam<std::pair<std::uint32_t, Index>> {};

// Distances of whole numbers tie all the time.
TEST_P(PerfectMaps, HaveFullMarks) {
    const auto [top, dimension] = GetParam();
    const Points x = reference::whole_points(600, dimension, top, 7);
    const Points y = reference::turned(x, 8);
    ReportSubject subject{.inputs = x.view(), .coordinates = y.view()};
    subject.labels.names = {"a", "b"};
    for (Index i = 0; i < 600; ++i) {
        subject.labels.index.push_back(2.0F * x[i][0] + x[i][1] > 1.5F * static_cast<float>(top) ? 1 : 0);
    }
    Summary summary;
    const Measures measures = take_measures(subject, {}, {}, summary);
    EXPECT_DOUBLE_EQ(measures.score.recall, 1.0);
    EXPECT_DOUBLE_EQ(measures.score.trustworthiness, 1.0);
    EXPECT_NEAR(measures.pair_correlation, 1.0, 1e-3);
    EXPECT_EQ(measures.verdict.good.size(), dimension <= 3 ? 4U : 3U) << measures.verdict.text();
    for (const auto& list :
         {measures.verdict.fair, measures.verdict.outdone, measures.verdict.poor, measures.verdict.chance}) {
        EXPECT_TRUE(list.empty()) << measures.verdict.text();
    }
}

INSTANTIATE_TEST_SUITE_P(OfBinaryCountAndRatingData, PerfectMaps,
                         testing::Values(std::pair{1U, Index{16}}, std::pair{3U, Index{8}}, std::pair{4U, Index{3}}));

}  // namespace

}  // namespace isogon::verdict_test
