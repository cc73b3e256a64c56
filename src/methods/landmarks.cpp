#include "isogon/methods/landmarks.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "isogon/core/error.hpp"
#include "isogon/matching/placement.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/methods/transform_rows.hpp"

namespace isogon {

namespace {

/// An option as given, else its default.
OptionValue value_of(const Method& method, const OptionValues& values, std::string_view name) {
    if (const auto given = values.find(name); given != values.end()) {
        return given->second;
    }
    const auto spec = std::find_if(method.options.begin(), method.options.end(),
                                   [&](const OptionSpec& item) { return item.name == name; });
    return spec == method.options.end() ? OptionValue{} : spec->default_value;
}

std::uint64_t whole_value(const Method& method, const OptionValues& values, std::string_view name) {
    const OptionValue value = value_of(method, values, name);
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr && *whole > 0 ? static_cast<std::uint64_t>(*whole) : 0;
}

/// Points are placed by the cosine above which angles are kept: only methods that have one can be extended so.
bool has_threshold(const Method& method) {
    return std::any_of(method.options.begin(), method.options.end(),
                       [](const OptionSpec& spec) { return spec.name == "threshold"; });
}

std::uint64_t landmark_bytes(std::uint64_t count, std::uint64_t numbers) {
    return count * numbers * sizeof(float);
}

/// A limit of what is left when `bytes` of it are taken.
RunContext with_less_memory(RunContext context, std::uint64_t bytes) {
    if (context.memory_limit) {
        *context.memory_limit -= std::min(*context.memory_limit, bytes);
    }
    return context;
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

Embedding fit_points(const Method& method, const PointsView& points, const OptionValues& values,
                     const RunContext& context, const FitExtras& extras) {
    return method.embed_with ? method.embed_with(points, values, context, extras)
                             : method.embed(points, values, context);
}

void add_extension(const Summary& part, Index rows, Index landmarks, Summary& sum) {
    sum.count("landmarks", landmarks);
    sum.count("placed", rows - landmarks);
    for (const auto& [what, value] : part.counts) {
        if (what == "fitted_rows") {
            sum.count("placed_as_landmark", value - landmarks);  // the landmarks are rows equal to one, too
        } else if (what != "landmarks" && what != "unknown") {   // said above
            sum.count("placed_" + what, value);
        }
    }
    for (const auto& [what, value] : part.measures) {
        sum.measure("placed_" + what, value);
    }
    sum.seconds.insert(sum.seconds.end(), part.seconds.begin(), part.seconds.end());
    sum.warnings.insert(sum.warnings.end(), part.warnings.begin(), part.warnings.end());
}

/// The rows that are no landmarks.
std::vector<Index> other_rows(const LandmarkFit& fit, Index count) {
    std::vector<Index> others;
    others.reserve(count - fit.rows.size());
    auto landmark = fit.rows.begin();
    for (Index row = 0; row < count; ++row) {
        if (landmark != fit.rows.end() && *landmark == row) {
            ++landmark;
        } else {
            others.push_back(row);
        }
    }
    return others;
}

void copy_rows(const Points& from, std::span<const Index> rows, Points& to) {
    for (Index i = 0; i < from.count(); ++i) {
        std::copy(from[i].begin(), from[i].end(), to[rows[i]].begin());
    }
}

/// All other rows together. No coordinates come if the context ended the run before there were any.
Summary extend_together(const Transformer& transformer, const LandmarkFit& fit, const RowSource& source, RowSink& sink,
                        const RunContext& context) {
    const std::vector<Index> others = other_rows(fit, source.count());
    const std::uint64_t inputs = landmark_bytes(others.size(), source.dimension());
    const std::uint64_t outputs = landmark_bytes(source.count(), transformer.output_dimension());
    require_memory(context, {{"the points that are no landmarks", inputs}, {"the coordinates", outputs}},
                   "raise the limit, or extend by placement, which holds a block of points at a time");
    const Points rows = read_rows(source, others);
    const Extended extended = transformer.extend(rows.view(), {}, with_less_memory(context, inputs + outputs));
    if (!extended.coordinates.empty()) {
        Points all(source.count(), transformer.output_dimension());
        copy_rows(extended.coordinates, others, all);
        copy_rows(fit.fitted.coordinates, fit.rows, all);
        sink.write(all.view());
    }
    return extended.summary;
}

bool ended_by_context(const Summary& summary) {
    return summary.termination == Termination::Cancelled || summary.termination == Termination::TimeLimit;
}

}  // namespace

const OptionTable<LandmarkOptions>& landmark_option_table() {
    static const auto table =
        OptionTable<LandmarkOptions>()
            .integer("landmarks", &LandmarkOptions::landmarks, {.minimum = 0},
                     "fit so many points only and place all others against them, one by one, out of core; tsm and "
                     "faithful; 0: fit all")
            .choice("landmark-selection", &LandmarkOptions::selection,
                    {{"random", LandmarkSelection::Random}, {"kmeans++", LandmarkSelection::KMeansPlusPlus}},
                    "random: any points alike; kmeans++: spread out, each likelier the farther it is from those "
                    "before, at the cost of its cosine to all points")
            .choice("extension", &LandmarkOptions::extension,
                    {{"placement", LandmarkExtension::Placement},
                     {"weights", LandmarkExtension::Weights},
                     {"llx", LandmarkExtension::LocallyLinear}},
                    "how the others come among the landmarks: placement, by the equation of the fit; weights, mixed of "
                    "the nearest landmarks; both row by row; llx, all rows together, in memory (Saul 2022)");
    return table;
}

void require_landmarks(const Method& method, const OptionValues& values, const LandmarkOptions& options, Index points) {
    landmark_option_table().validate(options);
    if (!has_threshold(method)) {
        throw InvalidArgument("landmarks", std::to_string(options.landmarks),
                              method.name + " has none; tsm and faithful have, leave it out for other methods");
    }
    require_transform(method.name, values);
    if (options.landmarks < 2 || static_cast<std::uint64_t>(options.landmarks) >= points) {
        throw InvalidArgument("landmarks", std::to_string(options.landmarks),
                              "must be at least 2 and below " + std::to_string(points) +
                                  ", the number of points; leave it out to fit them all");
    }
}

LandmarkFit fit_landmarks(const Method& method, const RowSource& source, const OptionValues& values,
                          const LandmarkOptions& options, const RunContext& context, const FitExtras& extras) {
    require_landmarks(method, values, options, source.count());
    const auto count = static_cast<Index>(options.landmarks);
    state_need(source, count, whole_value(method, values, "dimension"), context);
    LandmarkFit fit;
    Summary choosing;
    try {
        const PhaseTimer timer(choosing, "choose landmarks");
        const std::uint64_t seed = whole_value(method, values, "seed");
        fit.rows = choose_landmarks(source, count, options.selection, seed, context);
        fit.inputs = read_rows(source, fit.rows);
    } catch (const Interruption& interruption) {
        fit.rows.clear();
        fit.fitted.summary.termination = interruption.reason;
        fit.fitted.summary.message = "ended before the landmarks were chosen";
        return fit;
    }
    const RunContext fitting = with_less_memory(context, landmark_bytes(count, source.dimension()));
    fit.fitted = fit_points(method, fit.inputs.view(), values, fitting, extras);
    auto& seconds = fit.fitted.summary.seconds;
    seconds.insert(seconds.begin(), choosing.seconds.begin(), choosing.seconds.end());
    return fit;
}

Summary extend_landmarks(const Method& method, const LandmarkFit& fit, LandmarkExtension extension,
                         const RowSource& source, RowSink& sink, const RunContext& context) {
    Summary summary = fit.fitted.summary;
    std::optional<Transformer> transformer;
    const std::uint64_t held =
        landmark_bytes(fit.inputs.count(), std::uint64_t{fit.inputs.dimension()} + fit.fitted.coordinates.dimension());
    const RunContext preparing = with_less_memory(context, 2 * held);
    {
        const PhaseTimer timer(summary, "prepare extension");
        transformer.emplace(make_model(method.name, fit.inputs.view(), fit.fitted, Store::Map), preparing);
        if (extension == LandmarkExtension::Weights) {
            transformer->use_weights({});
        }
    }
    const RunContext extending = with_less_memory(
        preparing, Placement::bytes(fit.inputs.count(), fit.inputs.dimension(), fit.fitted.coordinates.dimension()));
    const Summary part =
        extension == LandmarkExtension::LocallyLinear
            ? extend_together(*transformer, fit, source, sink, extending)
            : transform_rows(*transformer, source, sink, extending, {fit.rows, fit.fitted.coordinates.view()});
    add_extension(part, source.count(), fit.inputs.count(), summary);
    if (ended_by_context(part)) {
        summary.termination = part.termination;
        summary.message = part.message;
    }
    return summary;
}

}  // namespace isogon
