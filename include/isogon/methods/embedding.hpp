#pragma once
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
};

}  // namespace isogon
