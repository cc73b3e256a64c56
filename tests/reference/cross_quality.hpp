#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "reference/quality.hpp"

/// The measures of placed points against fitted ones in float64, pair by pair.
namespace isogon::reference {

/// The points of the first, then those of the second.
Points stacked(const Points& first, const Points& second);

struct Cross {
    double deviation = 0.0;
    double jaccard = 1.0;
    double recall = 0.0;
    Index isolated = 0;
};

/// The first `placed` points of `x` and `y` are placed and the others fitted. Ties count as reference::tied_ranks()
/// says.
Cross cross(const Points& x, const Points& y, Index placed, double threshold, Index k);

}  // namespace isogon::reference
