#include <gtest/gtest.h>

#include "reference/point_sets.hpp"
#include "report/measures.hpp"

namespace isogon::verdict_test {

namespace {

constexpr SideMetrics by_angle{Nearness::Cosine, Nearness::Cosine};
constexpr SideMetrics by_distance{Nearness::Euclidean, Nearness::Euclidean};

TEST(PairCorrelation, IsOneWhereTheOrderOfDistancesStays) {
    const Points x = reference::random_points(100, 4, 1);
    EXPECT_NEAR(pair_correlation(x.view(), reference::scaled(x, 7.0F).view(), by_distance, 0), 1.0, 1e-6);
    EXPECT_NEAR(pair_correlation(x.view(), reference::scaled(x, 7.0F).view(), by_angle, 0), 1.0, 1e-6);
}

TEST(PairCorrelation, IsMinusOneWhereItIsReversed) {
    // Three points of a line: distances 1, 2, 3; and others of distances 3, 2, 1 for the same pairs.
    Points x(3, 1);
    Points y(3, 2);
    x[1][0] = 1.0F;
    x[2][0] = 3.0F;
    y[1][0] = 3.0F;
    y[2][0] = 1.0F;
    y[2][1] = 0.1F;
    EXPECT_NEAR(pair_correlation(x.view(), y.view(), by_distance, 0), -1.0, 1e-9);
}

TEST(PairCorrelation, IsNearZeroByChanceAlsoOverASample) {
    EXPECT_NEAR(pair_correlation(reference::random_points(400, 5, 2).view(), reference::random_points(400, 5, 3).view(),
                                 by_distance, 0),
                0.0, 0.05);
}

TEST(PairCorrelation, IsZeroWhereAllAreEquallyFar) {
    const Points x = reference::random_points(20, 3, 4);
    EXPECT_EQ(pair_correlation(x.view(), reference::equal_points(20, 2).view(), by_distance, 0), 0.0);
}

class VerdictOf : public testing::Test {
protected:
    /// Of an angle map that keeps everything.
    VerdictOf() {
        Score& score = measures.score;
        score.points = 1001;
        score.neighbors = 10;
        score.threshold = 0.75;
        score.sparsity = 0.99;
        score.recall = 0.8;
        score.trustworthiness = 0.99;
        score.metrics = by_angle;
        measures.pair_correlation = 0.95;
        measures.angles.in.resize(AngleDensity::angles);
        measures.angles.out.resize(AngleDensity::angles);
        measures.angles.in[30] = 10;
        measures.angles.in[90] = 990;
        measures.angles.out[90] = 1000;
    }

    [[nodiscard]] std::string text() {
        measures.chance = chance_of(subject, measures);
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
    EXPECT_NE(text().find("telling labels from neighbours (93% right; the inputs 94%; chance 50%)"), std::string::npos);
    EXPECT_EQ(text().find("Fair for"), std::string::npos);
    measures.score.knn_accuracy = 0.90;
    EXPECT_NE(text().find("Fair for: telling labels"), std::string::npos);
}

TEST_F(VerdictOf, NothingIsRoundedToAll) {
    measures.score.recall = 0.9999;
    EXPECT_NE(text().find("(99% of the 10 nearest kept"), std::string::npos) << text();
    measures.score.recall = 1.0;
    EXPECT_NE(text().find("(100% of the 10 nearest kept"), std::string::npos) << text();
}

TEST(ChanceOf, SharesOfNearPairsMeetAsIndependentOnesDo) {
    // A tenth of the pairs in the inputs, a half in the coordinates: 0.05 in both, 0.55 in either.
    const Points x = reference::random_points(11, 3, 1);
    Measures measures;
    measures.score.threshold = 0.5;
    measures.score.sparsity = 0.9;
    measures.score.neighbors = 4;
    measures.angles.in.assign(AngleDensity::angles, 0);
    measures.angles.out.assign(AngleDensity::angles, 0);
    measures.angles.in[10] = 1;
    measures.angles.in[100] = 9;
    measures.angles.out[20] = 1;
    measures.angles.out[80] = 1;
    const Chance chance = chance_of({.inputs = x.view(), .coordinates = x.view()}, measures);
    EXPECT_DOUBLE_EQ(chance.recall, 0.4);
    EXPECT_DOUBLE_EQ(chance.jaccard, 0.05 / 0.55);
    EXPECT_DOUBLE_EQ(chance.deviation_degrees.value(), 40.0);
    EXPECT_FALSE(chance.knn_accuracy);
}

}  // namespace

}  // namespace isogon::verdict_test
