#include "isogon/methods/lle2.hpp"

#include "isogon/graph/barycentric_weights.hpp"
#include "methods/two_kernel_layout.hpp"

namespace isogon {

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
    Method method{"lle2", "locally linear embedding with a kernel on the outputs, by forces, for pictures",
                  "Draganov and Dohn, Unexplainable Explanations, 2023, section 5.2", lle2_option_table().specs(),
                  [](const PointsView& x, const OptionValues& values, const RunContext& context) {
                      return lle2(x, lle2_option_table().make(values), context);
                  }};
    method.embed_with = [](const PointsView& x, const OptionValues& values, const RunContext& context,
                           const FitExtras& extras) {
        return lle2(x, lle2_option_table().make(values), context, extras);
    };
    method.uses_neighbors = true;
    method.accepts_init = true;
    return method;
}

}  // namespace isogon
