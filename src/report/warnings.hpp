#pragma once
#include <string>
#include <vector>

#include "report/measures.hpp"

namespace isogon {

/// What a reader must know before believing the picture, in plain words, the gravest first: what the run says of
/// itself, points without a place, angles, neighbours and lengths that are off, thresholds that count too much or too
/// little.
[[nodiscard]] std::vector<std::string> report_warnings(const ReportSubject& subject, const Measures& measures);

}  // namespace isogon
