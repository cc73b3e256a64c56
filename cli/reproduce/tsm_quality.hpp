#pragma once
#include <vector>

#include "../comparison.hpp"
#include "curves.hpp"
#include "figure_context.hpp"

namespace isogon::cli {

/// Methods on a fold of 14,000 digits, each dimension fitted and scored at the paper's tau: what figures 3, 4 and 9 are
/// drawn from. Quick: 2,800 digits.
[[nodiscard]] Comparison digit_runs(FigureContext& shop, const std::vector<std::int64_t>& dimensions);

/// The same of the 8,000 words that are at hand, tau chosen so that 99% of pairs lie below it.
[[nodiscard]] Comparison word_runs(FigureContext& shop, const std::vector<std::int64_t>& dimensions);

/// A method's values of one measure, by dimension; "jaccard", "mean_angular_deviation_degrees".
[[nodiscard]] Curve curve_of(const Comparison& runs, const std::string& method, const std::string& title,
                             const std::string& measure);

/// "14,000 MNIST digits (fold 0), tau = 0.75", and in a quick run that these are fewer.
[[nodiscard]] std::string digits_note(const FigureContext& shop);

/// Dimensions of the paper's plots, fewer in a quick run.
[[nodiscard]] std::vector<std::int64_t> plotted_dimensions(const FigureContext& shop);

/// Digits of the fold: every so manieth of the 70,000.
[[nodiscard]] std::int64_t fold_step(const FigureContext& shop);

}  // namespace isogon::cli
