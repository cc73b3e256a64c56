#pragma once
#include <string>

#include "isogon/core/archive.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/quality/score.hpp"

namespace isogon::cli {

/// A finished fit as it is kept: coordinates, the options as used, how it went. Maps for new points are not.
struct KeptFit {
    Embedding fitted;
    double seconds = 0.0;  ///< of the fit when it was made
};

/// Throws InvalidArgument for what an archive cannot hold.
[[nodiscard]] Archive to_archive(const std::string& method, const KeptFit& fit);
/// Throws InputError for an archive that holds no fit of that many points.
[[nodiscard]] KeptFit fit_in(const Archive& archive, Index points);

/// The measures of a score; its summary is not kept but for the warnings.
[[nodiscard]] Archive to_archive(const Score& score);
/// Throws InputError for an archive that holds no score.
[[nodiscard]] Score score_in(const Archive& archive);

}  // namespace isogon::cli
