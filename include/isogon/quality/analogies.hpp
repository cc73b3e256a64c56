#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isogon/core/analogy_questions.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Counts of answered questions.
struct AnalogyTally {
    std::uint64_t questions = 0;
    std::uint64_t covered = 0;  ///< those whose four words all have a vector
    std::uint64_t correct = 0;  ///< those of the covered that were answered rightly

    /// Share of the covered questions that were answered rightly; none where no question is covered.
    [[nodiscard]] std::optional<double> accuracy() const {
        return covered == 0 ? std::nullopt : std::optional(static_cast<double>(correct) / static_cast<double>(covered));
    }
};

struct AnalogyCategory {
    std::string name{};
    bool syntactic = false;  ///< by its name, see is_syntactic(); else semantic
    AnalogyTally tally{};
};

/// Every question counts the same, whatever the size of its category (micro averages).
struct AnalogyScore {
    std::vector<AnalogyCategory> categories{};  ///< in the order of the questions' own
    AnalogyTally semantic{};
    AnalogyTally syntactic{};
    AnalogyTally all{};
    Summary summary{};
};

/// How many analogies the directions of points complete (Mikolov, Chen, Corrado and Dean 2013; mathematics page,
/// section 9). Point i is the vector of words[i]. The answer to "a is to b as c is to ?" is the point nearest by cosine
/// to b/|b| - a/|a| + c/|c| other than a, b and c themselves; it is right if it is d. Vectors are normalised first, as
/// in word2vec's own program: without that the greater lengths of frequent words count, and accuracies are about one
/// percentage point lower.
///
/// A word of a question is looked up as it stands, and where there is no such word, with A-Z made small; so questions
/// with capitals serve sets of words in small letters too. Where words has one twice, its first point counts and the
/// later ones are left out altogether. Zero vectors add nothing to a sum and are never an answer. Of equally near
/// points the lower one is the answer. A sum of vectors that cancels to less than 1e-6 points nowhere, and its question
/// is covered but not right.
///
/// Sums are float64, cosines float32; the numbers do not depend on the count of threads. Any number of points and
/// questions will do, none included. A run that the context ends says so in summary.termination and has no categories
/// and empty tallies; else the summary warns if there are questions and none is covered.
///
/// Throws InvalidArgument if there are not as many words as points, or a question is of a category that there is not;
/// InputError for values that are not finite; LimitExceeded. Time O(q n D) for q covered questions (4,686 questions,
/// 8,000 points of 300 numbers: a quarter of a second on two cores); memory O((n + q) D), nothing q x n.
[[nodiscard]] AnalogyScore score_analogies(const PointsView& points, std::span<const std::string> words,
                                           const AnalogyQuestions& questions, const RunContext& context = {});

}  // namespace isogon
