#pragma once
#include <fmt/format.h>

#include <string>

#include "isogon/quality/score.hpp"
#include "program/json.hpp"

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

/// The same as text, one line for each; `nearest`: the neighbours of recall.
template <class AnyScore>
[[nodiscard]] std::string faithfulness_text(const AnyScore& score, const std::string& nearest = "nearest by cosine") {
    return measure_line("mean angular deviation", fmt::format("{:.2f}", score.mean_angular_deviation_degrees),
                        "degrees, over pairs above the threshold; 0 is perfect") +
           measure_line("jaccard", score.jaccard,
                        "pairs above the threshold in both, of those in either; 1 is perfect") +
           measure_line("norm deviation, mean", score.norm_deviation_mean, "of lengths, relative; 0 is perfect") +
           measure_line("norm deviation, max", score.norm_deviation_max, "") +
           measure_line(fmt::format("recall at {}", score.neighbors), score.recall,
                        fmt::format("of the {}; 1 is perfect", nearest));
}

/// The measures of a score by name, with sample sizes.
[[nodiscard]] Json to_json(const Score& score);
[[nodiscard]] std::string described(const Score& score);

/// "nearest by cosine": the neighbours of recall.
[[nodiscard]] std::string nearest_text(Search search);

}  // namespace isogon::cli
