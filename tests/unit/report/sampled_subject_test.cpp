#include "report/sampled_subject.hpp"

#include <gtest/gtest.h>

#include "reference/point_sets.hpp"

namespace isogon::sampled_subject_test {
namespace {

TEST(SampledSubject, HoldsWhatBelongsToTheChosenPoints) {
    const Points x = reference::random_points(6, 4, 1);
    const Points y = reference::random_points(6, 2, 2);
    const std::vector<std::string> words{"a", "b", "c", "d", "e", "f"};
    ReportSubject all{.inputs = x.view(), .coordinates = y.view(), .title = "title", .words = words};
    all.labels = {{"p", "q"}, {0, 1, 0, 1, 0, 1}};
    const SampledSubject sample(all, {1, 4});
    const ReportSubject& some = sample.subject;
    EXPECT_EQ(some.title, "title");
    ASSERT_EQ(some.inputs.count, 2U);
    EXPECT_EQ(some.inputs[1][3], x[4][3]);
    EXPECT_EQ(some.coordinates[0][1], y[1][1]);
    EXPECT_EQ(std::vector<std::string>(some.words.begin(), some.words.end()), (std::vector<std::string>{"b", "e"}));
    EXPECT_EQ(some.labels.index, (std::vector<std::uint32_t>{1, 0}));
    EXPECT_EQ(some.rows, (std::vector<Index>{1, 4}));
    EXPECT_EQ(some.points_in_all, 6U);
}

TEST(SampledSubject, OfASampleKnowsWhereItCameFrom) {
    const Points x = reference::random_points(3, 4, 1);
    ReportSubject all{.inputs = x.view(), .coordinates = x.view(), .rows = {5, 7, 9}, .points_in_all = 100};
    const SampledSubject sample(all, {0, 2});
    EXPECT_EQ(sample.subject.rows, (std::vector<Index>{5, 9}));
    EXPECT_EQ(sample.subject.points_in_all, 100U);
    EXPECT_TRUE(sample.subject.words.empty());
    EXPECT_TRUE(sample.subject.labels.empty());
}

}  // namespace
}  // namespace isogon::sampled_subject_test
