#pragma once
#include <map>
#include <string>
#include <vector>

#include "isogon/report/chart.hpp"

namespace isogon::cli {

/// A curve of ours or of a publication, by its x.
struct Curve {
    std::string name;
    SeriesRole role = SeriesRole::Ours;
    std::map<double, double> values{};
};

/// Titles of a chart and of the table that belongs to it.
struct CurveLabels {
    std::string title{};
    ChartAxis x{};
    ChartAxis y{};
    std::string note{};
};

[[nodiscard]] Chart chart_of(const CurveLabels& labels, const std::vector<Curve>& curves);

/// A row for each x that any curve has, a column for each curve, empty where it has no value.
[[nodiscard]] ChartTable table_of(const CurveLabels& labels, const std::vector<Curve>& curves);

/// Both, into the document's lists.
void add_curves(std::vector<Chart>& charts, std::vector<ChartTable>& tables, const CurveLabels& labels,
                const std::vector<Curve>& curves);

}  // namespace isogon::cli
