#pragma once
#include <map>
#include <string>

#include "isogon/core/archive.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/summary.hpp"

namespace isogon {

/// What every method returns: one row of coordinates for each input row, in the same order, and how the run went.
/// The coordinates never hold NaN. They are empty when the run was ended before there was anything to give.
struct Embedding {
    Points coordinates;
    Summary summary;
    OptionValues options;  ///< every option as it was used, "auto" ones as chosen from the data
    /// Of linear methods, the map from inputs to coordinates: "directions" (D, d), "center" (D), "centered" (), "unit"
    /// ().
    std::map<std::string, Array, std::less<>> linear_map{};
    /// Of nmf, the parts of which points are mixed: "parts" (d, D).
    std::map<std::string, Array, std::less<>> nonnegative_map{};
};

}  // namespace isogon
