#include "isogon/report/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "isogon/core/error.hpp"
#include "report/svg_chart.hpp"

namespace isogon {

namespace {

constexpr double picture_side = 420.0;
constexpr double margin = 16.0;
constexpr double top = 40.0;
constexpr double legend_line_height = 19.0;
constexpr std::size_t most_names = 12;

// Ten colours that are distinguishable as dots (Tableau 10).
constexpr std::array<std::string_view, 10> class_colours{"#4e79a7", "#f28e2b", "#e15759", "#76b7b2", "#59a14f",
                                                         "#edc948", "#b07aa1", "#9c755f", "#7f7f7f", "#ff9da7"};

constexpr std::string_view picture_style = R"(
  svg { color-scheme: light dark; }
  text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
  .heading { font-weight: 600; font-size: 15px; }
  .paper { fill: #ffffff; }
  path { fill: none; stroke-width: 2.4; stroke-linecap: round; }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .paper { fill: #0d1117; } }
)";

void require_map(const ChartMap& map) {
    if (!map.coordinates.empty() && map.coordinates.dimension() != 2) {
        throw InvalidArgument("map", std::to_string(map.coordinates.dimension()) + " numbers a point", "must be two");
    }
    if (!map.labels.empty() && map.labels.index.size() != map.coordinates.count()) {
        throw InvalidArgument("labels", std::to_string(map.labels.index.size()),
                              "must be as many as points, " + std::to_string(map.coordinates.count()));
    }
    for (const std::uint32_t label : map.labels.index) {
        if (label >= map.labels.names.size()) {
            throw InvalidArgument("label", std::to_string(label),
                                  "must be below " + std::to_string(map.labels.names.size()) + ", the number of names");
        }
    }
    require_finite(map.coordinates.view(), "map");
}

/// The range of an axis: all points but half a percent at either end.
struct Extent {
    double low = 0.0;
    double high = 0.0;
};

Extent extent(const Points& points, Index axis) {
    std::vector<float> values;
    for (Index i = 0; i < points.count(); ++i) {
        values.push_back(points[i][axis]);
    }
    std::sort(values.begin(), values.end());
    const std::size_t out = values.size() / 200;
    return values.empty() ? Extent() : Extent{values[out], values[values.size() - 1 - out]};
}

std::string legend(const ChartMap& map, double& down) {
    std::string text;
    double x = margin;
    for (std::size_t k = 0; k < std::min(most_names, map.labels.names.size()); ++k) {
        const double needed = 22.0 + 7.2 * static_cast<double>(map.labels.names[k].size()) + 10.0;
        if (x > margin && x + needed > picture_side + margin) {
            x = margin;
            down += legend_line_height;
        }
        text += "<circle cx='" + place(x + 5.0) + "' cy='" + place(down - 4.5) + "' r='4.5' fill='" +
                std::string(class_colours.at(k % class_colours.size())) + "'/><text x='" + place(x + 14.0) + "' y='" +
                place(down) + "'>" + svg_escaped(map.labels.names[k]) + "</text>\n";
        x += needed;
    }
    return text;
}

/// One path for each class: dots are lines of no length with round ends.
std::string dots(const ChartMap& map) {
    const Extent across = extent(map.coordinates, 0);
    const Extent up = extent(map.coordinates, 1);
    const double span = std::max({across.high - across.low, up.high - up.low, 1e-30});
    std::vector<std::string> paths(std::max<std::size_t>(map.labels.names.size(), 1));
    for (Index i = 0; i < map.coordinates.count(); ++i) {
        const double x = margin + picture_side / 2.0 +
                         picture_side / span * (map.coordinates[i][0] - (across.low + across.high) / 2.0);
        const double y =
            top + picture_side / 2.0 - picture_side / span * (map.coordinates[i][1] - (up.low + up.high) / 2.0);
        if (x >= margin && x <= margin + picture_side && y >= top && y <= top + picture_side) {
            paths[map.labels.empty() ? 0 : map.labels.index[i]]
                .append("M")
                .append(place(x))
                .append(",")
                .append(place(y))
                .append("h0");
        }
    }
    std::string text;
    for (std::size_t k = 0; k < paths.size(); ++k) {
        text += paths[k].empty() ? ""
                                 : "<path stroke='" + std::string(class_colours.at(k % class_colours.size())) +
                                       "' d='" + paths[k] + "'/>\n";
    }
    return text;
}

}  // namespace

std::string map_picture(const ChartMap& map) {
    require_map(map);
    double down = top + picture_side + 24.0;
    const std::string names = legend(map, down);
    const std::string size = place(picture_side + 2.0 * margin) + " " + place(down + 12.0);
    return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " + size + "' role='img'>\n<title>" +
           svg_escaped(map.title) + "</title>\n<desc>A map of " + std::to_string(map.coordinates.count()) +
           " points, coloured by class.</desc>\n<style>" + std::string(picture_style) +
           "</style>\n<rect class='paper' width='100%' height='100%'/>\n<text class='heading' x='" + place(margin) +
           "' y='24.0'>" + svg_escaped(map.title) + "</text>\n" + dots(map) + names + "</svg>\n";
}

}  // namespace isogon
