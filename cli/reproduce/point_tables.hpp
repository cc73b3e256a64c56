#pragma once
#include "isogon/report/chart.hpp"

namespace isogon::cli {

/// The numbers of a picture, for its .csv: a row for each point of a chart, with its series;
[[nodiscard]] ChartTable points_of(const Chart& chart);
/// a row for each point of a map, with its class where it has one.
[[nodiscard]] ChartTable points_of(const ChartMap& map);

}  // namespace isogon::cli
