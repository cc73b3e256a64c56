#pragma once
#include "isogon/methods/forces.hpp"

namespace isogon {

/// The options with perplexity and repulsion resolved for so many points. Throws InvalidArgument for values out of
/// bounds, a perplexity that the points do not have, and a scheme of repulsion that there is not in this dimension.
[[nodiscard]] TsneOptions completed(TsneOptions options, Index points);

}  // namespace isogon
