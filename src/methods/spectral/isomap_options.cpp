#include "isogon/methods/spectral.hpp"
#include "methods/spectral/spectral_neighbors.hpp"

namespace isogon {

const OptionTable<IsomapOptions>& isomap_option_table() {
    static const OptionTable<IsomapOptions> table =
        OptionTable<IsomapOptions>()
            .integer("dimension", &IsomapOptions::dimension, {.minimum = 1},
                     "numbers for each point; beyond the data's own they hold what is wrong with the distances")
            .choice("graph", &IsomapOptions::graph, {{"neighbors", IsomapGraph::Neighbors}, {"tsm", IsomapGraph::Tsm}},
                    "neighbors: every point joined to its nearest; tsm: to all whose cosine is above the threshold, on "
                    "inputs of length 1")
            .integer("neighbors", &IsomapOptions::neighbors, {.minimum = 1},
                     "nearest points that each is joined to; too many make short cuts")
            .only_with("graph", {"neighbors"})
            .choice("metric", &IsomapOptions::metric, {{"euclidean", Metric::Euclidean}, {"cosine", Metric::Cosine}},
                    "distances along edges; cosine: chords between directions")
            .only_with("graph", {"neighbors"})
            .number("threshold", &IsomapOptions::threshold, {.minimum = 0.0, .maximum = 1.0, .open = true},
                    "of the graph tsm: the cosine above which points are joined; auto: as tsm chooses it")
            .only_with("graph", {"tsm"})
            .choice("components", &IsomapOptions::components, component_choices(false, true), components_help)
            .integer("negative-eigenvalues", &IsomapOptions::negative_eigenvalues, {.minimum = 0},
                     "find and tell so many from the other end: how far distances are from Euclidean ones")
            .number("tolerance", &IsomapOptions::tolerance, {.minimum = 0.0, .maximum = 1.0},
                    "eigenvectors are good enough when |A x - lambda x| is so much smaller than |lambda x|")
            .integer("iterations", &IsomapOptions::iterations, {.minimum = 1}, "of the eigensolver, at most")
            .integer("seed", &IsomapOptions::seed, {.minimum = 0},
                     "of the eigensolver's start, landmarks and approximate neighbours");
    return table;
}

}  // namespace isogon
