#pragma once
#include <string>

#include "isogon/core/archive.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/quality/score.hpp"

namespace isogon::cli {

/// A finished fit as it is cached: coordinates, options as used, summary; without the map for new points.
struct StoredFit {
    Embedding fitted;
    double seconds = 0.0;  ///< of the fit when it was made
};

/// Throws InvalidArgument for what an archive cannot hold.
[[nodiscard]] Archive to_archive(const std::string& method, const StoredFit& fit);
/// Throws InputError for an archive that holds no fit of that many points.
[[nodiscard]] StoredFit fit_from(const Archive& archive, Index points);

/// The measures of a score; of its summary only the warnings.
[[nodiscard]] Archive to_archive(const Score& score);
/// Throws InputError for an archive that holds no score.
[[nodiscard]] Score score_from(const Archive& archive);

}  // namespace isogon::cli
