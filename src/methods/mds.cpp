#include "isogon/methods/mds.hpp"

#include "isogon/spectral/point_kernel.hpp"
#include "methods/input_checks.hpp"
#include "methods/point_kernel_family.hpp"
#include "methods/spectral_method.hpp"

namespace isogon {

const OptionTable<MdsOptions>& mds_option_table() {
    static const OptionTable<MdsOptions> table =
        OptionTable<MdsOptions>()
            .integer("dimension", &MdsOptions::dimension, {.minimum = 1}, "numbers for each point; higher keeps more")
            .choice("metric", &MdsOptions::metric, {{"euclidean", Metric::Euclidean}, {"cosine", Metric::Cosine}},
                    "whose distances are kept; cosine: chords between directions")
            .number("tolerance", &MdsOptions::tolerance, {.minimum = 0.0, .maximum = 1.0},
                    "eigenvectors are good enough when |A x - lambda x| is so much smaller than |lambda x|")
            .integer("iterations", &MdsOptions::iterations, {.minimum = 1}, "of the eigensolver, at most")
            .integer("seed", &MdsOptions::seed, {.minimum = 0}, "of the eigensolver's start and of landmarks");
    return table;
}

Embedding classical_scaling(const PointsView& x, const MdsOptions& options, const RunContext& context,
                            const FitExtras& extras, const LandmarkOptions* landmarks) {
    mds_option_table().validate(options);
    require_points(x, options.dimension);
    const UnitOfLength unit(x, context);
    const bool cosine = options.metric == Metric::Cosine;
    PointKernelFamily family(
        unit.points(), [=](Summary&) { return KernelShape{.kind = cosine ? KernelKind::Cosine : KernelKind::Linear}; },
        landmarks != nullptr);
    Embedding result = embed_spectrally(family,
                                        {.points = unit.points(),
                                         .dimension = static_cast<Index>(options.dimension),
                                         .tolerance = options.tolerance,
                                         .iterations = options.iterations,
                                         .seed = options.seed,
                                         .metric = options.metric,
                                         .landmarks = landmarks,
                                         .shared = extras.shared},
                                        context);
    if (!cosine) {
        restore_lengths(unit, result);
    }
    result.options = mds_option_table().values(options);
    return result;
}

Method mds_method() {
    return spectral_method<MdsOptions>({"mds",
                                        "classical scaling: distances between all points, as well as they can be",
                                        "Torgerson, Psychometrika 1952",
                                        mds_option_table().specs(),
                                        {}},
                                       mds_option_table(), classical_scaling);
}

}  // namespace isogon
