#pragma once
#include <cstdint>
#include <optional>

#include "isogon/core/option_table.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

enum class TsneRepulsion { Auto, Exact, BarnesHut, Fft, Sampled };
/// The directions of most variance, made small, or normal numbers of standard deviation 1e-4.
enum class TsneStart { Pca, Random };

struct TsneOptions {
    static constexpr Index most_exact_points = 3000;  ///< beyond which a grid or a tree takes less time than all pairs
    static constexpr double usual_perplexity = 30.0;  ///< van der Maaten and Hinton: 5 to 50

    int dimension = 2;  ///< numbers for each point: a picture's
    /// How many neighbours count, in effect, above 1 and at most (n - 1) / 3. Empty: 30, or (n - 1) / 3 if that is
    /// less.
    std::optional<double> perplexity{};
    /// How repulsion between all pairs is computed. Auto: exact up to most_exact_points, beyond that the fastest that
    /// there is in so many dimensions: a grid in one and two, a tree in three, all pairs in more.
    TsneRepulsion repulsion = TsneRepulsion::Auto;
    /// Of barnes-hut: the largest ratio of width to distance of a box that is replaced by its mean, 0 (all pairs) to 1;
    /// 0.5 as in the paper's experiments.
    double theta = 0.5;
    /// Of sampled: repelling points drawn for each point in an iteration; at 100 the divergence is that of all pairs.
    int samples = 100;
    int iterations = 750;        ///< all in all; a third of them, but no more than 250, are exaggerated
    double exaggeration = 12.0;  ///< factor of attraction in the first phase, at least 1 (none); 12 is the usual one
    /// Of steps, against a quarter of the gradient. Empty: n / exaggeration of each phase (Belkina et al. 2019), which
    /// fits any number of points.
    std::optional<double> learning_rate{};
    TsneStart start = TsneStart::Pca;  ///< large shapes stay where they are in the data (Kobak and Berens 2019)
    std::uint64_t seed = 0;            ///< of random starts, the noise on others, approximate neighbours, and samples
};

[[nodiscard]] const OptionTable<TsneOptions>& tsne_option_table();

/// t-SNE: outputs whose closeness agrees with that of the inputs, where near pairs weigh far more than distant ones
/// (forces/force_layout.hpp). `extras` may bring neighbours or affinities, which are divided by their sum, a start,
/// which is taken as it is, and a checkpoint, from which a run goes on to the same bits. Time: neighbours, then
/// `iterations` passes over 6 n perplexity edges and, of one or two dimensions, a grid, of three a tree, else n^2
/// pairs, or n samples. Memory: 3 perplexity neighbours a point and their graph, up to 16 bytes a neighbour, and the
/// grid. Throws as every method does (methods/registry.hpp); InvalidArgument for a perplexity that n points do not
/// have, or beside affinities, a grid in more than two dimensions, a tree in more than three, and a start of another
/// shape; InputError as require_affinities() does.
[[nodiscard]] Embedding tsne(const PointsView& x, const TsneOptions& options = {}, const RunContext& context = {},
                             const FitExtras& extras = {});

[[nodiscard]] Method tsne_method();

}  // namespace isogon
