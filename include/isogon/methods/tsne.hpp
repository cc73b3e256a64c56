#pragma once
#include <cstdint>
#include <optional>

#include "isogon/core/option_table.hpp"
#include "isogon/forces/repulsion.hpp"
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

enum class TsneRepulsion { Auto, Exact, BarnesHut, Fft, Sampled };
enum class TsneStart { Pca, Random };

struct TsneOptions {
    static constexpr Index most_exact_points = 3000;  ///< beyond which a grid or a tree takes less time than all pairs
    static constexpr double usual_perplexity = 30.0;  ///< van der Maaten and Hinton: 5 to 50

    int dimension = 2;
    std::optional<double> perplexity{};  ///< empty: 30, or (n - 1) / 3 if that is less
    TsneRepulsion repulsion = TsneRepulsion::Auto;
    double theta = BarnesHutRepulsion::usual_theta;  ///< of barnes-hut: the largest ratio of width to distance of a box
                                                     ///< that is replaced by its mean
    int samples =
        SampledRepulsion::usual_samples;  ///< of sampled: repelling points drawn for each point in an iteration
    int iterations = 750;
    double exaggeration = 12.0;
    std::optional<double> learning_rate{};  ///< empty: n / exaggeration of each phase
    TsneStart start = TsneStart::Pca;
    std::uint64_t seed = 0;
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
