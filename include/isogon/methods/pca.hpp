#pragma once
#include <cstdint>

#include "isogon/methods/embedding.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

struct PcaOptions {
    int dimension = 16;  ///< d; higher keeps more
};

[[nodiscard]] const OptionTable<PcaOptions>& pca_option_table();

/// Principal components: projections of the centred inputs on the directions of largest variance (Pearson 1901). Keeps
/// distances best among linear maps, but moves the origin, and with it all angles. Exact, O(n D^2 / 2 + D^3) time.
/// Summary: variances, share kept.
[[nodiscard]] Embedding pca(const PointsView& x, const PcaOptions& options = {}, const RunContext& context = {});

[[nodiscard]] Method pca_method();

}  // namespace isogon
