#include "report/measures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "reference/point_sets.hpp"

namespace isogon::warnings_test {

namespace {

TEST(CountText, GroupsDigitsByThree) {
    EXPECT_EQ(count_text(0), "0");
    EXPECT_EQ(count_text(999), "999");
    EXPECT_EQ(count_text(1000), "1,000");
    EXPECT_EQ(count_text(70000), "70,000");
    EXPECT_EQ(count_text(123456), "123,456");
    EXPECT_EQ(count_text(1234567), "1,234,567");
    EXPECT_EQ(count_text(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(CountText, OnePointIsNoPoints) {
    EXPECT_EQ(points_count_text(1), "1 point");
    EXPECT_EQ(points_count_text(1200), "1,200 points");
}

/// Measures that need no warning.
Measures perfect() {
    Measures measures;
    measures.score.points = 1000;
    measures.score.neighbors = 10;
    measures.score.threshold = 0.75;
    measures.score.sparsity = 0.99;
    measures.score.recall = 1.0;
    measures.score.trustworthiness = 1.0;
    measures.points.deviation_degrees.resize(1000);
    return measures;
}

class Warnings : public testing::Test {
protected:
    [[nodiscard]] std::vector<std::string> list() const { return report_warnings(subject, measures); }

    /// There is one sentence, and it holds each of these.
    void expect_one(const std::vector<std::string>& parts) const {
        const auto sentences = list();
        ASSERT_EQ(sentences.size(), 1U) << testing::PrintToString(sentences);
        for (const std::string& part : parts) {
            EXPECT_NE(sentences.front().find(part), std::string::npos) << sentences.front() << " lacks " << part;
        }
    }

    Points points = reference::random_points(1000, 3, 1);
    ReportSubject subject{.inputs = points.view(), .coordinates = points.view()};
    Measures measures = perfect();
};

TEST_F(Warnings, ThereAreNoneWithoutReason) {
    EXPECT_TRUE(list().empty()) << testing::PrintToString(list());
}

TEST_F(Warnings, OfIsolatedPoints) {
    subject.run = ReportRun{.method = "tsm", .options = {{"threshold", 0.75}}};
    measures.score.isolated = 403;
    expect_one({"403 points have no neighbour within 41.4 degrees (the threshold)", "positions are not informative"});
    measures.score.isolated = 1;
    expect_one({"1 point has no neighbour", "its position is not informative"});
}

// The report's own threshold leaves 1% of the pairs, whatever the points are.
TEST_F(Warnings, OfIsolatedPointsAreNoneWhereTheFitHadNoThreshold) {
    measures.score.isolated = 403;
    EXPECT_TRUE(list().empty()) << testing::PrintToString(list());
    subject.run = ReportRun{.method = "svd"};
    EXPECT_TRUE(list().empty()) << testing::PrintToString(list());
}

TEST_F(Warnings, OfZeroVectors) {
    measures.score.zero_vectors = 2;
    expect_one({"2 points are zero vectors"});
    measures.score.zero_vectors = 1;
    expect_one({"1 point is a zero vector"});
}

TEST_F(Warnings, OfAngles) {
    measures.score.deviation_without_self_degrees = 12.34;
    expect_one({"12.3 degrees"});
}

TEST_F(Warnings, OfManyPointsWithWrongAngles) {
    std::fill_n(measures.points.deviation_degrees.begin(), 99, 30.0);
    EXPECT_TRUE(list().empty());
    std::fill_n(measures.points.deviation_degrees.begin(), 250, 30.0);
    expect_one({"For 25% of the points"});
}

TEST_F(Warnings, OfNeighborsLostAndInvented) {
    measures.score.recall = 0.32;
    expect_one({"Of the 10 nearest", "only 3.2"});
    measures.score.recall = 1.0;
    measures.score.trustworthiness = 0.8;
    expect_one({"0.80", "invented"});
}

TEST_F(Warnings, OfLengths) {
    measures.score.norm_deviation_mean = 0.35;
    expect_one({"35%", "says nothing about its input"});
}

TEST_F(Warnings, OfAThresholdThatCountsTooMuchOrTooLittle) {
    measures.score.sparsity = 0.6;
    expect_one({"40% of all pairs", "41.4 degrees", "higher"});
    measures.score.sparsity = 0.998;
    measures.score.points = 1300;
    expect_one({"only 2.6 others", "lower"});
}

TEST_F(Warnings, OfThresholdsThatHardlyAnyPairReaches) {
    measures.score.sparsity = 1.0;
    expect_one({"No two points are within 41.4 degrees"});
    measures.score.sparsity = 0.996;
    measures.score.points = 501;
    measures.score.deviation_without_self_degrees = 3.0;
    expect_one({"only 2.0 others", "few pairs"});
    measures.score.points = 2000;
    EXPECT_TRUE(list().empty());
    // By default 1% of the pairs are near, which is few of 300 points.
    measures.score.sparsity = 0.99;
    measures.score.points = 301;
    EXPECT_TRUE(list().empty());
}

TEST_F(Warnings, OfMapsThatAreComparedByDistanceAreNoneOfAngles) {
    measures.score.metrics = {Nearness::Cosine, Nearness::Euclidean};
    measures.score.deviation_without_self_degrees = 50.0;
    measures.score.norm_deviation_mean = 0.9;
    measures.score.isolated = 300;
    expect_one({"How these coordinates were made is not known", "angles", "output-metric"});
    subject.run = ReportRun{.method = "umap"};
    EXPECT_TRUE(list().empty()) << testing::PrintToString(list());
}

TEST_F(Warnings, OfASampleAndOfASearch) {
    subject.points_in_all = 50000;
    expect_one({"1,000 points of 50,000"});
    subject.points_in_all = 1000;
    measures.neighbors.recall = 0.987;
    expect_one({"98.7%"});
}

TEST_F(Warnings, OfTheRunComeFirst) {
    subject.run = ReportRun{.method = "tsm"};
    subject.run->summary.termination = Termination::TimeLimit;
    subject.run->summary.message = "after 3 updates";
    subject.run->summary.warn("something is odd");
    subject.warnings = {"before all."};
    subject.run->options["threshold"] = 0.75;
    measures.score.isolated = 5;
    const auto sentences = list();
    ASSERT_EQ(sentences.size(), 4U);
    EXPECT_EQ(sentences[0], "before all.");
    EXPECT_EQ(sentences[1], "The run ended early (time-limit): after 3 updates.");
    EXPECT_EQ(sentences[2], "The method warns: something is odd.");
    subject.run->summary.termination = Termination::IterationLimit;
    EXPECT_EQ(list().size(), 3U);
}

}  // namespace

}  // namespace isogon::warnings_test
