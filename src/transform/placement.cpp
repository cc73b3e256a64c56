#include "transform/placement.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "transform/placement_panel.hpp"
#include "transform/placement_rows.hpp"

namespace isogon {

struct Placement::Prepared {
    Prepared(const PointsView& inputs, const PointsView& outputs, const RunContext& context)
        : index(inputs, context), directions(inputs, outputs, context) {}

    EqualRowLookup index;
    FittedDirections directions;
};

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
    : inputs_(inputs), outputs_(outputs), threshold_(threshold), options_(options) {
    placement_option_table().validate(options);
    require_threshold(threshold);
    require_fitted(inputs_, outputs_);
    require_memory(context,
                   {{"the directions of the fitted points",
                     FittedDirections::bytes(inputs_.count, inputs_.dimension, outputs_.dimension)},
                    {"the index of the fitted points", EqualRowLookup::bytes(inputs_.count)}},
                   "raise the limit or fit fewer points");
    prepared_ = std::make_shared<const Prepared>(inputs_, outputs_, context);
}

std::uint64_t Placement::bytes(Index count, Index input_dimension, Index output_dimension) {
    return FittedDirections::bytes(count, input_dimension, output_dimension) + EqualRowLookup::bytes(count);
}

Placed Placement::place(const PointsView& rows, const RunContext& context) const {
    const std::vector<double> lengths = lengths_of(rows, inputs_.dimension);
    const auto threads = static_cast<std::uint64_t>(context.thread_count());
    require_memory(
        context,
        {{"the outputs", std::uint64_t{rows.count} * (outputs_.dimension * sizeof(float) + 2 * sizeof(double))},
         {"lists of neighbours",
          threads * PlacementPanel::bytes(fitted_count(), inputs_.dimension, outputs_.dimension, options_)}},
        "raise the limit, or place fewer rows at a time or on fewer threads");
    Placed placed{Points(rows.count, outputs_.dimension), {}};
    const std::vector<Index> unknown = unknown_rows(rows, lengths, prepared_->index, outputs_, placed);
    const std::size_t panels = block_count(unknown.size(), panel_width);
    std::vector<PlacementCounts> parts(panels);
    const auto place_panel = [&](std::size_t p) {
        const Range range = block_range(p, unknown.size(), panel_width);
        const std::span<const Index> chosen = std::span(unknown).subspan(range.begin, range.size());
        PlacementPanel panel(prepared_->directions, threshold_, options_);
        const auto states = panel.place(pack_directions(rows, lengths, chosen, {.threads = 1}), parts[p]);
        for (std::size_t r = 0; r < states.size(); ++r) {
            write_direction(states[r].u, lengths[chosen[r]], placed.outputs[chosen[r]]);
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
        add_counts(part, placed.counts);
    }
    return placed;
}

Points Placement::coordinates_of(const PointsView& rows, Transformed& transformed, const RunContext& context) const {
    Summary& summary = transformed.summary;
    Placed placed = place(rows, context);
    summary.count("fitted_rows", placed.counts.fitted);
    summary.count("zero_vectors", placed.counts.zero_vectors);
    summary.count("isolated", placed.counts.isolated);
    summary.count("unsettled", placed.counts.unsettled);
    return std::move(placed.outputs);
}

}  // namespace isogon
