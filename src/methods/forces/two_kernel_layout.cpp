#include "isogon/methods/two_kernel_layout.hpp"

#include "isogon/graph/barycentric_weights.hpp"
#include "isogon/graph/calibrated_affinities.hpp"
#include "methods/forces/two_kernel_run.hpp"
#include "methods/method_entry.hpp"

namespace isogon {

const OptionTable<Pca2Options>& pca2_option_table() {
    static const OptionTable<Pca2Options> table =
        OptionTable<Pca2Options>()
            .integer("dimension", &Pca2Options::dimension, {.minimum = 1}, "numbers for each point; two make a picture")
            .integer("neighbors", &Pca2Options::neighbors, {.minimum = 1},
                     "nearest points to which the input kernel is not 0; more widen it")
            .integer("iterations", &Pca2Options::iterations, {.minimum = 1}, "at most; each looks at all pairs")
            .number("tolerance", &Pca2Options::tolerance, {.minimum = 0.0, .maximum = 1.0},
                    "outputs are at rest when ten iterations lower the objective by a smaller share of it; 0: never")
            .choice("start", &Pca2Options::start, {{"pca", Pca2Start::Pca}, {"random", Pca2Start::Random}},
                    "where outputs begin; pca leaves large shapes where they are in the data")
            .integer("seed", &Pca2Options::seed, {.minimum = 0},
                     "of random starts, the noise on others, and approximate neighbours");
    return table;
}

Embedding pca2(const PointsView& x, const Pca2Options& options, const RunContext& context, const FitExtras& extras) {
    pca2_option_table().validate(options);
    const TwoKernelRun run{
        .dimension = options.dimension,
        .neighbors = options.neighbors,
        .iterations = options.iterations,
        .tolerance = options.tolerance,
        .random_start = options.start == Pca2Start::Random,
        .seed = options.seed,
        .objective = [](const PointsView& /*points*/, const NeighborLists& lists, const RunContext& running) {
            return pca_with_two_kernels(fuzzy_affinities(lists, 1.0, running));
        }};
    Embedding result = lay_out_by_two_kernels(x, run, extras, context);
    result.options = pca2_option_table().values(options);
    return result;
}

Method pca2_method() {
    Method method =
        method_entry({.name = "pca2",
                      .title = "principal components with a kernel on the outputs too, by forces between all pairs",
                      .source = "Draganov and Dohn, Unexplainable Explanations, 2023, section 5.1"},
                     pca2_option_table(), pca2);
    method.uses_neighbors = true;
    method.accepts_init = true;
    return method;
}

const OptionTable<Lle2Options>& lle2_option_table() {
    static const OptionTable<Lle2Options> table =
        OptionTable<Lle2Options>()
            .integer("dimension", &Lle2Options::dimension, {.minimum = 1}, "numbers for each point; two make a picture")
            .integer("neighbors", &Lle2Options::neighbors, {.minimum = 1},
                     "nearest points that rebuild each; more rebuild it from farther away")
            .number("ridge", &Lle2Options::ridge, {.minimum = 1e-10, .maximum = 1e10},
                    "keeps the weights small, as compared with a point's distances to its neighbours")
            .choice("closeness", &Lle2Options::closeness,
                    {{"squares", Lle2Closeness::Squares}, {"values", Lle2Closeness::Values}},
                    "what all pairs are pushed apart by: squares of the output kernel, as the objective is written, or "
                    "its values, as its forces are")
            .integer("iterations", &Lle2Options::iterations, {.minimum = 1}, "at most; each looks at all pairs")
            .number("tolerance", &Lle2Options::tolerance, {.minimum = 0.0, .maximum = 1.0},
                    "outputs are at rest when ten iterations lower the objective by a smaller share of it; 0: never")
            .choice("start", &Lle2Options::start, {{"pca", Lle2Start::Pca}, {"random", Lle2Start::Random}},
                    "where outputs begin; pca leaves large shapes where they are in the data")
            .integer("seed", &Lle2Options::seed, {.minimum = 0},
                     "of random starts, the noise on others, and approximate neighbours");
    return table;
}

Embedding lle2(const PointsView& x, const Lle2Options& options, const RunContext& context, const FitExtras& extras) {
    lle2_option_table().validate(options);
    const ClosenessCost cost =
        options.closeness == Lle2Closeness::Squares ? ClosenessCost::Squares : ClosenessCost::Values;
    const TwoKernelRun run{
        .dimension = options.dimension,
        .neighbors = options.neighbors,
        .iterations = options.iterations,
        .tolerance = options.tolerance,
        .random_start = options.start == Lle2Start::Random,
        .seed = options.seed,
        .objective = [&](const PointsView& points, const NeighborLists& lists, const RunContext& running) {
            return lle_with_two_kernels(barycentric_weights(points, lists, options.ridge, running), cost, running);
        }};
    Embedding result = lay_out_by_two_kernels(x, run, extras, context);
    result.options = lle2_option_table().values(options);
    return result;
}

Method lle2_method() {
    Method method =
        method_entry({.name = "lle2",
                      .title = "locally linear embedding with a kernel on the outputs, by forces, for pictures",
                      .source = "Draganov and Dohn, Unexplainable Explanations, 2023, section 5.2"},
                     lle2_option_table(), lle2);
    method.uses_neighbors = true;
    method.accepts_init = true;
    return method;
}

}  // namespace isogon
