#include "isogon/transform/placement.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/parallel.hpp"
#include "transform/placement_panel.hpp"

namespace isogon {

struct Placement::Prepared {
    Prepared(const PointsView& inputs, const PointsView& outputs, const PlacementForm& placed_by,
             const RunContext& context)
        : index(inputs, context), directions(inputs, outputs, context), form(placed_by) {}

    PlacementIndex index;
    FittedDirections directions;
    PlacementForm form;
};

namespace {

void require_threshold(double threshold) {
    if (!(threshold > 0.0 && threshold < 1.0)) {
        throw InvalidArgument("threshold", to_text(OptionValue{threshold}),
                              "must be above 0 and below 1, the one that the outputs were fitted with");
    }
}

void require_consistent(const LocalPlacement& local) {
    if (local.neighbors < 1) {
        throw InvalidArgument("neighbors", "0", "must be at least 1");
    }
    if (!(local.weight >= 0.0 && local.weight <= LocalPlacement::most_weight)) {
        throw InvalidArgument("weight", to_text(OptionValue{local.weight}),
                              "must be from 0 to " + to_text(OptionValue{LocalPlacement::most_weight}));
    }
    if (local.weight > 0.0) {
        require_threshold(local.threshold);
    }
}

void require_fitted(const PointsView& inputs, const PointsView& outputs) {
    if (inputs.dimension == 0 || outputs.dimension == 0) {
        throw InvalidArgument("dimension", "0", "fitted inputs and outputs must have at least one coordinate");
    }
    if (inputs.count != outputs.count) {
        throw InvalidArgument("outputs", std::to_string(outputs.count),
                              "must be " + std::to_string(inputs.count) + ", one for each fitted input");
    }
    require_finite(inputs, "fitted inputs");
    require_finite(outputs, "fitted outputs");
}

/// Lengths of the rows; throws for rows that cannot be placed.
std::vector<double> lengths_of(const PointsView& rows, Index dimension) {
    if (rows.dimension != dimension) {
        throw InvalidArgument("dimension", std::to_string(rows.dimension),
                              "must be " + std::to_string(dimension) + ", that of the fitted inputs");
    }
    require_finite(rows, "input");
    std::vector<double> lengths = norms(rows);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] > double{std::numeric_limits<float>::max()}) {
            throw InputError("input", "row " + std::to_string(i),
                             "its length is beyond the largest number of float32: divide all data by 1000, say");
        }
    }
    return lengths;
}

void add(const PlacementCounts& part, PlacementCounts& sum) {
    sum.isolated += part.isolated;
    sum.unsettled += part.unsettled;
    sum.steps += part.steps;
    sum.passes += part.passes;
    sum.cosine_seconds += part.cosine_seconds;
    sum.product_seconds += part.product_seconds;
    sum.step_seconds += part.step_seconds;
}

/// Writes the rows that need no iteration; returns the others.
std::vector<Index> unknown_rows(const PointsView& rows, const std::vector<double>& lengths, const PlacementIndex& index,
                                const PointsView& outputs, Placed& placed) {
    std::vector<Index> unknown;
    for (Index i = 0; i < rows.count; ++i) {
        if (const auto fitted = index.find(rows[i])) {
            std::copy_n(outputs[*fitted].begin(), outputs.dimension, placed.outputs[i].begin());
            ++placed.counts.fitted;
        } else if (lengths[i] == 0.0) {
            ++placed.counts.zero_vectors;
        } else {
            unknown.push_back(i);
        }
    }
    return unknown;
}

void write(const SphereState& state, double length, std::span<float> output) {
    std::transform(state.u.begin(), state.u.end(), output.begin(),
                   [length](double component) { return static_cast<float>(length * component); });
}

}  // namespace

const OptionTable<PlacementOptions>& placement_option_table() {
    static const OptionTable<PlacementOptions> table =
        OptionTable<PlacementOptions>()
            .integer("neighbors", &PlacementOptions::neighbors, {.minimum = 1},
                     "nearest fitted points: the start is their mean, and they stand in where none is above the "
                     "threshold")
            .integer("steps", &PlacementOptions::steps, {.minimum = 0}, "most Newton steps of a row")
            .number("tolerance", &PlacementOptions::tolerance, {.minimum = 0.0, .maximum = 1.0, .open = true},
                    "radians; a row is settled when its Newton step is shorter");
    return table;
}

