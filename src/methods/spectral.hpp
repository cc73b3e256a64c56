#pragma once
// The spectral methods: coordinates from eigenvectors. mds, kpca and isomap diagonalise a kernel of all pairs; lle and
// laplacian a sparse matrix on a graph of neighbours. All can be fitted on landmarks.
#include <cstdint>
#include <optional>

#include "graph/components.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/method.hpp"
#include "spectral/kernel_shape.hpp"

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
    int iterations = 300;     ///< iterations of the eigensolver, at most
    std::uint64_t seed = 0;   ///< seed for the eigensolver's start and landmarks
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

struct KpcaOptions {
    int dimension = 16;                        ///< d, numbers for each point; higher keeps more
    KernelKind kernel = KernelKind::Gaussian;  ///< linear would be pca
    /// Width of the Gaussian exp(-(|x - y| / sigma)^2), in the unit of the input. Empty: the root of the mean squared
    /// distance of pairs, at which it is neither flat nor a spike.
    std::optional<double> sigma{};
    int degree = 3;           ///< degree of the polynomial (x.y / s + 1)^degree, s the mean of |x|^2; scikit-learn's
    double tolerance = 1e-8;  ///< on residuals: |A x - lambda x| as a share of |lambda x|; below float32's rounding
    int iterations = 300;     ///< iterations of the eigensolver, at most
    std::uint64_t seed = 0;   ///< seed for the eigensolver's start and landmarks
};

[[nodiscard]] const OptionTable<KpcaOptions>& kpca_option_table();

/// Kernel principal components (Schoelkopf, Smola, Mueller, "Nonlinear component analysis as a kernel eigenvalue
/// problem", Neural Computation 1998): max tr(X^T J K J X) for a kernel K between points, outputs scaled by the
/// roots of eigenvalues: principal components of what the kernel makes of the points. Linear and cosine kernels are
/// never formed; others are kept as 2 n^2 bytes, and made in n^2 D operations. Summary: eigenvalues, residual,
/// sigma. Throws InvalidArgument, InputError (NaN, a table that is not one of a kernel), LimitExceeded. Of a
/// precomputed kernel x is the table of its values, n x n; landmarks are then chosen at random and go by nystrom,
/// and such a fit has no map for new points.
[[nodiscard]] Embedding kernel_principal_components(const PointsView& x, const KpcaOptions& options = {},
                                                    const RunContext& context = {}, const FitExtras& extras = {},
                                                    const LandmarkOptions* landmarks = nullptr);

[[nodiscard]] Method kpca_method();

/// Neighbors: every point is joined to its nearest. Tsm: to all points above the threshold, on inputs scaled to unit
/// length, as in Saul 2022, appendix B.
enum class IsomapGraph { Neighbors, Tsm };

struct IsomapOptions {
    int dimension = 16;  ///< d, numbers for each point; beyond the data's own they hold errors of the distances
    IsomapGraph graph = IsomapGraph::Neighbors;  ///< the paper's
    int neighbors = 12;                 ///< k of the graph, in points: too many make short cuts through empty space
    Metric metric = Metric::Euclidean;  ///< cosine, correlation: chords |x - y| of directions; precomputed: x is a
                                        ///< table of distances
    std::optional<double> threshold{};  ///< tau of the graph of tsm, a cosine in (0, 1); empty: as tsm chooses it
    /// Empty: Bridge, with a warning, as there are no paths between components; over ranks, and of a graph alone,
    /// Error.
    std::optional<ComponentPolicy> components{};
    /// How many eigenvalues from the other end are found and recorded: how far distances are from Euclidean ones. 0:
    /// none, as they take a second solution.
    int negative_eigenvalues = 0;
    double tolerance = 1e-8;  ///< on residuals: |A x - lambda x| as a share of |lambda x|; below float32's rounding
    int iterations = 300;     ///< iterations of the eigensolver, at most
    std::uint64_t seed = 0;   ///< seed for the eigensolver's start, landmarks and approximate neighbours
};

[[nodiscard]] const OptionTable<IsomapOptions>& isomap_option_table();

/// Isomap (Tenenbaum, de Silva, Langford, "A global geometric framework for nonlinear dimensionality reduction",
/// Science 2000): lengths of shortest paths through a graph of neighbours stand for distances along the data, and
/// classical scaling turns them into coordinates: max tr(X^T J K J X), K = -1/2 squared lengths. `landmarks`: extension
/// nystrom is landmark Isomap (de Silva and Tenenbaum 2003), which needs paths from landmarks only; lll needs them from
/// all.
///
/// Time of the neighbours, n shortest-path trees, and some ten products
/// with n^2 numbers; memory 2 n^2 bytes. Summary: eigenvalues, residual, components.
/// Throws InvalidArgument, InputError (NaN; a graph in several components, where `components` is error),
/// LimitExceeded.
[[nodiscard]] Embedding isomap(const PointsView& x, const IsomapOptions& options = {}, const RunContext& context = {},
                               const FitExtras& extras = {}, const LandmarkOptions* landmarks = nullptr);

