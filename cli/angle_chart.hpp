#pragma once
#include <string>

#include "isogon/pairs/threshold.hpp"

namespace isogon::cli {

/// Two histograms side by side, one line for each five degrees: angles to the nearest neighbour, and all angles. Each
/// is drawn to its own largest bar; the line that holds the threshold is marked.
[[nodiscard]] std::string angle_chart(const AngleHistograms& angles);

}  // namespace isogon::cli
