#pragma once
// The linear methods: factorisations of the matrix of points. pca and svd project on singular directions, nmf mixes
// nonnegative parts.
#include <cstdint>

#include "isogon/methods/method.hpp"

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

/// Where the parts begin: at halves of the singular directions, which is as good as the best of many random starts, or
/// at random.
enum class NmfStart { Svd, Random };

struct NmfOptions {
    int dimension = 16;    ///< d, numbers for each point, and parts; higher keeps more
    int iterations = 200;  ///< most updates; the tolerance usually ends a run before
    /// A run ends when ten updates in a row lower |X - W H| by a smaller share of itself; 0: never.
    double tolerance = 1e-4;
    NmfStart start = NmfStart::Svd;  ///< as good as the best of many random ones, and needs no seed
    std::uint64_t seed = 0;          ///< seed for random starts
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
