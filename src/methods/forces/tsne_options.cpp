#include "methods/forces/tsne_options.hpp"

#include <string>

#include "isogon/core/error.hpp"
#include "isogon/forces/repulsion.hpp"
#include "methods/forces/layout_edges.hpp"

namespace isogon {

namespace {

void require_repulsion(const TsneOptions& options) {
    const std::string dimension = std::to_string(options.dimension);
    if (options.repulsion == TsneRepulsion::Fft && options.dimension > 2) {
        throw InvalidArgument("repulsion", "fft",
                              "must be barnes-hut or exact in " + dimension + " dimensions: grids are for one and two");
    }
    if (options.repulsion == TsneRepulsion::BarnesHut && options.dimension > 3) {
        throw InvalidArgument("repulsion", "barnes-hut",
                              "must be exact in " + dimension + " dimensions: trees are for one to three");
    }
}

TsneRepulsion usual_repulsion(int dimension, Index points) {
    if (points <= TsneOptions::most_exact_points || dimension > 3) {
        return TsneRepulsion::Exact;
    }
    return dimension == 3 ? TsneRepulsion::BarnesHut : TsneRepulsion::Fft;
}

}  // namespace

TsneOptions completed(TsneOptions options, Index points) {
    tsne_option_table().validate(options);
    options.perplexity = fitting_perplexity(options.perplexity, TsneOptions::usual_perplexity, points);
    require_repulsion(options);
    if (options.repulsion == TsneRepulsion::Auto) {
        options.repulsion = usual_repulsion(options.dimension, points);
        tsne_option_table().validate(options);  // the resolved scheme decides whether theta has an effect
    }
    return options;
}

const OptionTable<TsneOptions>& tsne_option_table() {
    static const OptionTable<TsneOptions> table =
        OptionTable<TsneOptions>()
            .integer("dimension", &TsneOptions::dimension, {.minimum = 1},
                     "numbers for each point; above 3 all pairs are looked at")
            .number("perplexity", &TsneOptions::perplexity, {.minimum = 1.0, .open = true},
                    "how many neighbours count, in effect; higher shows more of the whole, lower more of the detail; "
                    "auto: 30, or a third of the other points if that is less")
            .choice(
                "repulsion", &TsneOptions::repulsion,
                {{"auto", TsneRepulsion::Auto},
                 {"exact", TsneRepulsion::Exact},
                 {"barnes-hut", TsneRepulsion::BarnesHut},
                 {"fft", TsneRepulsion::Fft},
                 {"sampled", TsneRepulsion::Sampled}},
                "exact: by all pairs; barnes-hut: by a tree, in one to three dimensions; fft: by a grid, in one and "
                "two; sampled: by others drawn at random; auto: exact up to 3,000 points, then fft, in three "
                "dimensions barnes-hut, in more exact")
            .number("theta", &TsneOptions::theta, {.minimum = 0.0, .maximum = 1.0},
                    "of barnes-hut: a box less wide than this times its distance pushes as one point; lower is nearer "
                    "to all pairs and slower")
            .only_with("repulsion", {"barnes-hut", "auto"})
            .integer("samples", &TsneOptions::samples, {.minimum = 1, .maximum = SampledRepulsion::most_samples},
                     "of sampled: others drawn for each point in each iteration; more are nearer to all pairs and "
                     "slower")
            .only_with("repulsion", {"sampled"})
            .integer("iterations", &TsneOptions::iterations, {.minimum = 1},
                     "all in all; the first third of them, but no more than 250, are exaggerated")
            .number("exaggeration", &TsneOptions::exaggeration, {.minimum = 1.0, .maximum = 1e6},
                    "of attraction in the first iterations; higher lets clusters find their place, 1 does without")
            .number("learning-rate", &TsneOptions::learning_rate, {.minimum = 0.0, .maximum = 1e12, .open = true},
                    "of steps, against a quarter of the gradient; higher goes further in each; auto: the number of "
                    "points, through the exaggeration while there is one")
            .choice("start", &TsneOptions::start, {{"pca", TsneStart::Pca}, {"random", TsneStart::Random}},
                    "where outputs begin; pca leaves large shapes where they are in the data")
            .integer("seed", &TsneOptions::seed, {.minimum = 0},
                     "of random starts, the noise on others, approximate neighbours, and what sampled draws");
    return table;
}

}  // namespace isogon
