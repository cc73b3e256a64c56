#pragma once
#include <cstdint>

#include "isogon/methods/embedding.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

struct PcaOptions {
    int dimension = 16;  ///< d, numbers for each point; higher keeps more
};

[[nodiscard]] const OptionTable<PcaOptions>& pca_option_table();

/// Principal components: projections of the centred inputs on the directions of largest variance (Pearson 1901). Keeps
/// distances best among linear maps, but moves the origin, and with it all angles. Exact, O(n D^2 / 2 + D^3) time.
/// Summary: variances, share kept.
[[nodiscard]] Embedding pca(const PointsView& x, const PcaOptions& options = {}, const RunContext& context = {});

[[nodiscard]] Method pca_method();

struct SvdOptions {
    int dimension = 16;  ///< d, numbers for each point; higher keeps more
};

[[nodiscard]] const OptionTable<SvdOptions>& svd_option_table();

/// Projections on the top d singular directions of the inputs, not centred (Saul 2022b, eq. 10): of all linear maps to
/// d dimensions the one that changes inner products least. Exact, O(n D^2 / 2 + D^3) time. Summary: singular values,
/// share of |X|^2 kept.
[[nodiscard]] Embedding svd(const PointsView& x, const SvdOptions& options = {}, const RunContext& context = {});

[[nodiscard]] Method svd_method();

}  // namespace isogon
