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

/// What a reader must know before believing the picture, in plain words, the gravest first: what the run says of
/// itself, points without a place, angles, neighbours and lengths that are off, thresholds that count too much or too
/// little.
[[nodiscard]] std::vector<std::string> report_warnings(const ReportSubject& subject, const Measures& measures);

}  // namespace isogon
