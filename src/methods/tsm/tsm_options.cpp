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
            .choice("recipe", &TsmOptions::recipe, {{"fast", TsmRecipe::Fast}, {"paper", TsmRecipe::Paper}},
                    "fast: streaming, extrapolated; paper: dense, with momentum, to the letter (16 bytes for each pair "
                    "of points)")
            .only_with("solver", {"low-rank"})
            .integer("iterations", &TsmOptions::iterations, {.minimum = 1}, "most updates; more lower the residual")
            .number("tolerance", &TsmOptions::tolerance, {.minimum = 0.0},
                    "stop when ten updates in a row change the residual by a smaller share; 0: never; auto: 0.001, on "
                    "spheres 0.0005")
            .only_with("recipe", {"fast"})
            .number("momentum", &TsmOptions::momentum, {.minimum = 0.0, .maximum = 0.999},
                    "paper's recipe: gamma of eq. 23; 0 is the plain alternation")
            .only_with("recipe", {"paper"})
            .choice("regularize", &TsmOptions::regularize,
                    {{"auto", Toggle::Auto}, {"on", Toggle::On}, {"off", Toggle::Off}},
                    "push the entries off the support down while their sum is too high (eqs. 19-22, the inequality "
                    "turned); auto: on from 16 dimensions, and for the paper's recipe")
            .only_with("solver", {"low-rank"})
            .flag("virtual-inputs", &TsmOptions::virtual_inputs,
                  "lead from each isolated point to its nearest neighbour by points in between")
            .only_with("solver", {"low-rank"})
            .choice(
                "norms", &TsmOptions::norms, {{"exact", OutputNorms::Exact}, {"matched", OutputNorms::Matched}},
                "exact: scale each output to its input's length, which changes no angle; matched: as eq. 9 gives them")
            .only_with("solver", {"low-rank"})
            .integer("seed", &TsmOptions::seed, {.minimum = 0},
                     "of the threshold's sample, the guard vectors, and directions where the start has none");
    return table;
}

}  // namespace isogon
