#include "isogon/report/chart.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "isogon/core/error.hpp"
#include "report/svg_chart.hpp"

namespace isogon {

namespace {

constexpr double chart_width = 640.0;
constexpr double left = 64.0;
constexpr double right = 24.0;
constexpr double plot_height = 260.0;
constexpr double chart_line_height = 19.0;
constexpr std::size_t series_colours = 8;
constexpr std::size_t most_markers = 60;

// Okabe and Ito 2008, darkened where the contrast to white requires it; --c0 to --c7, and lighter ones for dark pages.
constexpr std::string_view chart_style = R"(
  svg { color-scheme: light dark; --c0: #0072b2; --c1: #c45500; --c2: #00795a; --c3: #a8407f; --c4: #8a6d00; --c5: #2b87b8;
        --c6: #555555; --c7: #7a3e9d; --grey: #6e7781; --ink: #1f2328; --quiet: #59636e; --paper: #ffffff; --grid: #d1d9e0; }
  text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--ink); }
  .heading { font-weight: 600; font-size: 15px; }
  .quiet { fill: var(--quiet); }
  .paper { fill: var(--paper); }
  .grid { stroke: var(--grid); stroke-width: 1; }
  .line { fill: none; stroke-width: 2.2; stroke-linejoin: round; }
  .published { stroke-dasharray: 6 4; }
  .dot.published { fill: var(--paper); stroke-width: 2; stroke-dasharray: none; }
  @media (prefers-color-scheme: dark) {
    svg { --c0: #5cb3f2; --c1: #f0903c; --c2: #35c79a; --c3: #e38fc0; --c4: #e3c84a; --c5: #8fd0f5; --c6: #b5b5b5;
          --c7: #c89bea; --grey: #9198a1; --ink: #e6edf3; --quiet: #9198a1; --paper: #0d1117; --grid: #30363d; }
  }
)";

std::string text_at(double x, double y, std::string_view words, std::string_view kind, std::string_view anchor) {
    return "<text x='" + place(x) + "' y='" + place(y) + "' class='" + std::string(kind) + "' text-anchor='" +
           std::string(anchor) + "'>" + svg_escaped(words) + "</text>\n";
}

std::string rule(double x1, double y1, double x2, double y2) {
    return "<line x1='" + place(x1) + "' y1='" + place(y1) + "' x2='" + place(x2) + "' y2='" + place(y2) +
           "' class='grid'/>\n";
}

/// Published curves have the colour of our curve with the same index, so that corresponding curves look alike.
std::vector<std::string> colours_of(const std::vector<ChartSeries>& series) {
    const auto count = [&](SeriesRole role) {
        return static_cast<std::size_t>(
            std::count_if(series.begin(), series.end(), [&](const ChartSeries& one) { return one.role == role; }));
    };
    std::size_t ours = 0;
    std::size_t published = 0;
    std::size_t others = std::max(count(SeriesRole::Ours), count(SeriesRole::Published));
    std::vector<std::string> list;
    for (const auto& one : series) {
        const auto next = [&](std::size_t& number) {
            return "var(--c" + std::to_string(number++ % series_colours) + ")";
        };
        switch (one.role) {
            case SeriesRole::Ours: list.push_back(next(ours)); break;
            case SeriesRole::Published: list.push_back(next(published)); break;
            case SeriesRole::Baseline: list.emplace_back("var(--grey)"); break;
            case SeriesRole::Other: list.push_back(next(others)); break;
        }
    }
    return list;
}

std::vector<double> coordinates(const Chart& chart, std::size_t axis) {
    std::vector<double> values;
    for (const auto& series : chart.series) {
        for (const auto& point : series.points) {
            values.push_back(point.at(axis));
        }
    }
    return values;
}

/// An estimate of the text's width, which depends on the font.
double text_width(std::string_view words) {
    return 7.2 * static_cast<double>(words.size());
}

std::string marker(SeriesRole role, const std::string& colour, double x, double y) {
    const std::string kind = std::string("class='dot ") + name(role) + "' fill='" + colour + "' stroke='" + colour;
    if (role == SeriesRole::Baseline) {
        return "<rect x='" + place(x - 3.5) + "' y='" + place(y - 3.5) + "' width='7' height='7' " + kind + "'/>\n";
    }
    return "<circle cx='" + place(x) + "' cy='" + place(y) + "' r='3.8' " + kind + "'/>\n";
}

std::string curve(SeriesRole role, const std::string& colour, const std::vector<std::array<double, 2>>& places) {
    std::string drawn = std::string("<polyline class='line ") + name(role) + "' stroke='" + colour + "' points='";
    for (const auto& [x, y] : places) {
        drawn += place(x) + "," + place(y) + " ";
    }
    return drawn + "'/>\n";
}

/// Draws from the top to the bottom.
class Drawing {
public:
    explicit Drawing(const Chart& chart)
        : chart_(chart),
          colours_(colours_of(chart.series)),
          across_(chart.x.scale, coordinates(chart, 0)),
          up_(chart.y.scale, coordinates(chart, 1)) {}

