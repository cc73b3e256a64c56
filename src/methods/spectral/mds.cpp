#include "methods/spectral.hpp"

#include <memory>

#include "methods/input_points.hpp"
#include "methods/method_frame.hpp"
#include "methods/spectral/kernel_family.hpp"
#include "methods/spectral/spectral_family.hpp"
#include "methods/spectral/spectral_steps.hpp"
#include "neighbors/distance_table.hpp"
#include "spectral/dense_kernel.hpp"

namespace isogon {

const OptionTable<MdsOptions>& mds_option_table() {
    static const OptionTable<MdsOptions> table = with_eigensolver_options(
        OptionTable<MdsOptions>()
            .integer("dimension", &MdsOptions::dimension, {.minimum = 1}, "numbers for each point; higher keeps more")
            .choice("metric", &MdsOptions::metric,
                    {{"euclidean", MdsMetric::Euclidean},
                     {"cosine", MdsMetric::Cosine},
                     {"precomputed", MdsMetric::Precomputed}},
                    "whose distances are kept; cosine: chords between directions; precomputed: the input is a square "
                    "table of distances"),
        "lambda x", " and of landmarks");
    return table;
}

namespace {

std::unique_ptr<SpectralFamily> family_of(const PointsView& x, MdsMetric metric, bool reduced) {
    if (metric == MdsMetric::Precomputed) {
        return std::make_unique<TableFamily>(x, TableFamily::of_distance, reduced);
    }
    const KernelKind kind = metric == MdsMetric::Cosine ? KernelKind::Cosine : KernelKind::Linear;
    return std::make_unique<PointKernelFamily>(
        x, [kind](Summary&) { return KernelShape{.kind = kind}; }, reduced);
}

}  // namespace

Embedding classical_scaling(const PointsView& x, const MdsOptions& options, const RunContext& context,
                            const FitExtras& extras, const LandmarkOptions* landmarks) {
    mds_option_table().validate(options);
    if (options.metric == MdsMetric::Precomputed) {
        require_landmarks_of_table(landmarks, "distances");
        require_distance_table(x);
    }
    require_points(x, options.dimension);
    const PowerOfTwoScaling unit(x, context);
    const std::unique_ptr<SpectralFamily> family = family_of(unit.points(), options.metric, landmarks != nullptr);
    const bool cosine = options.metric == MdsMetric::Cosine;
    SpectralRun run = spectral_run(unit.points(), options, landmarks, extras);
    run.metric = cosine ? Metric::Cosine : Metric::Euclidean;
    run.measures_mixtures = options.metric == MdsMetric::Euclidean;
    Embedding result = embed_spectrally(*family, run, beside(context, unit.bytes()));
    if (!cosine) {
        restore_lengths(unit, result);
        warn_of_mixtures(x.count, landmarks, result.summary);
    }
    if (options.metric == MdsMetric::Precomputed) {
        result.barycentric_map.reset();  // new points are not mixtures of rows of distances
    }
    const bool wide = options.metric != MdsMetric::Precomputed && landmarks == nullptr;
    warn_of_rounding(result.summary.value("eigenvalue_0") * (wide ? rounding_of_wide_products : rounding_of_products),
                     result.summary);
    result.options = mds_option_table().values(options);
    return result;
}

Method mds_method() {
    return method_entry({.name = "mds",
                         .title = "classical scaling: distances between all points, as well as they can be",
                         .source = "Torgerson, Psychometrika 1952"},
                        mds_option_table(), classical_scaling);
}

}  // namespace isogon
