#include "report/chart_document.hpp"

#include <cmath>

#include "isogon/core/error.hpp"
#include "report/json_writer.hpp"
#include "report/packed_array.hpp"

namespace isogon {

namespace {

void write_text_or_null(JsonWriter& json, std::string_view name, const std::string& text) {
    json.key(name);
    text.empty() ? json.null() : json.text(text);
}

void write_cell(JsonWriter& json, const ChartCell& cell) {
    if (const auto* number = std::get_if<double>(&cell)) {
        json.number(*number);
    } else if (const auto* text = std::get_if<std::string>(&cell)) {
        json.text(*text);
    } else {
        json.null();
    }
}

void write_cells(JsonWriter& json, const std::vector<ChartCell>& cells) {
    json.begin_array();
    for (const auto& cell : cells) {
        write_cell(json, cell);
    }
    json.end_array();
}

void write_table(JsonWriter& json, const ChartTable& table) {
    json.begin_object().text("title", table.title).list("columns", table.columns).key("rows").begin_array();
    for (const auto& row : table.rows) {
        write_cells(json, row);
    }
    json.end_array();
    if (!table.best.empty()) {
        json.key("best").begin_array();
        for (const Best best : table.best) {
            best == Best::None ? json.null() : json.text(best == Best::Lowest ? "low" : "high");
        }
        json.end_array();
    }
    if (!table.chance.empty()) {
        json.key("chance");
        write_cells(json, table.chance);
    }
    write_text_or_null(json, "note", table.note);
    json.end_object();
}

void write_axis(JsonWriter& json, std::string_view which, const ChartAxis& axis) {
    json.key(which).begin_object().text("label", axis.label).text("scale", name(axis.scale));
    if (axis.range) {
        json.list("range", *axis.range);
    }
    json.end_object();
}

void write_series(JsonWriter& json, const ChartSeries& series) {
    json.begin_object().text("name", series.name).text("role", name(series.role)).key("points").begin_array();
    for (const auto& [x, y] : series.points) {
        if (std::isfinite(x) && std::isfinite(y)) {
            json.begin_array().number(x).number(y).end_array();
        }
    }
    json.end_array().end_object();
}

void write_chart(JsonWriter& json, const Chart& chart) {
    json.begin_object().text("title", chart.title);
    write_axis(json, "x", chart.x);
    write_axis(json, "y", chart.y);
    json.key("series").begin_array();
    for (const auto& series : chart.series) {
        write_series(json, series);
    }
    json.end_array();
    write_text_or_null(json, "note", chart.note);
    json.end_object();
}

void write_map(JsonWriter& json, const ChartMap& map) {
    if (map.coordinates.dimension() != 2) {
        throw InvalidArgument("map", std::to_string(map.coordinates.dimension()) + " numbers a point", "must be two");
    }
    json.begin_object().text("title", map.title).key("coordinates");
    write_coordinates(json, map.coordinates.view());
    write_classes(json, map.labels);
    json.end_object();
}

template <class Item>
void write_list(JsonWriter& json, std::string_view name, const std::vector<Item>& items,
                void (*write)(JsonWriter&, const Item&)) {
    json.key(name).begin_array();
    for (const auto& item : items) {
        write(json, item);
    }
    json.end_array();
}

}  // namespace

std::string chart_document(const ChartDocument& document) {
    JsonWriter json;
    json.begin_object().text("format", "isogon-report").whole("version", 1).text("kind", "charts");
    json.text("title", document.title);
    write_origin(json, document.made);
    json.list("warnings", document.warnings).list("notes", document.notes);
    write_list(json, "tables", document.tables, write_table);
    write_list(json, "charts", document.charts, write_chart);
    if (document.maps.empty()) {
        json.key("maps").null();
    } else {
        write_list(json, "maps", document.maps, write_map);
    }
    json.end_object();
    return json.take();
}

}  // namespace isogon
