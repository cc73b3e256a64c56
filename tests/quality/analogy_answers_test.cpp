#include "quality/analogy_answers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "linalg/packed_points.hpp"
#include "reference/analogies.hpp"
#include "reference/point_sets.hpp"

namespace isogon::analogy_answers_test {

namespace {

using Words = std::vector<std::string>;
using Rows = std::vector<Index>;

TEST(WordRows, FindWordsAsTheyStand) {
    const Words words{"b", "A", "", "\xc3\x89t\xc3\xa9"};
    const WordRows rows(words);
    for (Index i = 0; i < words.size(); ++i) {
        EXPECT_EQ(rows.find(words[i]), i);
    }
    EXPECT_FALSE(rows.find("c"));
    EXPECT_FALSE(rows.find("a"));
    EXPECT_FALSE(rows.find("B "));
}

TEST(WordRows, FallBackToSmallLettersAndNeverToCapitals) {
    const Words words{"athens", "Paris", "PARIS", "paris", "Oslo", "\xc3\xa9ire"};
    const WordRows rows(words);
    EXPECT_EQ(rows.find("Athens"), 0U);
    EXPECT_EQ(rows.find("ATHENS"), 0U);
    EXPECT_EQ(rows.find("Paris"), 1U);
    EXPECT_EQ(rows.find("PARIS"), 2U);
    EXPECT_EQ(rows.find("PaRIS"), 3U);
    EXPECT_FALSE(rows.find("oslo"));
    EXPECT_FALSE(rows.find("OSLO"));
    EXPECT_FALSE(rows.find("\xc3\x89ire"));  // other alphabets keep their capitals
}

TEST(WordRows, TheFirstOfEqualWordsCounts) {
    const Words words{"a", "b", "a", "c", "b", "a"};
    const WordRows rows(words);
    EXPECT_EQ(rows.find("a"), 0U);
    EXPECT_EQ(rows.find("b"), 1U);
    EXPECT_EQ(rows.first_rows(), (Rows{0, 1, 3}));
}

using reference::on_threads;

using Terms = std::vector<AnalogyTerms>;

Rows not_zero(const Points& points) {
    Rows rows;
    for (Index i = 0; i < points.count(); ++i) {
        if (!reference::is_zero(points, i)) {
            rows.push_back(i);
        }
    }
    return rows;
}

Rows answers(const Points& points, const Terms& questions, const Rows& candidates, int threads = 2) {
    return answer_analogies(points.view(), norms(points.view()), candidates, questions, on_threads(threads));
}

Terms some_questions(Index count, Index points, std::uint64_t seed) {
    Terms questions(count);
    for (Index q = 0; q < count; ++q) {
        Random random(seed, RandomStream::Test, q);
        questions[q] = {random.below(points), random.below(points), random.below(points)};
    }
    return questions;
}

class AnalogyAnswers : public testing::TestWithParam<std::tuple<Index, Index, Index>> {};

INSTANTIATE_TEST_SUITE_P(Shapes, AnalogyAnswers,
                         testing::Combine(testing::Values(1, 4, 47, 48, 49, 200), testing::Values(1, 2, 17, 130),
                                          testing::Values(1, 48, 100)));

TEST_P(AnalogyAnswers, AgreeWithTheRule) {
    const auto [count, dimension, questions] = GetParam();
    for (const bool awkward : {false, true}) {
        const Points points = awkward ? reference::awkward_points(count, dimension, 1)
                                      : reference::random_points(count, dimension, 1, 0.3);
        const Rows candidates = not_zero(points);
        const Terms terms = some_questions(questions, count, 2);
        const Rows found = answers(points, terms, candidates);
        ASSERT_EQ(found.size(), terms.size());
        for (Index q = 0; q < questions; ++q) {
            const auto best = reference::analogy(points, terms[q], candidates);
            if (found[q] == no_answer) {
                // Either there is no candidate, or all are equally far from a sum that cancels.
                EXPECT_TRUE(!best || std::abs(reference::nearness_to_analogy(points, terms[q], *best)) < 1e-5);
                continue;
            }
            ASSERT_TRUE(best);
            EXPECT_EQ(std::count(terms[q].begin(), terms[q].end(), found[q]), 0);
            // Two candidates that float32 cannot tell apart may change places.
            EXPECT_NEAR(reference::nearness_to_analogy(points, terms[q], found[q]),
                        reference::nearness_to_analogy(points, terms[q], *best), 2e-6);
        }
    }
}

TEST(AnalogyAnswersOf, LengthsDoNotMatter) {
    const Points points = reference::random_points(150, 9, 3);
    Points stretched = points;
    for (Index i = 0; i < 150; ++i) {
        for (float& value : stretched[i]) {
            value = std::ldexp(value, static_cast<int>(i % 100) - 50);
        }
    }
    const Terms questions = some_questions(300, 150, 4);
    const Rows all = reference::every_point(150);
    EXPECT_EQ(answers(points, questions, all), answers(stretched, questions, all));
}

TEST(AnalogyAnswersOf, OfEqualPointsTheFirstIsTheAnswer) {
    const Points equal = reference::equal_points(100, 5);
    EXPECT_EQ(answers(equal, {{0, 1, 2}, {1, 50, 99}, {0, 0, 0}, {97, 98, 99}}, reference::every_point(100)),
              (Rows{3, 0, 1, 0}));
    // Twins that stand in different panels.
    const Points twins = reference::random_points(60, 40, 5);
    Points both(120, 40);
    for (Index i = 0; i < 120; ++i) {
        std::copy(twins[i % 60].begin(), twins[i % 60].end(), both[i].begin());
    }
    EXPECT_EQ(answers(both, {{0, 0, 7}, {0, 0, 67}}, reference::every_point(120)), (Rows{67, 7}));
    EXPECT_EQ(answers(both, {{0, 0, 7}}, {0, 20, 30, 80, 90}), answers(both, {{0, 0, 7}}, {0, 20, 30}));
}

TEST(AnalogyAnswersOf, OnlyCandidatesAreAnswers) {
    const Points points = reference::random_points(130, 6, 7);
    const Rows few{3, 50, 51, 129};
    for (const Index answer : answers(points, some_questions(200, 130, 8), few)) {
        EXPECT_EQ(std::count(few.begin(), few.end(), answer), 1);
    }
    EXPECT_EQ(answers(points, {{3, 50, 129}, {3, 51, 129}}, few), (Rows{51, 50}));
    EXPECT_EQ(answers(points, {{3, 50, 129}}, {3, 50, 129}), Rows{no_answer});
    EXPECT_EQ(answers(points, {{3, 50, 129}}, {}), Rows{no_answer});
    EXPECT_EQ(answers(points, {}, few), Rows{});
}

TEST(AnalogyAnswersOf, ASumThatCancelsHasNone) {
    Points points(6, 2);
    for (Index i = 0; i < 5; ++i) {  // 0, 1, 2: a third of a turn apart; 3 and 4: opposite; 5: zero
        const double turn = i < 3 ? i / 3.0 : (i - 3) / 2.0;
        points[i][0] = static_cast<float>(7.0 * std::cos(2.0 * std::numbers::pi * turn));
        points[i][1] = static_cast<float>(7.0 * std::sin(2.0 * std::numbers::pi * turn));
    }
    points[4][0] = -0.3F;
    points[4][1] = 0.0F;
    points[3][1] = 0.0F;
    const Rows all{0, 1, 2, 3, 4};
    EXPECT_EQ(answers(points, {{5, 3, 4}, {3, 5, 3}, {5, 5, 5}}, all), (Rows{no_answer, no_answer, no_answer}));
    EXPECT_EQ(answers(points, {{5, 5, 1}}, {0, 2, 4}), Rows{4});
    // The directions of 1 and 2 add up to the one that 0 now has, but for the rounding of float32.
    Points opposite = points;
    opposite[0][0] = -7.0F;
    EXPECT_EQ(answers(opposite, {{0, 1, 2}}, {3, 4}), Rows{no_answer});
}

}  // namespace

}  // namespace isogon::analogy_answers_test
