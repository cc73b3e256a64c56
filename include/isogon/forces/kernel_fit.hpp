#pragma once
#include "isogon/forces/output_kernel.hpp"

namespace isogon {

/// The kernel 1 / (1 + a d^2b) that comes nearest, by least squares over 300 distances d up to 3 spread, to the
/// closeness that is wished for: 1 up to min_distance, then exp(-(d - min_distance) / spread) (McInnes, Healy and
/// Melville 2018, definition 11 and section 4.2). Only min_distance / spread makes its form. Throws InvalidArgument
/// unless spread is above 0, at most 1e6 and at least 1e-6, and min_distance between 0 and spread.
[[nodiscard]] OutputKernel fit_output_kernel(double min_distance, double spread);

}  // namespace isogon
