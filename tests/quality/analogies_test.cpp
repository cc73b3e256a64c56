#include "quality/analogies.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "isogon/core/error.hpp"
#include "reference/analogies.hpp"
#include "reference/point_sets.hpp"

namespace isogon::analogies_test {
namespace {

using reference::on_threads;

using Words = std::vector<std::string>;

std::string word(Index number) {
    std::string text("w");
    text += std::to_string(number);
    return text;
}

Words numbered(Index count) {
    Words words;
    for (Index i = 0; i < count; ++i) {
        words.push_back(word(i));
    }
    return words;
}

/// Questions about w0, w1, ... of which about every fifth holds a word that there is not.
AnalogyQuestions some_questions(Index count, Index words, std::uint64_t seed) {
    AnalogyQuestions made{{"family", "gram1", "nobody asks", "cities"}, {}};
    for (Index q = 0; q < count; ++q) {
        Random random(seed, RandomStream::Test, q);
        AnalogyQuestion question;
        for (auto& text : question.words) {
            text = word(random.below(words + words / 16 + 1));
        }
        const std::uint32_t category = random.below(3);
        question.category = category == 2 ? 3 : category;
        made.questions.push_back(question);
    }
    return made;
}

/// Replaces the fourth word of every second question by the answer of the rule, so that much is right.
void solve_half(AnalogyQuestions& questions, const Points& points, const Words& words) {
    const auto row = [&](const std::string& word) {
        return static_cast<Index>(std::find(words.begin(), words.end(), word) - words.begin());
    };
    for (std::size_t q = 0; q < questions.questions.size(); q += 2) {
        auto& [a, b, c, d] = questions.questions[q].words;
        const std::array<Index, 3> terms{row(a), row(b), row(c)};
        if (std::all_of(terms.begin(), terms.end(), [&](Index term) { return term < words.size(); })) {
            d = words[reference::analogy(points, terms, reference::every_point(points.count())).value()];
        }
    }
}

auto numbers(const AnalogyTally& tally) {
    return std::tuple(tally.questions, tally.covered, tally.correct);
}

using Numbers = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

/// The tally of the questions that `counts` picks, by the definition.
template <class Predicate>
AnalogyTally reference_tally(const Points& points, const Words& words, const AnalogyQuestions& questions,
                             Predicate counts) {
    AnalogyTally tally;
    for (const auto& question : questions.questions) {
        if (!counts(question.category)) {
            continue;
        }
        ++tally.questions;
        std::vector<Index> rows;
        for (const auto& text : question.words) {
            const auto found = std::find(words.begin(), words.end(), text);
            if (found != words.end()) {
                rows.push_back(static_cast<Index>(found - words.begin()));
            }
        }
        if (rows.size() == 4) {
            ++tally.covered;
            const auto answer =
                reference::analogy(points, {rows[0], rows[1], rows[2]}, reference::every_point(points.count()));
            tally.correct += answer == rows[3] ? 1U : 0U;
        }
    }
    return tally;
}

AnalogyQuestions one_question(const std::array<std::string, 4>& words, const std::string& category = "c") {
    return {{category}, {{words, 0}}};
}

Numbers tally_of(const Points& points, const Words& words, const AnalogyQuestions& questions) {
    return numbers(score_analogies(points.view(), words, questions).all);
}

TEST(Analogies, AgreeWithTheDefinition) {
    for (const Index count : {4U, 47U, 48U, 130U}) {
        const Points points = reference::random_points(count, 30, 1, 0.2);
        const Words words = numbered(count);
        AnalogyQuestions questions = some_questions(300, count, 2);
        solve_half(questions, points, words);
        const AnalogyScore score = score_analogies(points.view(), words, questions);
        ASSERT_EQ(score.categories.size(), 4U);
        for (Index c = 0; c < 4; ++c) {
            EXPECT_EQ(score.categories[c].name, questions.categories[c]);
            EXPECT_EQ(score.categories[c].syntactic, c == 1);
            EXPECT_EQ(numbers(score.categories[c].tally),
                      numbers(reference_tally(points, words, questions, [&](Index other) { return other == c; })));
        }
        EXPECT_EQ(numbers(score.syntactic), numbers(score.categories[1].tally));
        EXPECT_EQ(numbers(score.semantic),
                  numbers(reference_tally(points, words, questions, [](Index c) { return c != 1; })));
        EXPECT_EQ(numbers(score.all), numbers(reference_tally(points, words, questions, [](Index) { return true; })));
        EXPECT_GT(score.all.accuracy().value(), 0.4);
        EXPECT_LT(score.all.covered, score.all.questions);
        EXPECT_EQ(score.summary.termination, Termination::Converged);
    }
}

/// Man and woman, king and queen as the corners of a parallelogram, with some others elsewhere.
struct Royals {
    Words words{"man", "woman", "king", "queen", "tree", "Stone"};
    Points points{6, 4};

