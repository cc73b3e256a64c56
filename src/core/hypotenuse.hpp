#pragma once

namespace isogon {

/// sqrt(a^2 + b^2), to within a unit in the last place, also where squares overflow or vanish. Infinite if either is,
/// else NaN if either is NaN. Not std::hypot, whose bits differ between C libraries, and which programs for older ones
/// cannot call.
[[nodiscard]] double hypotenuse(double a, double b);

}  // namespace isogon
