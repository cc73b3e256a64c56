#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "isogon/report/chart_document.hpp"
#include "workshop.hpp"

namespace isogon::cli {

/// A figure or table of a source, as this program makes it.
struct Figure {
    std::string name;             ///< "tsm-3": what the command line calls it
    std::string title;            ///< what is to be seen
    std::string source;           ///< "Saul 2022, figure 3, left"
    std::string needs;            ///< of the data folder: "mnist/"; empty: nothing
    std::string takes;            ///< about how long, as measured on two quick cores (docs/reproduction.md): "9 min"
    std::string quick;            ///< what --quick takes fewer of: "points"; empty: it changes nothing
    bool has_dimensions = false;  ///< made over the dimension, so that --dims has a meaning
    /// Ours beside what was published; the title, origin and notes on size are filled in by who asks. Throws UsageError
    /// for data that is missing, Interruption, and what its steps throw.
    ChartDocument (*make)(Workshop&) = nullptr;
};

/// All of them, in the order of their sources.
[[nodiscard]] const std::vector<Figure>& figures();

/// Throws UsageError listing the names there are.
[[nodiscard]] const Figure& find_figure(std::string_view name);

}  // namespace isogon::cli
