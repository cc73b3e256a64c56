#pragma once
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/quality/analogies.hpp"
#include "program/json.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Analogy scores of the inputs and of the coordinates.
struct AnalogyComparison {
    std::string file;
    AnalogyScore x;
    AnalogyScore y;
};

/// What is read before a long score starts: the questions, and the word of each row.
struct AnalogyTask {
    std::string file;
    AnalogyQuestions questions;
    std::vector<std::string> words;  ///< those of x if it has any, else those of y
    std::vector<std::string> warnings;
};

/// Reads the questions and finds the words of the rows. Warns if x and y both have words that differ. Throws UsageError
/// if neither has words, InputError for a bad file.
[[nodiscard]] AnalogyTask prepare_analogies(const std::string& file, const Input& x, const Input& y);

/// Scores both. Adds the phase "analogies" and all warnings to `summary`. Throws Interruption, and what the library
/// throws.
[[nodiscard]] AnalogyComparison compare_analogies(const AnalogyTask& task, const Input& x, const Input& y,
                                                  Session& session, Summary& summary);

/// {"file": F, "x": S, "y": S}, where S is {"semantic_accuracy", "syntactic_accuracy", "accuracy", "questions",
/// "covered", "correct", "categories": [{"name", "kind", "questions", "covered", "correct", "accuracy"}, ...]}.
/// kind is "semantic" or "syntactic"; an accuracy is null where no question is covered.
[[nodiscard]] Json to_json(const AnalogyComparison& comparison);

/// A table: a line a category, then the three totals.
[[nodiscard]] std::string described(const AnalogyComparison& comparison);

}  // namespace isogon::cli
