#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "report/measures.hpp"

namespace isogon {

/// "70,000": digits in groups of three, as people read large numbers.
[[nodiscard]] std::string count_text(std::uint64_t count);

/// "1 point", "70,000 points"
[[nodiscard]] std::string points_count_text(std::uint64_t count);

/// Warnings for the reader of a report, as sentences, the most serious first: the run's own warnings, points without
/// coordinates, errors of angles, neighbours and lengths, thresholds with too many or too few pairs.
[[nodiscard]] std::vector<std::string> report_warnings(const ReportSubject& subject, const Measures& measures);

}  // namespace isogon
