#pragma once
// Scores as text and JSON, and the questions of analogies that can be part of one.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/quality/score.hpp"
#include "program/json.hpp"
#include "program/session.hpp"
#include "quality/analogies.hpp"

namespace isogon::cli {

/// One line of the table of measures; `meaning` may be empty.
[[nodiscard]] inline std::string measure_line(const std::string& what, const std::string& value,
                                              const std::string& meaning) {
    return fmt::format("{:<24} {:>10}  {}\n", what, value, meaning);
}

[[nodiscard]] inline std::string measure_line(const std::string& what, double value, const std::string& meaning) {
    return measure_line(what, fmt::format("{:.4f}", value), meaning);
}

/// The measures that all kinds of scores have, by their keys in JSON.
template <class AnyScore>
[[nodiscard]] Json faithfulness_json(const AnyScore& score) {
    return {{"mean_angular_deviation_degrees", score.mean_angular_deviation_degrees},
            {"jaccard", score.jaccard},
            {"norm_deviation_mean", score.norm_deviation_mean},
            {"norm_deviation_max", score.norm_deviation_max},
            {fmt::format("recall_at_{}", score.neighbors), score.recall}};
}

/// The first two measures without each point's pair with itself: a line, where they count it.
[[nodiscard]] inline std::string without_self_line(const Score& score) {
    return measure_line(
        "  of different points", fmt::format("{:.2f}", score.deviation_without_self_degrees),
        fmt::format("degrees, and jaccard {:.4f}: without each point's pair with itself", score.jaccard_without_self));
}
[[nodiscard]] inline std::string without_self_line(const CrossScore& /*score*/) {
    return {};
}

/// The same as text, one line for each; `nearest`: the neighbours of recall.
template <class AnyScore>
[[nodiscard]] std::string faithfulness_text(const AnyScore& score, const std::string& nearest) {
    return measure_line("mean angular deviation", fmt::format("{:.2f}", score.mean_angular_deviation_degrees),
                        "degrees, over pairs above the threshold; 0 is perfect") +
           without_self_line(score) +
           measure_line("jaccard", score.jaccard,
                        "pairs above the threshold in both, of those in either; 1 is perfect") +
           measure_line("norm deviation, mean", score.norm_deviation_mean, "of lengths, relative; 0 is perfect") +
           measure_line("norm deviation, max", score.norm_deviation_max, "") +
           measure_line(fmt::format("recall at {}", score.neighbors), score.recall,
                        fmt::format("of the {}; 1 is perfect", nearest));
}

/// [{"point": 17, "kept": 0.2}, ...]: the points whose neighbours are kept worst.
[[nodiscard]] Json worst_points_json(const KeptNeighbors& kept);
/// "fewest kept: point 17 (20%), point 3 (40%)", a line; empty where all are kept.
[[nodiscard]] std::string worst_points_text(const KeptNeighbors& kept);

/// The measures of a score by name, with sample sizes.
[[nodiscard]] Json to_json(const Score& score);
[[nodiscard]] std::string described(const Score& score);

/// "nearest by cosine", "nearest by cosine in X, by distance in Y": the neighbours of recall.
[[nodiscard]] std::string nearest_text(const SideMetrics& metrics);
/// {"input": "cosine", "output": "euclidean"}
[[nodiscard]] Json to_json(const SideMetrics& metrics);

/// Analogy scores of the inputs and of the coordinates.
struct AnalogyComparison {
    std::string file;
    AnalogyScore x;
    AnalogyScore y;
};

/// The input that is read before a long score starts: the questions, and the word of each row.
struct AnalogyTask {
    std::string file;
    AnalogyQuestions questions;
    std::vector<std::string> words;  ///< words of x if it has any, else of y
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
