#include "quality/analogies.hpp"

#include <algorithm>
#include <array>

#include "isogon/core/error.hpp"
#include "quality/analogy_answers.hpp"

namespace isogon {

namespace {

void require_words(const PointsView& points, std::span<const std::string> words) {
    if (words.size() != points.count) {
        throw InvalidArgument("words", std::to_string(words.size()) + " words",
                              "must hold one word for each of the " + std::to_string(points.count) + " points");
    }
}

void require_categories(const AnalogyQuestions& questions) {
    for (std::size_t q = 0; q < questions.questions.size(); ++q) {
        const Index category = questions.questions[q].category;
        if (category >= questions.categories.size()) {
            throw InvalidArgument(
                "questions[" + std::to_string(q) + "].category", std::to_string(category),
                "must be below " + std::to_string(questions.categories.size()) + ", the number of categories");
        }
    }
}

/// The covered questions, as rows.
struct CoveredQuestions {
    std::vector<AnalogyTerms> terms;
    std::vector<Index> solutions;
    std::vector<Index> categories;

    /// Bytes of a list for `count` of them.
    static std::uint64_t bytes(std::size_t count) { return count * (sizeof(AnalogyTerms) + 2 * sizeof(Index)); }
};

CoveredQuestions cover(const std::vector<AnalogyQuestion>& questions, const WordRows& words) {
    CoveredQuestions covered;
    for (const auto& question : questions) {
        std::array<std::optional<Index>, 4> rows;
        std::transform(question.words.begin(), question.words.end(), rows.begin(),
                       [&](const std::string& word) { return words.find(word); });
        if (std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.has_value(); })) {
            covered.terms.push_back({*rows[0], *rows[1], *rows[2]});
            covered.solutions.push_back(*rows[3]);
            covered.categories.push_back(question.category);
        }
    }
    return covered;
}

void add(AnalogyTally& sum, const AnalogyTally& part) {
    sum.questions += part.questions;
    sum.covered += part.covered;
    sum.correct += part.correct;
}

/// Finds the questions' rows and answers them. States the memory of each step before it.
std::vector<Index> answers_of(const PointsView& points, std::span<const std::string> words,
                              const std::vector<AnalogyQuestion>& questions, const RunContext& context,
                              CoveredQuestions& covered) {
    constexpr const char* remedy = "take fewer points or questions, or fewer threads";
    // Lists that grow by doubling need up to half as much again while they are copied.
    std::vector<MemoryItem> items{{"the rows of the words", WordRows::bytes(words.size())},
                                  {"the questions as rows", 3 * CoveredQuestions::bytes(questions.size())}};
    require_memory(context, items, remedy);
    const WordRows rows(words);
    covered = cover(questions, rows);
    items.push_back({"lengths and candidates", points.count * (sizeof(double) + sizeof(Index))});
    items.push_back({"directions, targets and products",
                     analogy_answer_bytes(points.count, static_cast<Index>(covered.terms.size()), points.dimension,
                                          context.thread_count())});
    require_memory(context, items, remedy);
    const auto lengths = norms(points);
    std::vector<Index> candidates = rows.first_rows();
    std::erase_if(candidates, [&](Index row) { return lengths[row] == 0.0; });
    return answer_analogies(points, lengths, candidates, covered.terms, context);
}

void count(const AnalogyQuestions& questions, const CoveredQuestions& covered, std::span<const Index> answers,
           AnalogyScore& result) {
    for (const auto& name : questions.categories) {
        result.categories.push_back({name, is_syntactic(name), {}});
    }
    for (const auto& question : questions.questions) {
        ++result.categories[question.category].tally.questions;
    }
    for (std::size_t q = 0; q < answers.size(); ++q) {
        AnalogyTally& tally = result.categories[covered.categories[q]].tally;
        ++tally.covered;
        tally.correct += answers[q] == covered.solutions[q] ? 1U : 0U;
    }
    for (const auto& category : result.categories) {
        add(category.syntactic ? result.syntactic : result.semantic, category.tally);
        add(result.all, category.tally);
    }
}

void summarise(AnalogyScore& result) {
    const AnalogyTally& all = result.all;
    result.summary.count("questions", static_cast<double>(all.questions));
    result.summary.count("covered", static_cast<double>(all.covered));
    result.summary.count("correct", static_cast<double>(all.correct));
    result.summary.message = "answered " + std::to_string(all.correct) + " of " + std::to_string(all.covered) +
                             " covered questions rightly, of " + std::to_string(all.questions) + " in all";
    if (all.questions > 0 && all.covered == 0) {
        result.summary.warn("none of the " + std::to_string(all.questions) +
                            " questions has a vector for each of its four words: are questions and words of one "
                            "language, and do the words belong to these points?");
    }
}

}  // namespace

AnalogyScore score_analogies(const PointsView& points, std::span<const std::string> words,
                             const AnalogyQuestions& questions, const RunContext& context) {
    require_words(points, words);
    require_categories(questions);
    require_finite(points, "points");
    AnalogyScore result;
    result.summary.threads = context.thread_count();
    try {
        const PhaseTimer timer(result.summary, "analogies");
        CoveredQuestions covered;
        const auto answers = answers_of(points, words, questions.questions, context, covered);
        count(questions, covered, answers, result);
        summarise(result);
    } catch (const Interruption& interruption) {
        result.summary.termination = interruption.reason;
        result.summary.message = "ended early (" + std::string(name(interruption.reason)) + "): nothing was counted";
    }
    return result;
}

}  // namespace isogon
