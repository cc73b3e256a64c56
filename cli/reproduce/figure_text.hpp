#pragma once
#include <string>

#include "figure.hpp"

namespace isogon::cli {

/// A figure as Markdown, so that what is printed can be kept: its heading, origin, warnings, notes and tables.
[[nodiscard]] std::string figure_text(const Figure& figure, const ChartDocument& document, bool quick);

}  // namespace isogon::cli
