#include "isogon/methods/spectral.hpp"
#include "methods/spectral/spectral_neighbors.hpp"

namespace isogon {

const OptionTable<LaplacianOptions>& laplacian_option_table() {
    static const OptionTable<LaplacianOptions> table =
        OptionTable<LaplacianOptions>()
            .integer("dimension", &LaplacianOptions::dimension, {.minimum = 1},
                     "numbers for each point; more follow finer structure")
            .integer("neighbors", &LaplacianOptions::neighbors, {.minimum = 1},
                     "nearest points that each is joined to; more join what is apart and blur what is fine")
            .choice("metric", &LaplacianOptions::metric, {{"euclidean", Metric::Euclidean}, {"cosine", Metric::Cosine}},
                    "what makes two points near")
            .choice(
                "affinity", &LaplacianOptions::affinity,
                {{"gaussian", AffinityKind::Gaussian},
                 {"self-tuning", AffinityKind::SelfTuning},
                 {"perplexity", AffinityKind::Perplexity},
                 {"connectivity", AffinityKind::Connectivity}},
                "how distances become weights: by one width for all; by a width for each point, its distance to its "
                "last neighbour; by a width that makes so many neighbours weigh; or 1 for every edge")
            .number("sigma", &LaplacianOptions::sigma, {.minimum = 0.0, .open = true},
                    "width of gaussian weights exp(-(d / sigma)^2); auto: the median distance to the last neighbour")
            .only_with("affinity", {"gaussian"})
            .number("perplexity", &LaplacianOptions::perplexity, {.minimum = 1.0, .open = true},
                    "of that affinity: how many neighbours weigh, in effect")
            .only_with("affinity", {"perplexity"})
            .choice("components", &LaplacianOptions::components, component_choices(true, true), components_help)
            .number("tolerance", &LaplacianOptions::tolerance, {.minimum = 0.0, .maximum = 1.0},
                    "eigenvectors are good enough when |A x - lambda B x| is so much smaller than |lambda B x|")
            .integer("iterations", &LaplacianOptions::iterations, {.minimum = 1}, "of the eigensolver, at most")
            .integer("seed", &LaplacianOptions::seed, {.minimum = 0},
                     "of the eigensolver's start, landmarks and approximate neighbours");
    return table;
}

}  // namespace isogon
