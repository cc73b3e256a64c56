#include "point_tables.hpp"

#include <utility>

namespace isogon::cli {

ChartTable points_of(const Chart& chart) {
    ChartTable table{chart.title, {"series", chart.x.label, chart.y.label}, {}, ""};
    for (const auto& series : chart.series) {
        for (const auto& [x, y] : series.points) {
            table.rows.push_back({series.name, x, y});
        }
    }
    return table;
}

ChartTable points_of(const ChartMap& map) {
    ChartTable table{map.title, {"first coordinate", "second coordinate"}, {}, ""};
    if (!map.labels.empty()) {
        table.columns.emplace_back("class");
    }
    for (Index i = 0; i < map.coordinates.count(); ++i) {
        std::vector<ChartCell> row{double{map.coordinates[i][0]}, double{map.coordinates[i][1]}};
        if (!map.labels.empty()) {
            row.emplace_back(map.labels.names[map.labels.index[i]]);
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace isogon::cli
