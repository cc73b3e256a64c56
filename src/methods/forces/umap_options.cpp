#include "methods/forces/umap_options.hpp"

#include <string>

namespace isogon {

UmapOptions completed(UmapOptions options, Index points, bool edges_given, Summary& summary) {
    umap_option_table().validate(options);
    if (points > 1 && static_cast<std::uint64_t>(options.neighbors) >= points) {
        options.neighbors = static_cast<int>(points) - 1;
        if (!edges_given) {
            summary.warn("there are no more than " + std::to_string(points - 1) + " neighbors to each of " +
                         std::to_string(points) + " points, and all were taken");
        }
    }
    if (options.epochs == 0) {
        options.epochs = points <= UmapOptions::few_points ? UmapOptions::epochs_of_few : UmapOptions::epochs_of_many;
    }
    return options;
}

std::vector<EdgeOption> edge_options(const UmapOptions& options) {
    const UmapOptions usual;
    const OptionValues values = umap_option_table().values(options);
    const auto option = [&](const char* name, bool asked_for) {
        return EdgeOption{name, to_text(values.at(name)), asked_for};
    };
    return {option("neighbors", options.neighbors != usual.neighbors), option("metric", options.metric != usual.metric),
            option("affinities", options.affinities != usual.affinities)};
}

const OptionTable<UmapOptions>& umap_option_table() {
    static const OptionTable<UmapOptions> table =
        OptionTable<UmapOptions>()
            .integer("dimension", &UmapOptions::dimension, {.minimum = 1}, "numbers for each point")
            .integer("neighbors", &UmapOptions::neighbors, {.minimum = 1},
                     "nearest points that each is joined to; more show more of the whole, fewer more of the detail")
            .choice("metric", &UmapOptions::metric, {{"euclidean", Metric::Euclidean}, {"cosine", Metric::Cosine}},
                    "what makes two points near")
            .choice("affinities", &UmapOptions::affinities,
                    {{"fuzzy", UmapAffinities::Fuzzy}, {"perplexity", UmapAffinities::Perplexity}},
                    "what edges weigh; perplexity: as in t-SNE, of a third of the neighbours")
            .choice("kernel", &UmapOptions::kernel, {{"fitted", UmapKernel::Fitted}, {"cauchy", UmapKernel::Cauchy}},
                    "how close outputs count; fitted: to min-dist and spread; cauchy: 1 / (1 + d^2), as in t-SNE")
            .number("min-dist", &UmapOptions::min_distance, {.minimum = 0.0},
                    "how near neighbours may come before nothing pulls them any more; lower packs clusters tighter")
            .only_with("kernel", {"fitted"})
            .number("spread", &UmapOptions::spread, {.minimum = 1e-6, .maximum = 1e6},
                    "over what distance closeness fades beyond min-dist: the unit of the map")
            .only_with("kernel", {"fitted"})
            .integer("epochs", &UmapOptions::epochs, {.minimum = 0},
                     "in each the surest edges are sampled once; 0: 500 up to 10,000 points, else 200")
            .integer("negatives", &UmapOptions::negatives, {.minimum = 0, .maximum = 1000},
                     "points that push, drawn for every edge that is sampled; more leave more room between clusters")
            .number("learning-rate", &UmapOptions::learning_rate, {.minimum = 0.0, .maximum = 1000.0, .open = true},
                    "of the first epoch's steps; it falls to 0 in equal steps")
            .choice("start", &UmapOptions::start,
                    {{"spectral", UmapStart::Spectral}, {"pca", UmapStart::Pca}, {"random", UmapStart::Random}},
                    "where outputs begin; spectral: the smoothest functions on the graph, or pca where it falls apart")
            .integer("seed", &UmapOptions::seed, {.minimum = 0},
                     "of what is drawn, random starts, the noise on others, and approximate neighbours");
    return table;
}

OutputKernel umap_kernel(const UmapOptions& options) {
    return options.kernel == UmapKernel::Fitted ? fit_output_kernel(options.min_distance, options.spread)
                                                : OutputKernel{};
}

}  // namespace isogon
