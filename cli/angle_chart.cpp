#include "angle_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace isogon::cli {

namespace {

constexpr double line_degrees = 5.0;
constexpr std::size_t bar_cells = 24;

/// Adds up the bins that share a line.
std::vector<double> lines(const std::vector<double>& bins, double bin_degrees) {
    const auto per_line = static_cast<std::size_t>(std::max(1.0, std::round(line_degrees / bin_degrees)));
    std::vector<double> sums((bins.size() + per_line - 1) / per_line);
    for (std::size_t i = 0; i < bins.size(); ++i) {
        sums[i / per_line] += bins[i];
    }
    return sums;
}

/// Any share above zero shows at least one cell: an empty bar would say that nothing is there.
std::string bar(double share, double largest) {
    if (share <= 0.0) {
        return "";
    }
    const double cells = std::ceil(share / largest * static_cast<double>(bar_cells));
    return std::string(std::min(bar_cells, static_cast<std::size_t>(cells)), '#');
}

}  // namespace

std::string angle_chart(const AngleHistograms& angles) {
    const auto nearest = lines(angles.nearest, angles.bin_degrees);
    const auto all = lines(angles.all, angles.bin_degrees);
    const double nearest_top = nearest.empty() ? 0.0 : *std::max_element(nearest.begin(), nearest.end());
    const double all_top = all.empty() ? 0.0 : *std::max_element(all.begin(), all.end());
    const auto marked = static_cast<std::size_t>(angles.threshold_degrees / line_degrees);

    std::string text =
        fmt::format("  degrees  {:<{}}{}\n", "to the nearest neighbour", bar_cells + 10, "between all pairs");
    std::size_t first = 0;
    std::size_t last = std::max(nearest.size(), all.size());
    const auto share = [](const std::vector<double>& list, std::size_t i) { return i < list.size() ? list[i] : 0.0; };
    const auto empty = [&](std::size_t i) { return share(nearest, i) <= 0.0 && share(all, i) <= 0.0; };
    while (first < last && empty(first)) {
        ++first;
    }
    while (last > first && empty(last - 1)) {
        --last;
    }
    for (std::size_t i = first; i < last; ++i) {
        text += fmt::format("  {:3.0f}-{:<3.0f}  {:<{}} {:5.1f}%   {:<{}} {:5.1f}%{}\n",
                            line_degrees * static_cast<double>(i), line_degrees * static_cast<double>(i + 1),
                            bar(share(nearest, i), nearest_top), bar_cells, 100.0 * share(nearest, i),
                            bar(share(all, i), all_top), bar_cells, 100.0 * share(all, i),
                            i == marked ? "  < threshold" : "");
    }
    return text;
}

}  // namespace isogon::cli
