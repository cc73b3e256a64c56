#pragma once
#include <optional>

#include "isogon/report/report.hpp"

namespace isogon {

/// Whether a method is made to keep angles at the origin; else it is distances that it keeps, or tells apart.
[[nodiscard]] bool keeps_angles(const ReportRun& run);

/// Whether neighbours are nearest by distance: as asked, or as suits the method (ListNearness::Auto).
[[nodiscard]] bool goes_by_distance(ListNearness wanted, const std::optional<ReportRun>& run);

}  // namespace isogon
