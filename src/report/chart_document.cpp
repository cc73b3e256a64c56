#include "isogon/report/chart_document.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace isogon {

namespace {

using Json = nlohmann::ordered_json;  // keys stay in the order in which they are put in

Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json number_or_null(const std::optional<double>& number) {
    return number && std::isfinite(*number) ? Json(*number) : Json(nullptr);
}

Json to_json(const ChartOrigin& made) {
    return {{"program", text_or_null(made.program)},
            {"date", text_or_null(made.date)},
            {"command", text_or_null(made.command)},
            {"machine", text_or_null(made.machine)},
            {"memory_bytes", number_or_null(made.memory_bytes)},
            {"seconds", number_or_null(made.seconds)}};
}

Json to_json(const ChartCell& cell) {
    if (const auto* number = std::get_if<double>(&cell)) {
        return number_or_null(*number);
    }
    const auto* text = std::get_if<std::string>(&cell);
    return text != nullptr ? Json(*text) : Json(nullptr);
}

Json to_json(const ChartTable& table) {
    Json rows = Json::array();
    for (const auto& row : table.rows) {
        Json cells = Json::array();
        for (const auto& cell : row) {
            cells.push_back(to_json(cell));
        }
        rows.push_back(std::move(cells));
    }
    return {{"title", table.title},
            {"columns", table.columns},
            {"rows", std::move(rows)},
            {"note", text_or_null(table.note)}};
}

Json to_json(const ChartAxis& axis) {
    return {{"label", axis.label}, {"scale", name(axis.scale)}};
}

Json to_json(const ChartSeries& series) {
    Json points = Json::array();
    for (const auto& [x, y] : series.points) {
        if (std::isfinite(x) && std::isfinite(y)) {
            points.push_back(Json::array({x, y}));
        }
    }
    return {{"name", series.name}, {"role", name(series.role)}, {"points", std::move(points)}};
}

Json to_json(const Chart& chart) {
    Json series = Json::array();
    for (const auto& one : chart.series) {
        series.push_back(to_json(one));
    }
    return {{"title", chart.title},
            {"x", to_json(chart.x)},
            {"y", to_json(chart.y)},
            {"series", std::move(series)},
            {"note", text_or_null(chart.note)}};
}

template <class Item>
Json list_of(const std::vector<Item>& items) {
    Json list = Json::array();
    for (const auto& item : items) {
        list.push_back(to_json(item));
    }
    return list;
}

/// Such characters stand in texts only, where the escape says the same.
std::string safe_in_a_page(std::string_view json) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> escapes{
        {{"<", "\\u003c"}, {"\xe2\x80\xa8", "\\u2028"}, {"\xe2\x80\xa9", "\\u2029"}}};
    std::string safe;
    while (!json.empty()) {
        bool found = false;
        for (const auto& [character, escape] : escapes) {
            if (json.starts_with(character)) {
                safe += escape;
                json.remove_prefix(character.size());
                found = true;
                break;
            }
        }
        if (!found) {
            safe += json.front();
            json.remove_prefix(1);
        }
    }
    return safe;
}

std::string csv_text(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + '"';
}

std::string csv_cell(const ChartCell& cell) {
    if (const auto* number = std::get_if<double>(&cell)) {
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), *number).ptr;
        return std::isfinite(*number) ? std::string(digits.data(), end) : "";
    }
    const auto* text = std::get_if<std::string>(&cell);
    return text != nullptr ? csv_text(*text) : "";
}

}  // namespace

std::string chart_document(const ChartDocument& document) {
    const Json json{{"format", "isogon-report"},
                    {"version", 1},
                    {"kind", "charts"},
                    {"title", document.title},
                    {"made", to_json(document.made)},
                    {"warnings", document.warnings},
                    {"notes", document.notes},
                    {"tables", list_of(document.tables)},
                    {"charts", list_of(document.charts)},
                    {"maps", nullptr}};
    constexpr int one_line = -1;
    return safe_in_a_page(json.dump(one_line, ' ', false, Json::error_handler_t::replace));
}

std::string table_csv(const ChartTable& table) {
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        text.append(i == 0 ? "" : ",").append(csv_text(table.columns[i]));
    }
    text += '\n';
    for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text.append(i == 0 ? "" : ",").append(csv_cell(row[i]));
        }
        text += '\n';
    }
    return text;
}

}  // namespace isogon
