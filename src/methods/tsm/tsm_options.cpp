#include "methods/tsm.hpp"

namespace isogon {

const OptionTable<TsmOptions>& tsm_option_table() {
    static const OptionTable<TsmOptions> table =
        OptionTable<TsmOptions>()
            .integer("dimension", &TsmOptions::dimension, {.minimum = 1}, "numbers for each point; higher keeps more")
            .number("threshold", &TsmOptions::threshold, {.minimum = 0.0, .maximum = 1.0, .open = true},
                    "cosine above which angles must be kept; auto: the one that 1% of pairs exceed, lower where that "
                    "would leave "
                    "more than a quarter of the points without a neighbour above it")
            .choice(
                "solver", &TsmOptions::solver, {{"low-rank", TsmSolver::LowRank}, {"sphere", TsmSolver::Sphere}},
                "low-rank: the paper's, a matrix from which outputs are read off; sphere: the outputs themselves, of "
                "exact lengths, which keeps angles better")
            .integer("iterations", &TsmOptions::iterations, {.minimum = 1}, "most updates; more lower the residual")
            .number("tolerance", &TsmOptions::tolerance, {.minimum = 0.0},
                    "stop when ten updates in a row change the residual by a smaller share; 0: never; auto: 0.001, on "
                    "spheres 0.0005")
            .integer("seed", &TsmOptions::seed, {.minimum = 0},
                     "of the threshold's sample, the guard vectors, and directions where the start has none");
    return table;
}

}  // namespace isogon