    Royals() {
        for (Index i = 0; i < 4; ++i) {
            points[i][i % 2] = 1.0F;
            points[i][2] = i < 2 ? 0.0F : 1.0F;
        }
        points[4][3] = 1.0F;
        points[5][3] = -1.0F;
    }
};

TEST(Analogies, ManIsToWomanAsKingToQueen) {
    const Royals royals;
    const auto ask = [&](const std::array<std::string, 4>& words) {
        return tally_of(royals.points, royals.words, one_question(words));
    };
    EXPECT_EQ(ask({"man", "woman", "king", "queen"}), Numbers(1, 1, 1));
    EXPECT_EQ(ask({"woman", "man", "queen", "king"}), Numbers(1, 1, 1));
    EXPECT_EQ(ask({"man", "woman", "king", "tree"}), Numbers(1, 1, 0));
    EXPECT_EQ(ask({"man", "woman", "king", "prince"}), Numbers(1, 0, 0));
}

TEST(Analogies, AQuestionsOwnWordsAreNeverItsAnswer) {
    const Royals royals;
    for (const auto& words : {std::array<std::string, 4>{"king", "king", "king", "king"},
                              std::array<std::string, 4>{"man", "woman", "king", "woman"},
                              std::array<std::string, 4>{"man", "man", "king", "king"}}) {
        EXPECT_EQ(tally_of(royals.points, royals.words, one_question(words)), Numbers(1, 1, 0));
    }
}

TEST(Analogies, OfEqualWordsTheFirstCountsAndTheOthersDoNotExist) {
    const Royals royals;
    Words words = royals.words;
    Points points(8, 4);
    for (Index i = 0; i < 6; ++i) {
        std::copy(royals.points[i].begin(), royals.points[i].end(), points[i].begin());
    }
    words.emplace_back("tree");  // nearer to woman - man + king than the queen is
    points[6][0] = -0.29F;
    points[6][1] = 1.0F;
    points[6][2] = 0.71F;
    words.emplace_back("king");  // it is as near as the first king, who is left out
    std::copy(points[2].begin(), points[2].end(), points[7].begin());
    const auto ask = [&](const std::string& solution) {
        return tally_of(points, words, one_question({"man", "woman", "king", solution}));
    };
    EXPECT_EQ(ask("queen"), Numbers(1, 1, 1));
    EXPECT_EQ(ask("tree"), Numbers(1, 1, 0));
    words[6] = "empress";
    EXPECT_EQ(ask("queen"), Numbers(1, 1, 0));
    EXPECT_EQ(ask("empress"), Numbers(1, 1, 1));
}

TEST(Analogies, ZeroVectorsNeverWin) {
    // All but the terms are zero or at an obtuse angle to the sum: zero, at right angles, would be the nearest.
    Points points(5, 2);
    points[0][0] = points[1][0] = points[2][0] = 1.0F;
    points[4][0] = -1.0F;
    const Words words = numbered(5);
    EXPECT_EQ(tally_of(points, words, one_question({"w0", "w1", "w2", "w3"})), Numbers(1, 1, 0));
    EXPECT_EQ(tally_of(points, words, one_question({"w0", "w1", "w2", "w4"})), Numbers(1, 1, 1));
    EXPECT_EQ(tally_of(Points(5, 2), words, one_question({"w0", "w1", "w2", "w3"})), Numbers(1, 1, 0));
    EXPECT_EQ(tally_of(Points(5, 0), words, one_question({"w0", "w1", "w2", "w3"})), Numbers(1, 1, 0));
}

TEST(Analogies, FewPointsAndFewQuestionsAreFine) {
    const Points one = reference::random_points(1, 3, 3);
    EXPECT_EQ(tally_of(one, {"w0"}, one_question({"w0", "w0", "w0", "w0"})), Numbers(1, 1, 0));
    EXPECT_EQ(tally_of(Points(), {}, one_question({"w0", "w0", "w0", "w0"})), Numbers(1, 0, 0));
    EXPECT_EQ(tally_of(one, {"w0"}, {}), Numbers(0, 0, 0));
    EXPECT_EQ(tally_of(one, {"w0"}, {{"empty"}, {}}), Numbers(0, 0, 0));
}

TEST(Analogies, WithoutACoveredQuestionThereIsNoAccuracyButAWarning) {
    const Royals royals;
    const AnalogyScore score =
        score_analogies(royals.points.view(), royals.words, one_question({"homme", "femme", "roi", "reine"}));
    EXPECT_FALSE(score.all.accuracy());
    EXPECT_FALSE(score.semantic.accuracy());
    EXPECT_FALSE(score.syntactic.accuracy());
    ASSERT_EQ(score.summary.warnings.size(), 1U);
    EXPECT_NE(score.summary.warnings.front().find("none of the 1 questions"), std::string::npos);
    EXPECT_TRUE(score_analogies(royals.points.view(), royals.words, {}).summary.warnings.empty());
}

TEST(Analogies, LengthsBeyondFloat32sSquaresDoNoHarm) {
    const Royals royals;
    for (const float factor : {1e-38F, 1e-20F, 1e20F, 3e38F}) {
        EXPECT_EQ(tally_of(reference::scaled(royals.points, factor), royals.words,
                           one_question({"man", "woman", "king", "queen"})),
                  Numbers(1, 1, 1));
    }
}

TEST(Analogies, TheSameNumbersForAnyNumberOfThreads) {
    const Points points = reference::awkward_points(400, 7, 4);
    const Words words = numbered(400);
    const AnalogyQuestions questions = some_questions(3000, 400, 5);
    const auto all = [&](int threads) {
        std::vector<Numbers> list;
        for (const auto& category : score_analogies(points.view(), words, questions, on_threads(threads)).categories) {
            list.push_back(numbers(category.tally));
        }
        return list;
    };
    EXPECT_EQ(all(1), all(2));
    EXPECT_EQ(all(1), all(3));
}

template <class Exception>
std::string refusal(const Points& points, const Words& words, const AnalogyQuestions& questions) {
    try {
        static_cast<void>(score_analogies(points.view(), words, questions));
    } catch (const Exception& error) {
        return error.what();
    }
    return "not refused";
}

TEST(Analogies, MistakesAreNamed) {
    const Royals royals;
    EXPECT_EQ(refusal<InvalidArgument>(royals.points, {"man", "woman"}, {}),
              "words = 2 words: must hold one word for each of the 6 points");
    AnalogyQuestions questions = one_question({"man", "woman", "king", "queen"});
    questions.questions.front().category = 1;
    EXPECT_EQ(refusal<InvalidArgument>(royals.points, royals.words, questions),
              "questions[0].category = 1: must be below 1, the number of categories");
    Points bad = royals.points;
    bad[3][2] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(refusal<InputError>(bad, royals.words, {}).find("points, row 3, column 2"), 0U);
}

TEST(Analogies, ACancelledRunSaysSo) {
    const Royals royals;
    const AnalogyScore score = score_analogies(royals.points.view(), royals.words,
                                               one_question({"man", "woman", "king", "queen"}), reference::cancelled());
    EXPECT_EQ(score.summary.termination, Termination::Cancelled);
    EXPECT_TRUE(score.categories.empty());
    EXPECT_FALSE(score.all.accuracy());
}

TEST(Analogies, StateTheirMemoryBeforeTheyTakeIt) {
    const Points points = reference::random_points(1000, 50, 6);
    const Words words = numbered(1000);
    const AnalogyQuestions questions = some_questions(500, 1000, 7);
    RunContext context = on_threads(1);
    for (const std::uint64_t limit : {10U, 1000U * 50U * 4U}) {
        context.memory_limit = limit;
        EXPECT_THROW(static_cast<void>(score_analogies(points.view(), words, questions, context)), LimitExceeded);
    }
    context.memory_limit = 10'000'000;
    EXPECT_EQ(score_analogies(points.view(), words, questions, context).all.questions, 500U);
}

}  // namespace
}  // namespace isogon::analogies_test
