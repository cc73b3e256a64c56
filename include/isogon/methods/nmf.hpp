#pragma once
#include <cstdint>

#include "isogon/methods/embedding.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

/// Where the parts begin: at halves of the singular directions, which is as good as the best of many random starts, or
/// at random.
enum class NmfStart { Svd, Random };

struct NmfOptions {
    int dimension = 16;    ///< d, numbers for each point, and parts; higher keeps more
    int iterations = 200;  ///< most updates; the tolerance usually ends a run before
    /// A run ends when ten updates in a row lower |X - W H| by a smaller share of itself; 0: never.
    double tolerance = 1e-4;
    NmfStart start = NmfStart::Svd;  ///< as good as the best of many random ones, and needs no seed
    std::uint64_t seed = 0;          ///< of random starts
};

[[nodiscard]] const OptionTable<NmfOptions>& nmf_option_table();

/// Nonnegative matrix factorisation: X (n x D) ~ W H with no negative entry in W (n x d), the coordinates, or in H
/// (d x D), the parts of which points are mixed; least squares by HALS. Rows of H are of unit length (or zero, where
/// fewer parts serve as well), so lengths live in W; columns come in descending order of their length. See
/// docs/methods/nmf.md. Throws InputError for a negative number, naming it. Time 2 n D d an update and some 10 n d^2;
/// memory O(n d + D d), and D^2 up to D = 1,536 for the start. Summary: relative_residual, |X - W H| / |X| of what is
/// returned.
[[nodiscard]] Embedding nmf(const PointsView& x, const NmfOptions& options = {}, const RunContext& context = {});

[[nodiscard]] Method nmf_method();

}  // namespace isogon
