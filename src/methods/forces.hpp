#pragma once
// The methods that move outputs by attraction and repulsion: tsne and umap along the edges of a graph of neighbours;
// pca-forces, pca2 and lle2, classical methods written as forces (Draganov and Dohn, "Unexplainable Explanations",
// 2023).
#include <cstdint>
#include <optional>

#include "forces/output_kernel.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/methods/method.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Where outputs begin: the directions of most variance, or normal numbers, of standard deviation 1e-4 in tsne, 1 in
/// pca2 and lle2.
enum class LayoutStart { Pca, Random };

enum class TsneRepulsion { Auto, Exact, BarnesHut, Fft, Sampled };

struct TsneOptions {
    int dimension = 2;  ///< numbers for each point: a picture's
    /// How many neighbours count, in effect, above 1 and below n; beyond (n - 1) / 3 among fewer than three times as
    /// many, as there are no more. Empty: 30, or (n - 1) / 3 if that is less.
    std::optional<double> perplexity{};
    Metric metric = Metric::Euclidean;  ///< metric of the distances behind affinities; precomputed: x is their table
    /// How repulsion between all pairs is computed. Auto: exact up to 3,000 points, beyond that the fastest that
    /// there is in so many dimensions: a grid in one and two, a tree in three, all pairs in more.
    TsneRepulsion repulsion = TsneRepulsion::Auto;
    /// For barnes-hut: the largest ratio of width to distance of a box that is replaced by its mean, 0 (all pairs) to
    /// 1; 0.5 as in the paper's experiments.
    double theta = 0.5;
    int iterations = 750;        ///< all in all; a third of them, but no more than 250, are exaggerated
    double exaggeration = 12.0;  ///< factor of attraction in the first phase, at least 1 (none); 12 is the usual one
    /// The length of steps, against a quarter of the gradient. Empty: n / exaggeration of each phase (Belkina et al.
    /// 2019), which fits any number of points.
    std::optional<double> learning_rate{};
    LayoutStart start = LayoutStart::Pca;  ///< large shapes stay where they are in the data (Kobak and Berens 2019)
    double hold = 0.0;       ///< how firmly rows of a given start stay there, 0: not, to 1: they do not move
    std::uint64_t seed = 0;  ///< seed for random starts, the noise on others, approximate neighbours, and samples
};

[[nodiscard]] const OptionTable<TsneOptions>& tsne_option_table();

/// t-SNE: outputs whose closeness agrees with that of the inputs, where near pairs weigh far more than distant ones
/// (forces/force_layout.hpp). `extras` may bring neighbours or affinities, which are divided by their sum, a start,
/// which is taken as it is, and a checkpoint, from which a run goes on to the same bits. Time: neighbours, then
/// `iterations` passes over 6 n perplexity edges and, of one or two dimensions, a grid, of three a tree, else n^2
/// pairs, or n samples. Memory: 3 perplexity neighbours a point and their graph, up to 16 bytes a neighbour, and the
/// grid. Throws as every method does (methods/method.hpp); InvalidArgument for a perplexity of n and more, or beside
/// affinities, a grid in more than two dimensions, a tree in more than three, and a start of another shape; InputError
/// as require_affinities() does.
[[nodiscard]] Embedding tsne(const PointsView& x, const TsneOptions& options = {}, const RunContext& context = {},
                             const FitExtras& extras = {});

[[nodiscard]] Method tsne_method();

/// The kernel of the outputs: fitted to min-dist and spread, or t-SNE's 1 / (1 + d^2).
enum class UmapKernel { Fitted, Cauchy };
enum class UmapStart { Spectral, Pca, Random };

struct UmapOptions {
    int dimension = 2;                  ///< numbers for each point: a picture's
    int neighbors = 14;                 ///< others: umap-learn's 15 count the point itself; n - 1 if there are fewer
    Metric metric = Metric::Euclidean;  ///< metric of the search for neighbours; precomputed: x is a table of distances
    /// With labels or targets, what they count beside the inputs: 0 nothing, 1 all (graph/label_edges.hpp,
    /// graph/target_edges.hpp); umap-learn's default.
    double target_weight = 0.5;
    UmapKernel kernel = UmapKernel::Fitted;  ///< the method's own; cauchy: a step towards t-SNE
    double min_distance = 0.1;  ///< in the unit of the map: nearer than that nothing attracts; at most `spread`
    double spread = 1.0;        ///< over what distance closeness fades beyond min_distance: the unit of the map
    int iterations = 0;         ///< epochs; 0: 500 up to 10,000 points, else 200, umap-learn's numbers
    int negatives = 5;          ///< repelling points drawn for every sampled edge, umap-learn's number; 0: no repulsion
    double learning_rate = 1.0;             ///< in the first epoch, umap-learn's; it falls to 0 in equal steps
    UmapStart start = UmapStart::Spectral;  ///< umap-learn's; pca where the graph has no spectrum to begin with
    double hold = 0.0;  ///< how firmly rows of a given start stay there, 0: not, to 1: they do not move
    /// How much the local radii of outputs are to follow those of inputs (forces/local_density.hpp): 0 not at all;
    /// densMAP's usual lambda is 2.
    double density_weight = 0.0;
    std::uint64_t seed = 0;  ///< seed for samples, random starts, the noise on others, and approximate neighbours
};

[[nodiscard]] const OptionTable<UmapOptions>& umap_option_table();

/// The kernel of these options. Throws InvalidArgument as fit_output_kernel() does, and for distances that the Cauchy
/// kernel ignores.
[[nodiscard]] OutputKernel umap_kernel(const UmapOptions& options);

