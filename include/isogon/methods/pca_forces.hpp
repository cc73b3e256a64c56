#pragma once
#include <cstdint>

#include "isogon/core/option_table.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

struct PcaForcesOptions {
    int dimension = 2;      ///< numbers for each point: a picture's
    int rank = 0;           ///< of the input Gram matrix that forces come from, d to D; 0: all of it
    int iterations = 2000;  ///< at most; directions of nearly the same variance take long to part
    double step = 1.0;      ///< in units of the longest that is proven to lower the objective (forces/pca_descent.hpp),
                            ///< below 2, from where on none would settle
    double tolerance = 1e-6;  ///< forces at rest, as a share of those of the data alone; 0: never
    std::uint64_t seed = 0;   ///< of the random start
};

[[nodiscard]] const OptionTable<PcaForcesOptions>& pca_forces_option_table();

/// Principal components by attraction and repulsion from a random start: gradient descent on |C (G_x - G_y) C|_F^2, by
/// the whole Gram matrix or its best approximation of rank k (Draganov and Dohn 2023, section 4). What comes out is
/// pca's embedding up to a rotation; it is there to show that. `extras` may bring a start.
/// Time: a truncated SVD, by which steps are chosen and the end is judged, then 4 n D d operations an iteration (4 n k
/// d of rank k). Memory: n d numbers three times, 67 D (d + 1) for sums, the SVD's D^2, n k floats of rank k.
/// Throws as every method does (methods/registry.hpp); InvalidArgument for a rank below the dimension or above D, and a
/// start of another shape.
[[nodiscard]] Embedding pca_forces(const PointsView& x, const PcaForcesOptions& options = {},
                                   const RunContext& context = {}, const FitExtras& extras = {});

[[nodiscard]] Method pca_forces_method();

}  // namespace isogon
