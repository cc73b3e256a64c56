#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "figure_context.hpp"
#include "isogon/report/chart_document.hpp"

namespace isogon::cli {

/// A figure or table of a source, as this program makes it.
struct Figure {
    std::string name;                ///< "tsm-3": what the command line calls it
    std::string title;               ///< what is to be seen
    std::string source;              ///< "Saul 2022, figure 3, left"
    std::vector<std::string> needs;  ///< every file of the data folder that it is made of (data_files.hpp)
    std::string takes;               ///< about how long, as measured on two quick cores (docs/reproduction.md): "9 min"
    std::string quick;               ///< what --quick takes fewer of: "points"; empty: it changes nothing
    bool has_dimensions = false;     ///< made over the dimension, so that --dims has a meaning
    /// Ours beside what was published; the title, origin, citation and notes on size are filled in by who asks. The
    /// files that it needs must be there. Throws Interruption, and what its steps throw.
    ChartDocument (*make)(FigureContext&) = nullptr;
};

/// All of them, in the order of their sources.
[[nodiscard]] const std::vector<Figure>& figures();

/// Throws UsageError listing the names there are.
[[nodiscard]] const Figure& find_figure(std::string_view name);

}  // namespace isogon::cli