Placement::Placement(const PointsView& inputs, const PointsView& outputs, double threshold,
                     const PlacementOptions& options, const RunContext& context)
    : inputs_(inputs), outputs_(outputs), options_(options) {
    placement_option_table().validate(options);
    require_threshold(threshold);
    prepare(PlacementForm(threshold), context);
}

Placement::Placement(const PointsView& inputs, const PointsView& outputs, const LocalPlacement& local,
                     const PlacementOptions& options, const RunContext& context)
    : inputs_(inputs), outputs_(outputs), options_(options) {
    placement_option_table().validate(options);
    require_consistent(local);
    prepare(PlacementForm(local), context);
}

void Placement::prepare(const PlacementForm& form, const RunContext& context) {
    require_fitted(inputs_, outputs_);
    require_memory(context,
                   {{"the directions of the fitted points",
                     FittedDirections::bytes(inputs_.count, inputs_.dimension, outputs_.dimension)},
                    {"the index of the fitted points", PlacementIndex::bytes(inputs_.count)}},
                   "raise the limit or fit fewer points");
    prepared_ = std::make_shared<const Prepared>(inputs_, outputs_, form, context);
}

std::uint64_t Placement::bytes(Index count, Index input_dimension, Index output_dimension) {
    return FittedDirections::bytes(count, input_dimension, output_dimension) + PlacementIndex::bytes(count);
}

Placed Placement::place(const PointsView& rows, const RunContext& context) const {
    const std::vector<double> lengths = lengths_of(rows, inputs_.dimension);
    const auto threads = static_cast<std::uint64_t>(context.thread_count());
    require_memory(
        context,
        {{"the outputs", std::uint64_t{rows.count} * (outputs_.dimension * sizeof(float) + 2 * sizeof(double))},
         {"lists of neighbours", threads * PlacementPanel::bytes(fitted_count(), inputs_.dimension, outputs_.dimension,
                                                                 prepared_->form, options_)}},
        "raise the limit, or place fewer rows at a time or on fewer threads");
    Placed placed{Points(rows.count, outputs_.dimension), {}};
    const std::vector<Index> unknown = unknown_rows(rows, lengths, prepared_->index, outputs_, placed);
    const std::size_t panels = block_count(unknown.size(), panel_width);
    std::vector<PlacementCounts> parts(panels);
    const auto place_panel = [&](std::size_t p) {
        const Range range = block_range(p, unknown.size(), panel_width);
        const std::span<const Index> chosen = std::span(unknown).subspan(range.begin, range.size());
        PlacementPanel panel(prepared_->directions, prepared_->form, options_);
        const auto states = panel.place(pack_directions(rows, lengths, chosen, {.threads = 1}), parts[p]);
        for (std::size_t r = 0; r < states.size(); ++r) {
            write(states[r], lengths[chosen[r]], placed.outputs[chosen[r]]);
        }
    };
    // In groups, so that the calling thread can end the run and report progress between groups.
    constexpr std::size_t group = 32;
    for (std::size_t start = 0; start < panels; start += group) {
        throw_if_cancelled(context);
        const std::size_t count = std::min(group, panels - start);
        parallel_tasks(context, count, [&](std::size_t i) { place_panel(start + i); });
        context.report({"placement", start + count, panels, 0.0});
    }
    for (const PlacementCounts& part : parts) {
        add(part, placed.counts);
    }
    return placed;
}

Points Placement::coordinates_of(const PointsView& rows, Summary& summary, const RunContext& context) const {
    Placed placed = place(rows, context);
    summary.count("fitted_rows", placed.counts.fitted);
    summary.count("zero_vectors", placed.counts.zero_vectors);
    summary.count("isolated", placed.counts.isolated);
    summary.count("unsettled", placed.counts.unsettled);
    return std::move(placed.outputs);
}

}  // namespace isogon