/// UMAP: outputs whose closeness agrees with how surely the inputs are neighbours, by samples
/// (graph/calibrated_affinities, forces/sampled_layout). `extras` may bring neighbours, or affinities, whose scale is
/// irrelevant (the heaviest is sampled in every epoch), and a start, which is taken as it is; and labels of some or all
/// points, between different ones of which edges of found or given neighbours are weakened (supervised and
/// semi-supervised UMAP), or targets, with whose graph that of neighbours is intersected. Of fewer points than
/// neighbours all others are taken, and said so. Time: neighbours, then some 12 n negatives steps an epoch. Memory:
/// neighbours and their graph four times over. Throws as every method does (methods/method.hpp); InvalidArgument for
/// a min-dist above the spread, a start of another shape, hold without a start, neighbors, metric, density-weight,
/// labels or targets beside given affinities, another number of labels or targets than points, both of them, and a
/// target-weight without any;
/// InputError as require_affinities() does.
[[nodiscard]] Embedding umap(const PointsView& x, const UmapOptions& options = {}, const RunContext& context = {},
                             const FitExtras& extras = {});

[[nodiscard]] Method umap_method();

struct PcaForcesOptions {
    int dimension = 2;        ///< numbers for each point: a picture's
    int iterations = 2000;    ///< at most; directions of nearly the same variance take long to part
    double tolerance = 1e-6;  ///< bound on forces at convergence, as a share of those of the data alone; 0: never
    std::uint64_t seed = 0;   ///< seed for the random start
};

[[nodiscard]] const OptionTable<PcaForcesOptions>& pca_forces_option_table();

/// Principal components by attraction and repulsion from a random start: gradient descent on |C (G_x - G_y) C|_F^2, by
/// the whole Gram matrix (Draganov and Dohn 2023, section 4). What comes out is pca's embedding up to a rotation; it is
/// there to show that. Their rank-k gradient (lemma 3) is that of the inputs' first k principal components. `extras`
/// may bring a start. Time: a truncated SVD, which determines steps and the end, then 4 n D d operations an iteration.
/// Memory: n d numbers three times, 67 D (d + 1) for sums, the SVD's D^2. Throws as every method does
/// (methods/method.hpp); InvalidArgument for a start of another shape.
[[nodiscard]] Embedding pca_forces(const PointsView& x, const PcaForcesOptions& options = {},
                                   const RunContext& context = {}, const FitExtras& extras = {});

[[nodiscard]] Method pca_forces_method();

struct Pca2Options {
    int dimension = 2;     ///< numbers for each point: a picture's
    int neighbors = 15;    ///< in points, beyond which the input kernel is 0
    int iterations = 300;  ///< at most; each looks at all pairs
    double tolerance =
        1e-5;  ///< converged when ten iterations lower the objective by less than that share of it; 0: never
    LayoutStart start = LayoutStart::Pca;  ///< large shapes stay where they are in the data
    std::uint64_t seed = 0;                ///< seed for random starts, the noise on others, and approximate neighbours
};

[[nodiscard]] const OptionTable<Pca2Options>& pca2_option_table();

/// PCA with a kernel on the inputs and another on the outputs: the least of sum_{i != j} (k_x(x_i, x_j) - k_y(y_i,
/// y_j))^2 that a descent from the start finds (Draganov and Dohn 2023, section 5.1). k_x is UMAP's fuzzy graph
/// (graph/calibrated_affinities.hpp), 0 between points neither of which lists the other; k_y = 1 / (1 + |y_i - y_j|^2).
/// All n^2 pairs of outputs are looked at in every iteration. `extras` may bring neighbours and a start.
/// Time: neighbours, then about n^2 (2 d + 3) multiplications and n^2 divisions an iteration. Memory: the graph three
/// times over, 24 n d numbers.
/// Throws as every method does (methods/method.hpp); InvalidArgument for as many neighbours as points, and a start of
/// another shape.
[[nodiscard]] Embedding pca2(const PointsView& x, const Pca2Options& options = {}, const RunContext& context = {},
                             const FitExtras& extras = {});

[[nodiscard]] Method pca2_method();

struct Lle2Options {
    int dimension = 2;     ///< numbers for each point: a picture's
    int neighbors = 15;    ///< in points, that rebuild each; as many as pca2's
    int iterations = 300;  ///< at most; each looks at all pairs
    double tolerance =
        1e-5;  ///< converged when ten iterations lower the objective by less than that share of it; 0: never
    LayoutStart start = LayoutStart::Pca;  ///< large shapes stay where they are in the data
    std::uint64_t seed = 0;                ///< seed for random starts, the noise on others, and approximate neighbours
};

[[nodiscard]] const OptionTable<Lle2Options>& lle2_option_table();

/// Locally linear embedding with a kernel on the outputs: the least of tr(M K_y) + 1/n sum_ij k_y^2, M = (I - W)^T (I -
/// W), k_y = 1 / (1 + |y_i - y_j|^2), that a descent from the start finds (Draganov and Dohn 2023, section 5.2 and
/// lemma 4). W are LLE's weights (graph/barycentric_weights.hpp); the second sum stands for the constraint K_y = n I.
/// `extras` may bring neighbours and a start.
/// Time: neighbours, weights, then about n^2 (2 d + 3) multiplications and n^2 divisions an iteration. Memory: W^T W,
/// up to n k^2 entries three times over, 24 n d numbers.
/// Throws as every method does (methods/method.hpp); InvalidArgument for as many neighbours as points, and a start of
/// another shape.
[[nodiscard]] Embedding lle2(const PointsView& x, const Lle2Options& options = {}, const RunContext& context = {},
                             const FitExtras& extras = {});

[[nodiscard]] Method lle2_method();

}  // namespace isogon
