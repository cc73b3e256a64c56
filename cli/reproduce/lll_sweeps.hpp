#pragma once
#include <functional>
#include <vector>

#include "figure_context.hpp"
#include "isogon/methods/sweep.hpp"

namespace isogon::cli {

/// A combination of options, and what it is worth.
struct JudgedFit {
    SweepRow row;
    double error = 0.0;
};

/// Fits every combination of a plan and judges each. Those that are refused are left out; throws UsageError if all
/// are. Throws Interruption when the session ends the sweep: these figures are made of all their points.
[[nodiscard]] std::vector<JudgedFit> judged_sweep(FigureContext& shop, const PointsView& points, const SweepPlan& plan,
                                                  const std::function<double(const SweepFit&)>& judge);

/// The value of an option of a row as a number.
[[nodiscard]] double number_in(const SweepRow& row, const std::string& option);
/// As a text.
[[nodiscard]] std::string text_in(const SweepRow& row, const std::string& option);

}  // namespace isogon::cli
