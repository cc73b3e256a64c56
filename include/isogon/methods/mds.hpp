#pragma once
#include <cstdint>

#include "isogon/methods/embedding.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

/// Whose distances are kept.
enum class MdsMetric {
    Euclidean,
    Cosine,      ///< chords between points on the unit sphere, |x - y|^2 = 2 - 2 cos
    Precomputed  ///< the input is a square table of distances, and no points
};

struct MdsOptions {
    int dimension = 16;                       ///< d, numbers for each point; higher keeps more
    MdsMetric metric = MdsMetric::Euclidean;  ///< the outputs are then those of pca
    double tolerance = 1e-8;  ///< on residuals: |A x - lambda x| as a share of |lambda x|; below float32's rounding
    int iterations = 300;     ///< of the eigensolver, at most
    std::uint64_t seed = 0;   ///< of the eigensolver's start and of landmarks
};

[[nodiscard]] const OptionTable<MdsOptions>& mds_option_table();

/// Classical multidimensional scaling (Torgerson, "Multidimensional scaling: I. Theory and method", Psychometrika
/// 1952): max tr(X^T J K J X), K = -1/2 squared distances, which for Euclidean ones is the Gram matrix of the centred
/// points. It is never formed, so that time is some ten products with 2 n D d operations and memory 8 n D bytes; the
/// outputs are those of pca, up to signs. `landmarks`: landmark MDS (extension nystrom) and the other ways on
/// landmarks. Of distances that are given K is kept, in 2 n^2 bytes; with landmarks, which then are chosen at random
/// and go by nystrom, only their rows are looked at. Such a fit has no map for new points. Throws InvalidArgument,
/// InputError (NaN, a table that is not one of distances), LimitExceeded.
[[nodiscard]] Embedding classical_scaling(const PointsView& x, const MdsOptions& options = {},
                                          const RunContext& context = {}, const FitExtras& extras = {},
                                          const LandmarkOptions* landmarks = nullptr);

[[nodiscard]] Method mds_method();

}  // namespace isogon
