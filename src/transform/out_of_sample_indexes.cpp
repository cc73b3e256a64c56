#include <string>
#include <string_view>
#include <utility>

#include "core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "transform/distance_placement.hpp"
#include "transform/proximity_graph.hpp"

namespace isogon {

namespace {

constexpr std::string_view prefix = "index.";

/// The share of a row's near inputs to find: fewer are found a little faster, and rows placed by them keep fewer
/// (bench/placement-index).
constexpr double recall = 0.98;

NeighborIndexOptions index_options(const LocalPlacement& local) {
    return {.metric = local.metric, .neighbors = local.neighbors, .recall = recall};
}

/// The arrays of one index alone, without their prefix.
Archive index_in(const Archive& model, Metric metric) {
    Archive index{.kind = ArchiveKind::IvfIndex};
    index.notes.emplace("metric", name(metric));
    index.source = model.source + ", the index of its inputs";
    for (const auto& [name, array] : model.arrays) {
        if (name.starts_with(prefix)) {
            index.arrays.emplace(name.substr(prefix.size()), array);
        }
    }
    return index;
}

std::unique_ptr<const ProximityGraph> graph_in(const Archive& model, const PointsView& outputs,
                                               const LocalPlacement& local, const RunContext& context) {
    ArchiveSchema schema(ArchiveKind::Model);
    ProximityGraph::describe(schema);
    schema.require(model, {{"n", outputs.count}});
    return std::make_unique<const ProximityGraph>(outputs, output_radii(local), model, context);
}

}  // namespace

OutOfSampleIndexes::OutOfSampleIndexes(const PointsView& inputs, const PointsView& outputs, const LocalPlacement& local,
                                       const RunContext& context)
    : inputs_(inputs, index_options(local), context),
      outputs_(std::make_unique<const ProximityGraph>(outputs, output_radii(local), local.neighbors, context)) {}

OutOfSampleIndexes::OutOfSampleIndexes(const PointsView& inputs, const PointsView& outputs, const LocalPlacement& local,
                                       const Archive& model, const RunContext& context)
    : inputs_(index_in(model, local.metric), inputs, context), outputs_(graph_in(model, outputs, local, context)) {}

OutOfSampleIndexes::~OutOfSampleIndexes() = default;
OutOfSampleIndexes::OutOfSampleIndexes(OutOfSampleIndexes&&) noexcept = default;
OutOfSampleIndexes& OutOfSampleIndexes::operator=(OutOfSampleIndexes&&) noexcept = default;

void OutOfSampleIndexes::save(Archive& model) const {
    for (auto& [name, array] : inputs_.archive_beside_points().arrays) {
        model.add(std::string(prefix) + name, std::move(array));
    }
    outputs_->save(model);
}

bool OutOfSampleIndexes::are_in(const Archive& model) {
    return model.has("output_edges");
}

std::uint64_t OutOfSampleIndexes::bytes(Index count, Index input_dimension, Index output_dimension) {
    return IvfIndex::bytes(count, input_dimension) + ProximityGraph::bytes(count, output_dimension);
}

}  // namespace isogon
