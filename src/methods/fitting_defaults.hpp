#pragma once
// Defaults that fit any table.
#include <optional>

#include "isogon/core/option_table.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/method.hpp"

namespace isogon {

/// Sizes that bound the options of a fit.
struct FitSizes {
    Index points = 0;
    Index features = 0;                       ///< numbers of a point; 0: of a graph alone, whose points have none
    std::optional<Index> listed{};            ///< how many neighbours of each point are given, if any are
    std::optional<std::int64_t> landmarks{};  ///< how many there are, if any
};

/// The options `given`, and beside them what the defaults of "neighbors" and "dimension" come to where they are more
/// than the data allows: all other points, or those given; and the numbers that a point has, one fewer than points,
/// fewer than landmarks, and of lle one fewer than neighbours. At least 1 each. Without points a start by pca is a
/// random one. What is given stays as it is, for the method to judge. `method`: of the registry.
[[nodiscard]] OptionValues with_fitting_defaults(const Method& method, OptionValues given, const FitSizes& sizes);

/// The method with options that are left out taken so, which its table says of them (fits_data), and with results whose
/// options tell what it chose: what the registry has.
[[nodiscard]] Method with_fitting_defaults(const Method& plain);

}  // namespace isogon
