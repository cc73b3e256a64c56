#include "curves.hpp"

#include <optional>
#include <set>
#include <utility>

namespace isogon::cli {

Chart chart_of(const CurveLabels& labels, const std::vector<Curve>& curves) {
    Chart chart{labels.title, labels.x, labels.y, {}, labels.note};
    for (const auto& curve : curves) {
        ChartSeries series{curve.name, curve.role, {}};
        for (const auto& [x, y] : curve.values) {
            series.points.push_back({x, y});
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

ChartTable table_of(const CurveLabels& labels, const std::vector<Curve>& curves) {
    ChartTable table{labels.title + " (" + labels.y.label + ")", {labels.x.label}, {}, labels.note};
    std::set<double> places;
    for (const auto& curve : curves) {
        table.columns.push_back(curve.name);
        for (const auto& [x, y] : curve.values) {
            places.insert(x);
        }
    }
    for (const double x : places) {
        std::vector<ChartCell> row{x};
        for (const auto& curve : curves) {
            const auto found = curve.values.find(x);
            row.push_back(cell_of(found == curve.values.end() ? std::nullopt : std::optional(found->second)));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

void add_curves(std::vector<Chart>& charts, std::vector<ChartTable>& tables, const CurveLabels& labels,
                const std::vector<Curve>& curves) {
    charts.push_back(chart_of(labels, curves));
    tables.push_back(table_of(labels, curves));
}

}  // namespace isogon::cli
