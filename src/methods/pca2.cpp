#include "isogon/methods/pca2.hpp"

#include "isogon/graph/fuzzy_affinities.hpp"
#include "methods/two_kernel_layout.hpp"

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
    Method method{"pca2", "principal components with a kernel on the outputs too, by forces between all pairs",
                  "Draganov and Dohn, Unexplainable Explanations, 2023, section 5.1", pca2_option_table().specs(),
                  [](const PointsView& x, const OptionValues& values, const RunContext& context) {
                      return pca2(x, pca2_option_table().make(values), context);
                  }};
    method.embed_with = [](const PointsView& x, const OptionValues& values, const RunContext& context,
                           const FitExtras& extras) {
        return pca2(x, pca2_option_table().make(values), context, extras);
    };
    method.uses_neighbors = true;
    method.accepts_init = true;
    return method;
}

}  // namespace isogon
