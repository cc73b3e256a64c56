#pragma once
#include <cstdint>

#include "isogon/core/option_table.hpp"
#include "isogon/forces/output_kernel.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/registry.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Of the edges: UMAP's, or t-SNE's, whose perplexity is a third of the neighbours.
enum class UmapAffinities { Fuzzy, Perplexity };
/// Of the outputs: fitted to min-dist and spread, or t-SNE's 1 / (1 + d^2).
enum class UmapKernel { Fitted, Cauchy };
enum class UmapStart { Spectral, Pca, Random };

struct UmapOptions {
    static constexpr Index few_points = 10000;  ///< up to which epochs are cheap
    static constexpr int epochs_of_few = 500;
    static constexpr int epochs_of_many = 200;

    int dimension = 2;   ///< numbers for each point: a picture's
    int neighbors = 15;  ///< others, umap-learn's number, which counts the point itself as one more; n - 1 if there are
                         ///< fewer
    Metric metric = Metric::Euclidean;                  ///< of the search for neighbours
    UmapAffinities affinities = UmapAffinities::Fuzzy;  ///< the method's own; perplexity: a step towards t-SNE
    UmapKernel kernel = UmapKernel::Fitted;             ///< the method's own; cauchy: a step towards t-SNE
    double min_distance = 0.1;  ///< in the unit of the map: nearer than that nothing attracts; at most `spread`
    double spread = 1.0;        ///< over what distance closeness fades beyond min_distance: the unit of the map
    int epochs = 0;             ///< 0: 500 up to 10,000 points, else 200, umap-learn's numbers
    int negatives = 5;          ///< repelling points drawn for every sampled edge, umap-learn's number; 0: no repulsion
    double learning_rate = 1.0;             ///< of the first epoch, umap-learn's; it falls to 0 in equal steps
    UmapStart start = UmapStart::Spectral;  ///< umap-learn's; pca where the graph has no spectrum to begin with
    std::uint64_t seed = 0;  ///< of samples, random starts, the noise on others, and approximate neighbours
};

[[nodiscard]] const OptionTable<UmapOptions>& umap_option_table();

/// The kernel of these options. Throws InvalidArgument as fit_output_kernel() does, and for distances that the Cauchy
/// kernel ignores.
[[nodiscard]] OutputKernel umap_kernel(const UmapOptions& options);

/// UMAP: outputs whose closeness agrees with how surely the inputs are neighbours, by samples (graph/fuzzy_affinities,
/// forces/sampled_layout). `extras` may bring neighbours, or affinities, whose scale is irrelevant (the heaviest is
/// sampled in every epoch), and a start, which is taken as it is. Of fewer points than neighbours all others are taken,
/// and said so. Time: neighbours, then some 12 n negatives steps an epoch. Memory: neighbours and their graph four
/// times over. Throws as every method does (methods/registry.hpp); InvalidArgument for a min-dist above the spread, a
/// start of another shape, and neighbors, metric or affinities beside given ones; InputError as require_affinities()
/// does.
[[nodiscard]] Embedding umap(const PointsView& x, const UmapOptions& options = {}, const RunContext& context = {},
                             const FitExtras& extras = {});

[[nodiscard]] Method umap_method();

}  // namespace isogon
