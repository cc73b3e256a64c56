#pragma once
#include <string>

#include "isogon/report/chart.hpp"

namespace isogon {

/// A chart as an SVG file by itself: title, legend, axes with ticks, curves with markers, the note below. Ours are
/// lines with filled dots, published ones dashed with rings in the colours of ours in the same order, baselines grey.
/// Colours that the colour-blind tell apart (Okabe and Ito 2008), in light and dark pages; <title> and <desc> say in
/// words what is shown, for those who do not see it. No text of the chart, whatever its bytes, is markup. The same
/// bytes for the same chart. O(points).
[[nodiscard]] std::string line_chart(const Chart& chart);

/// The chart in words: its title, and of every series its name and its points, or where there are many its ends.
[[nodiscard]] std::string chart_in_words(const Chart& chart);

}  // namespace isogon