    std::string draw() {
        down_ = 28.0;
        body_ += text_at(16.0, down_, chart_.title, "heading", "start");
        legend();
        down_ += 34.0;
        body_ += text_at(16.0, down_ - 14.0, chart_.y.label, "quiet", "start");
        frame();
        for (std::size_t i = 0; i < chart_.series.size(); ++i) {
            series(chart_.series[i], colours_[i]);
        }
        down_ += plot_height + 44.0;
        body_ += text_at((left + chart_width - right) / 2.0, down_, chart_.x.label, "quiet", "middle");
        note();
        return head() + body_ + "</svg>\n";
    }

private:
    [[nodiscard]] std::string head() const {
        const std::string size = "width='" + place(chart_width) + "' height='" + place(down_ + 18.0) + "'";
        return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " + place(chart_width) + " " +
               place(down_ + 18.0) + "' " + size + " role='img'>\n<title>" + svg_escaped(chart_.title) +
               "</title>\n<desc>" + svg_escaped(chart_in_words(chart_)) + "</desc>\n<style>" +
               std::string(chart_style) + "</style>\n<rect class='paper' " + size + "/>\n";
    }

    void legend() {
        down_ += 26.0;
        double x = 16.0;
        for (std::size_t i = 0; i < chart_.series.size(); ++i) {
            const ChartSeries& series = chart_.series[i];
            const double needed = 40.0 + text_width(series.name) + 14.0;
            if (x > 16.0 && x + needed > chart_width - 8.0) {
                x = 16.0;
                down_ += chart_line_height;
            }
            body_ += curve(series.role, colours_[i], {{x, down_ - 4.0}, {x + 30.0, down_ - 4.0}});
            body_ += marker(series.role, colours_[i], x + 15.0, down_ - 4.0);
            body_ += text_at(x + 38.0, down_, series.name, "", "start");
            x += needed;
        }
    }

    [[nodiscard]] double x_at(double share) const { return left + 8.0 + share * (chart_width - right - left - 16.0); }
    [[nodiscard]] double y_at(double share) const { return down_ + plot_height * (1.0 - share); }

    void frame() {
        for (const double tick : up_.ticks()) {
            const double y = y_at(up_.share(tick).value_or(0.0));
            body_ += rule(left, y, chart_width - right, y);
            body_ += text_at(left - 8.0, y + 4.5, short_number(tick), "quiet", "end");
        }
        for (const double tick : across_.ticks()) {
            const double x = x_at(across_.share(tick).value_or(0.0));
            body_ += rule(x, down_ + plot_height, x, down_ + plot_height + 5.0);
            body_ += text_at(x, down_ + plot_height + 20.0, short_number(tick), "quiet", "middle");
        }
    }

    void series(const ChartSeries& one, const std::string& colour) {
        std::vector<std::array<double, 2>> places;
        for (const auto& [x, y] : one.points) {
            const auto across = across_.share(x);
            const auto up = up_.share(y);
            if (across && up) {
                places.push_back({x_at(*across), y_at(*up)});
            }
        }
        body_ += curve(one.role, colour, places);
        if (places.size() <= most_markers) {
            for (const auto& [x, y] : places) {
                body_ += marker(one.role, colour, x, y);
            }
        }
    }

    /// Breaks text into lines at blanks, which SVG does not do.
    void note() {
        constexpr std::size_t widest = 96;
        std::string_view rest = chart_.note;
        while (!rest.empty()) {
            std::size_t cut = rest.size() <= widest ? rest.size() : rest.rfind(' ', widest);
            cut = cut == std::string_view::npos || cut == 0 ? std::min(widest, rest.size()) : cut;
            down_ += chart_line_height;
            body_ += text_at(16.0, down_, rest.substr(0, cut), "quiet", "start");
            rest.remove_prefix(cut);
            rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        }
    }

    const Chart& chart_;
    std::vector<std::string> colours_;
    ChartScale across_;
    ChartScale up_;
    double down_ = 0.0;
    std::string body_{};
};

}  // namespace

std::string chart_in_words(const Chart& chart) {
    constexpr std::size_t few = 12;
    std::string words = chart.title + ". " + chart.y.label + " over " + chart.x.label + ".";
    for (const auto& series : chart.series) {
        words += " " + series.name + (series.role == SeriesRole::Published ? " (published):" : ":");
        const std::size_t count = series.points.size();
        for (std::size_t i = 0; i < count; ++i) {
            if (count <= few || i == 0 || i + 1 == count) {
                words += (i == 0 ? " " : ", ") + short_number(series.points[i][1]) + " at " +
                         short_number(series.points[i][0]);
            } else if (i == 1) {
                words += ", and so on";
            }
        }
        words += count == 0 ? " nothing." : ".";
    }
    return words;
}

std::string line_chart(const Chart& chart) {
    return Drawing(chart).draw();
}

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
