#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// How points that were not fitted become mixtures of points that were: by weights that sum to one over the nearest
/// (graph/barycentric_weights.hpp).
struct BarycentricMap {
    std::vector<Index> landmarks{};  ///< the fitted rows of which others are mixtures
    Points coordinates{};            ///< theirs, as many rows
    Index neighbors = 0;             ///< of which a mixture is made
    double ridge = 0.0;              ///< of its weights
    Metric metric = Metric::Euclidean;
};

/// What every method returns: one row of coordinates for each input row, in the same order, and how the run went.
/// The coordinates never hold NaN. They are empty when the run was ended before there was anything to give.
struct Embedding {
    Points coordinates;
    Summary summary;
    OptionValues options;  ///< every option as it was used, "auto" ones as chosen from the data
    /// Of linear methods, the map from inputs to coordinates: "directions" (D, d), "center" (D), "centered" (), "unit"
    /// ().
    std::map<std::string, Array, std::less<>> linear_map{};
    std::optional<BarycentricMap> barycentric_map{};  ///< of spectral methods
    /// Of nmf, the parts of which points are mixed: "parts" (d, D).
    std::map<std::string, Array, std::less<>> nonnegative_map{};
};

}  // namespace isogon
