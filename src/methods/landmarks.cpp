#include "isogon/methods/landmarks.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/transform/new_point_map.hpp"
#include "methods/fitting_defaults.hpp"
#include "methods/method_frame.hpp"
#include "methods/shared_steps.hpp"
#include "transform/locally_linear_extension.hpp"
#include "transform/placement.hpp"

namespace isogon {

namespace {

/// Methods whose objective places points among fitted ones.
bool places_points(const Method& method) {
    return method.name == "faithful" || method.name == "tsm";
}

std::uint64_t landmark_bytes(std::uint64_t count, std::uint64_t numbers) {
    return count * numbers * sizeof(float);
}

/// Everything that is held while points are placed, but the block in hand.
void state_need(const RowSource& source, Index landmarks, std::uint64_t dimension, const RunContext& context) {
    const std::uint64_t numbers = source.dimension() + dimension;
    const auto d = static_cast<Index>(std::min<std::uint64_t>(dimension, source.dimension()));
    require_memory(context,
                   {{"the landmarks and the model of them", 2 * landmark_bytes(landmarks, numbers)},
                    {"what they are placed against", Placement::bytes(landmarks, source.dimension(), d)},
                    {"a block of points", rows_per_block(source.count(), numbers) * numbers * sizeof(float)}},
                   "raise the limit or choose fewer landmarks");
}

void add_placed(const Summary& part, Index rows, Index landmarks, bool one_by_one, Summary& sum) {
    sum.count("landmarks", landmarks);
    sum.count("placed", rows - landmarks);
    sum.seconds.insert(sum.seconds.end(), part.seconds.begin(), part.seconds.end());
    if (!one_by_one) {
        return;
    }
    // The landmarks themselves are rows equal to a landmark.
    sum.count("placed_as_landmark", part.value("fitted_rows") - landmarks);
    for (const char* what : {"isolated", "unsettled", "zero_vectors"}) {
        sum.count(std::string("placed_") + what, part.value(what));
    }
}

}  // namespace

const OptionTable<LandmarkOptions>& landmark_option_table() {
    static const auto table =
        OptionTable<LandmarkOptions>()
            .integer(
                "landmarks", &LandmarkOptions::landmarks, {.minimum = 0},
                "fit so many points only and extend to all others; tsm, faithful and spectral methods; 0: fit all; of "
                "lsde, what all others are combinations of; 0: 40, or twice the dimension")
            .choice("landmark-selection", &LandmarkOptions::selection,
                    {{"random", LandmarkSelection::Random},
                     {"kmeans++", LandmarkSelection::KMeansPlusPlus},
                     {"farthest", LandmarkSelection::Farthest}},
                    "which points are landmarks; random: any alike; kmeans++: spread out, each likelier the farther it "
                    "is from those "
                    "before, at the cost of its cosine to all points; farthest: each the farthest from those before")
            .only_with("landmarks")
            .choice("extension", &LandmarkOptions::extension,
                    {{"auto", LandmarkExtension::Auto},
                     {"placement", LandmarkExtension::Placement},
                     {"weights", LandmarkExtension::Weights},
                     {"llx", LandmarkExtension::Llx},
                     {"lll", LandmarkExtension::Lll},
                     {"nystrom", LandmarkExtension::Nystrom}},
                    "how other points are placed; placement (auto of faithful and tsm): each point against all "
                    "landmarks, out of core; weights: "
                    "a mixture of its nearest landmarks; llx: all together from their nearest neighbours; lll (auto of "
                    "spectral methods): the problem of all points, solved for landmarks; nystrom: by the kernel")
            .only_with("landmarks")
            .integer("extension-neighbors", &LandmarkOptions::neighbors, {.minimum = 0},
                     "how many neighbours rebuild a point (not of placement); 0: four times the dimension, of spectral "
                     "methods one more than the dimension")
            .only_with("landmarks")
            .only_with("extension", {"auto", "weights", "llx", "lll"});
    return table;
}

/// Options that would change nothing are a mistake.
void require_their_extension(const LandmarkOptions& options) {
    const LandmarkOptions defaults;
    if (options.extension == LandmarkExtension::Lll || options.extension == LandmarkExtension::Nystrom) {
        throw InvalidArgument("extension", options.extension == LandmarkExtension::Lll ? "lll" : "nystrom",
                              "belongs to spectral methods; faithful and tsm have placement, weights and llx");
    }
    const bool placement =
        options.extension == LandmarkExtension::Placement || options.extension == LandmarkExtension::Auto;
    if (placement && options.neighbors != defaults.neighbors) {
        throw InvalidArgument("extension-neighbors", std::to_string(options.neighbors),
                              {"has no effect with placement, which is what auto means here: give ",
                               Text::option("extension"), " weights or llx too, or leave this out"});
    }
}

void require_landmarks(const Method& method, const OptionValues& values, const LandmarkOptions& options, Index points) {
    landmark_option_table().validate(options);
    require_their_extension(options);
    if (!places_points(method)) {
        throw InvalidArgument(
            "landmarks", std::to_string(options.landmarks),
            method.name + " has none; faithful, tsm, lsde and spectral methods have, leave it out for others");
    }
    require_transform(values);
    const OptionValue dimensions = option_of(method.options, values, "dimension");
    if (std::holds_alternative<std::monostate>(dimensions)) {
        throw InvalidArgument("dimension", "auto",
                              "needs all points fitted: find it on a sample without landmarks, and give the number");
    }
    const auto dimension = std::get<std::int64_t>(dimensions);
    if (options.landmarks >= 2 && options.landmarks <= dimension) {
        throw InvalidArgument(
            "landmarks", std::to_string(options.landmarks),
            {"must be above " + std::to_string(dimension) + ", the dimension of the coordinates; raise it, or lower ",
             Text::option("dimension")});
    }
    if (options.landmarks < 2 || static_cast<std::uint64_t>(options.landmarks) >= points) {
        throw InvalidArgument("landmarks", std::to_string(options.landmarks),
                              "must be at least 2 and below " + std::to_string(points) +
                                  ", the number of points; leave it out to fit them all");
    }
}

LandmarkFit fit_landmarks(const LandmarkRun& run, const OptionValues& values, const FitExtras& extras) {
    const auto& [method, source, options, context] = run;
    const OptionValues used = with_fitting_defaults(
        method, values,
        {.points = source.count(), .features = source.dimension(), .landmarks = std::int64_t{options.landmarks}});
    require_landmarks(method, used, options, source.count());
    const auto count = static_cast<Index>(options.landmarks);
    state_need(source, count, positive_number(option_of(method.options, used, "dimension")), context);
    LandmarkFit fit;
    Summary choosing;
    try {
        const PhaseTimer timer(choosing, "choose landmarks");
        const std::uint64_t seed = positive_number(option_of(method.options, used, "seed"));
        fit.rows = choose_landmarks(source, count, options.selection, seed, context);
        fit.inputs = read_rows(source, fit.rows);
    } catch (const Interruption& interruption) {
        fit.rows.clear();
        fit.fitted.summary.termination = interruption.reason;
        fit.fitted.summary.message = "ended before the landmarks were chosen";
        return fit;
    }
    const RunContext fitting = beside(context, landmark_bytes(count, source.dimension()));
    fit.fitted = method.embed(fit.inputs.view(), used, fitting, extras);
    auto& seconds = fit.fitted.summary.seconds;
    seconds.insert(seconds.begin(), choosing.seconds.begin(), choosing.seconds.end());
    return fit;
}

namespace {

/// Placement or weights: row by row, in the memory of a block.
Summary extend_by_rows(const LandmarkRun& run, const LandmarkFit& fit, RowSink& sink) {
    const auto& [method, source, options, context] = run;
    Summary summary = fit.fitted.summary;
    std::optional<Transformer> transformer;
    const std::uint64_t held =
        landmark_bytes(fit.inputs.count(), std::uint64_t{fit.inputs.dimension()} + fit.fitted.coordinates.dimension());
    const RunContext placing = beside(context, 2 * held);
    {
        const PhaseTimer timer(summary, "prepare extension");
        transformer.emplace(make_model(method.name, fit.inputs.view(), fit.fitted), placing);
    }
    if (options.extension == LandmarkExtension::Weights) {
        transformer->use_weights({.neighbors = options.neighbors});
    }
    const std::uint64_t prepared =
        Placement::bytes(fit.inputs.count(), fit.inputs.dimension(), fit.fitted.coordinates.dimension());
    const Summary part = transform_rows(transformer->map(), source, sink, beside(placing, prepared),
                                        {fit.rows, fit.fitted.coordinates.view()})
                             .summary;
    const bool placed = options.extension != LandmarkExtension::Weights;
    add_placed(part, source.count(), fit.inputs.count(), placed, summary);
    if (part.termination != Termination::Converged) {
        summary.termination = part.termination;
        summary.message = part.message;
    }
    return summary;
}

/// The summary of the fit with the additions of the extension.
Summary joined_summary(const Summary& fitted, const Summary& extension, bool complete) {
    Summary summary = fitted;
    summary.seconds.insert(summary.seconds.end(), extension.seconds.begin(), extension.seconds.end());
    summary.count("landmarks", extension.value("landmarks"));
    summary.count("placed", extension.value("unknown"));
    summary.count("unreached", extension.value("unreached"));
    summary.count("extension_neighbors", extension.value("neighbors"));
    summary.count("extension_iterations", extension.value("iterations"));
    summary.measure("extension_residual", extension.value("residual"));
    summary.measure("neighbor_recall", extension.value("neighbor_recall", 1.0));
    summary.warnings.insert(summary.warnings.end(), extension.warnings.begin(), extension.warnings.end());
    if (!complete) {
        summary.termination = extension.termination;
        summary.message = extension.message;
    }
    return summary;
}

/// All points are read, the neighbours of each searched unless `lists` has them, and the unknown coordinates found
/// together by LLX. Memory stated first: all points, and what search and solution take.
Summary extend_by_llx(const LandmarkRun& run, const LandmarkFit& fit, RowSink& sink, const NeighborLists* lists) {
    const auto& [method, source, options, context] = run;
    Summary reading;
    const std::uint64_t bytes = std::uint64_t{source.count()} * source.dimension() * sizeof(float);
    require_memory(context, {{"all points", bytes}},
                   "raise the limit, or use the extension placement, which works block by block");
    Points points(source.count(), source.dimension());
    {
        const PhaseTimer timer(reading, "read");
        source.read(0, points.values());
    }
    const LocallyLinearExtension extension =
        extend_among(points.view(), {fit.rows, fit.fitted.coordinates.view()}, lists, {.neighbors = options.neighbors},
                     beside(context, bytes));
    const bool complete = !extension.outputs.empty() && !was_interrupted(extension.summary.termination);
    Summary summary = joined_summary(fit.fitted.summary, extension.summary, complete);
    summary.seconds.insert(summary.seconds.end(), reading.seconds.begin(), reading.seconds.end());
    if (complete) {
        sink.write(extension.outputs.view());
    }
    return summary;
}

}  // namespace

Summary extend_to_all(const LandmarkRun& run, const LandmarkFit& fit, RowSink& sink, const NeighborLists* lists) {
    return run.options.extension == LandmarkExtension::Llx ? extend_by_llx(run, fit, sink, lists)
                                                           : extend_by_rows(run, fit, sink);
}

}  // namespace isogon
