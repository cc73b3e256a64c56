#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analogy_questions.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Counts of answered questions.
struct AnalogyTally {
    std::uint64_t questions = 0;
    std::uint64_t covered = 0;  ///< questions of which all four words have a vector
    std::uint64_t correct = 0;  ///< covered questions with the right answer

    /// Share of the covered questions with the right answer; none where no question is covered.
    [[nodiscard]] std::optional<double> accuracy() const {
        return covered == 0 ? std::nullopt : std::optional(static_cast<double>(correct) / static_cast<double>(covered));
    }
};

struct AnalogyCategory {
    std::string name{};
    bool syntactic = false;  ///< by its name, see is_syntactic(); all others are semantic
    AnalogyTally tally{};
};

/// Every question counts the same, whatever the size of its category (micro averages).
struct AnalogyScore {
    std::vector<AnalogyCategory> categories{};  ///< in the order of the categories of the questions
    AnalogyTally semantic{};
    AnalogyTally syntactic{};
    AnalogyTally all{};
    Summary summary{};
};

/// How many analogies the directions of points complete (Mikolov, Chen, Corrado and Dean 2013).
/// Point i is the vector of words[i]. The answer to "a is to b as c is to ?" is the point nearest by cosine
/// to b/|b| - a/|a| + c/|c| other than a, b and c; it is right if it is d. Vectors are normalised first, as in
/// word2vec's own program: without that the greater lengths of frequent words count, and accuracies are about one
/// percentage point lower.
///
/// A word of a question is searched unchanged; if it is not found, with A-Z in lower case, so that questions with
/// capitals can be used with words in lower case. Of a word that occurs twice the first point is used, and later ones
/// are ignored. Zero vectors add nothing to a sum and are never an answer. Of equally near points the lower one is the
/// answer. A sum of vectors that cancels to less than 1e-6 has no direction, and its question is covered but not right.
///
/// Sums are float64, cosines float32; the numbers do not depend on the count of threads. Any number of points and
/// questions is valid, including none. After an interruption summary.termination gives the reason, and there are no
/// categories and no counts; otherwise the summary warns if there are questions and none is covered.
///
/// Throws InvalidArgument if there are not as many words as points, or a question has a category that does not exist;
/// InputError for values that are not finite; LimitExceeded. Time O(q n D) for q covered questions (4,686 questions,
/// 8,000 points of 300 numbers: a quarter of a second on two cores); memory O((n + q) D), nothing q x n.
[[nodiscard]] AnalogyScore score_analogies(const PointsView& points, std::span<const std::string> words,
                                           const AnalogyQuestions& questions, const RunContext& context = {});

}  // namespace isogon
