#pragma once
#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/report/classes.hpp"

namespace isogon {

/// Whose numbers a curve shows, which decides how it is drawn.
enum class SeriesRole { Ours, Published, Baseline, Other };

/// "ours", "published", "baseline", "other"
[[nodiscard]] constexpr const char* name(SeriesRole role) {
    switch (role) {
        case SeriesRole::Ours: return "ours";
        case SeriesRole::Published: return "published";
        case SeriesRole::Baseline: return "baseline";
        default: return "other";
    }
}

enum class AxisScale { Linear, Log };

/// "linear", "log"
[[nodiscard]] constexpr const char* name(AxisScale scale) {
    return scale == AxisScale::Log ? "log" : "linear";
}

struct ChartAxis {
    std::string label{};
    AxisScale scale = AxisScale::Linear;
};

/// A curve through its points, in their order. A point that the axes cannot show (not finite; not above zero on a
/// logarithmic one) is left out.
struct ChartSeries {
    std::string name{};
    SeriesRole role = SeriesRole::Ours;
    std::vector<std::array<double, 2>> points{};
};

struct Chart {
    std::string title{};
    ChartAxis x{};
    ChartAxis y{};
    std::vector<ChartSeries> series{};
    std::string note{};  ///< empty: none
};

/// Nothing, a number or a text.
using ChartCell = std::variant<std::monostate, double, std::string>;

/// A number that may be missing.
[[nodiscard]] inline ChartCell cell_of(const std::optional<double>& number) {
    ChartCell cell;
    if (number) {
        cell = *number;
    }
    return cell;
}

struct ChartTable {
    std::string title{};
    std::vector<std::string> columns{};
    std::vector<std::vector<ChartCell>> rows{};  ///< each with a cell for every column
    std::string note{};                          ///< empty: none
};

/// Points in the plane, with the classes that colour them.
struct ChartMap {
    std::string title{};
    Points coordinates{};  ///< two numbers each
    Classes labels{};      ///< empty, or one a point
};

}  // namespace isogon