[[nodiscard]] Method isomap_method();

struct LleOptions {
    int dimension = 16;  ///< d, numbers for each point; should be below k, the most that neighbours of a point span
    int neighbors = 12;  ///< k, in points: more rebuild a point from farther away
    Metric metric = Metric::Euclidean;  ///< metric of the search alone; weights rebuild the points themselves
    /// Empty: Largest, with a warning; with landmarks, among which none may be left out, Separate; over ranks Error.
    std::optional<ComponentPolicy> components{};
    double tolerance = 1e-8;  ///< on residuals: |A x - lambda x| as a share of |lambda x|; below float32's rounding
    int iterations = 300;     ///< iterations of the eigensolver, at most
    std::uint64_t seed = 0;   ///< seed for the eigensolver's start, landmarks and approximate neighbours
};

[[nodiscard]] const OptionTable<LleOptions>& lle_option_table();

/// Locally linear embedding (Roweis and Saul, "Nonlinear dimensionality reduction by locally linear embedding", Science
/// 2000): weights that sum to one and rebuild every point from its neighbours; then min tr(X^T (I - W)^T (I - W) X)
/// subject to X^T X = I and X^T 1 = 0: coordinates that the same weights rebuild best. `landmarks`: by locally linear
/// landmarks, or mixtures of landmarks alone (null: exact).
///
/// Time of the neighbours, n (k^2 D + k^3 / 3) for the weights, and some thousand products with sparse matrices; memory
/// 24 n k bytes and 20 blocks of n d float64; where float32 factors serve, n^2 / 2 floats more. Summary: eigenvalues,
/// residual. Throws InvalidArgument (an option out of bounds), InputError (NaN; neighbours that do not
/// join all points, unless `components` says what to do), LimitExceeded.
[[nodiscard]] Embedding locally_linear_embedding(const PointsView& x, const LleOptions& options = {},
                                                 const RunContext& context = {}, const FitExtras& extras = {},
                                                 const LandmarkOptions* landmarks = nullptr);

[[nodiscard]] Method lle_method();

/// How distances become weights: graph/affinities.hpp.
enum class AffinityKind { Gaussian, SelfTuning, Perplexity, Connectivity };

struct LaplacianOptions {
    int dimension = 16;                 ///< d, numbers for each point; more follow finer structure
    int neighbors = 12;                 ///< k of the graph, in points: more join what is apart, and blur what is fine
    Metric metric = Metric::Euclidean;  ///< metric of the search and of the distances that become weights; precomputed:
                                        ///< x is a table of distances
    AffinityKind affinity = AffinityKind::Gaussian;  ///< the paper's heat kernel
    /// Width of the Gaussian exp(-(d / sigma)^2), in the unit of the input's distances. Empty: the median distance to
    /// the k-th neighbour, so that edges of every length count.
    std::optional<double> sigma{};
    double perplexity = 5.0;  ///< for that affinity: the effective number of neighbours; above 1 and below k
    /// Empty: Bridge, with a warning, as components have no common coordinates; over ranks, and of a graph alone,
    /// Error.
    std::optional<ComponentPolicy> components{};
    double tolerance = 1e-8;  ///< on residuals: |A x - lambda B x| as a share of |lambda B x|; below float32's rounding
    int iterations = 300;     ///< iterations of the eigensolver, at most; a graph in one piece needs far fewer
    std::uint64_t seed = 0;   ///< seed for the eigensolver's start, landmarks and approximate neighbours
};

[[nodiscard]] const OptionTable<LaplacianOptions>& laplacian_option_table();

/// Laplacian eigenmaps (Belkin and Niyogi, "Laplacian eigenmaps for dimensionality reduction and data representation",
/// Neural Computation 2003): min tr(X^T L X) subject to X^T D X = I and X^T D 1 = 0, where L = D - W is the
/// Laplacian of a symmetrised neighbour graph weighted by distance and D its degrees. Neighbours that are near stay
/// near; large distances and all lengths are given up. `landmarks`: by locally linear landmarks or a baseline (null:
/// exact).
///
/// Time of the neighbours, and some hundred products with a sparse matrix; memory 30 n k bytes and 20 blocks of n d
/// float64. Summary: eigenvalues, residual, sigma, components.
/// Throws InvalidArgument (an option out of bounds; a sigma by which rows vanish), InputError (NaN; a graph in several
/// components, unless `components` says what to do), LimitExceeded.
[[nodiscard]] Embedding laplacian_eigenmaps(const PointsView& x, const LaplacianOptions& options = {},
                                            const RunContext& context = {}, const FitExtras& extras = {},
                                            const LandmarkOptions* landmarks = nullptr);

[[nodiscard]] Method laplacian_method();

}  // namespace isogon
