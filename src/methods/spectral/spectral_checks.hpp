#pragma once
#include "methods/spectral/spectral_family.hpp"

namespace isogon {

/// Throws InvalidArgument for an extension that spectral methods do not have, and numbers out of bounds.
void require_spectral_landmarks(const LandmarkOptions& options, Index points, Index dimension);

/// States what a run takes, as far as it is known before the search for neighbours, which may take most of the time.
void state_spectral(const SpectralFamily& family, const SpectralRun& run, const RunContext& context);

}  // namespace isogon
