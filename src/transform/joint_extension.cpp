#include "transform/locally_linear_extension.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "neighbors/exact_neighbors.hpp"

namespace isogon {

namespace {

/// The new rows first, so that their numbers are those that the caller knows.
Points joined(const PointsView& rows, const PointsView& inputs) {
    Points all(rows.count + inputs.count, rows.dimension);
    for (Index i = 0; i < all.count(); ++i) {
        const auto from = i < rows.count ? rows[i] : inputs[i - rows.count];
        std::copy(from.begin(), from.end(), all[i].begin());
    }
    return all;
}

/// Checks the memory of the neighbour search and the extension, which follow each other.
void state_memory(const PointsView& points, const GivenRows& landmarks, Index neighbors,
                  const LocallyLinearOptions& options, const RunContext& context) {
    const std::uint64_t extension =
        neighbor_bytes(points.count, neighbors) + locally_linear_bytes(points, landmarks, options, context);
    const std::uint64_t search = exact_neighbors_bytes(points.count, points.dimension, neighbors);
    require_memory(context, {{"neighbours, weights and the joint solution", std::max(extension, search)}},
                   "raise the limit, take fewer neighbors, or place row by row, which needs no lists");
}

}  // namespace

LocallyLinearExtension extend_among(const PointsView& points, const GivenRows& landmarks, const NeighborLists* lists,
                                    const LocallyLinearOptions& options, const RunContext& context) {
    const Index neighbors = locally_linear_neighbors(options, landmarks.coordinates.dimension, points.count);
    state_memory(points, landmarks, neighbors, options, context);
    const RunContext inner = already_stated(context);
    if (lists != nullptr) {
        return extend_locally_linearly(points, landmarks, *lists, options, inner);
    }
    Summary searching;
    NeighborSearch search;
    try {
        const PhaseTimer timer(searching, "neighbors");
        search = search_step(points, {.neighbors = neighbors, .metric = locally_linear_metric}, inner);
    } catch (const Interruption& interruption) {
        searching.termination = interruption.reason;
        searching.message = "ended before the neighbours were known";
        return {.outputs = {}, .unreached = {}, .summary = std::move(searching)};
    }
    LocallyLinearExtension extension = extend_locally_linearly(points, landmarks, search.lists, options, inner);
    Summary& summary = extension.summary;
    summary.seconds.insert(summary.seconds.begin(), searching.seconds.begin(), searching.seconds.end());
    summary.warnings.insert(summary.warnings.end(), search.summary.warnings.begin(), search.summary.warnings.end());
    summary.measure("neighbor_recall", search.summary.value("recall", 1.0));
    return extension;
}

Extended extend_jointly(const PointsView& rows, const FittedPoints& fitted, const LocallyLinearOptions& options,
                        const RunContext& context, const NeighborLists* lists) {
    const auto& [inputs, coordinates] = fitted;
    locally_linear_option_table().validate(options);
    require_finite(rows, "input");
    if (rows.count > std::numeric_limits<Index>::max() - inputs.count) {
        throw InvalidArgument("points", std::to_string(rows.count),
                              "with the fitted ones they are more than 32 bits count; extend fewer at a time");
    }
    Extended result;
    result.summary.threads = context.thread_count();
    if (rows.count == 0) {
        result.summary.message = "no points";
        return result;
    }
    const std::uint64_t copy = (std::uint64_t{rows.count} + inputs.count) * rows.dimension * sizeof(float);
    require_memory(context, {{"a copy of all points", copy}}, "raise the limit or extend fewer points at a time");
    const Points all = joined(rows, inputs);
    std::vector<Index> landmarks(inputs.count);
    std::iota(landmarks.begin(), landmarks.end(), rows.count);
    LocallyLinearExtension extension =
        extend_among(all.view(), {landmarks, coordinates}, lists, options, beside(context, copy));
    result.summary = std::move(extension.summary);
    result.summary.threads = context.thread_count();
    result.unreached = std::move(extension.unreached);
    if (!extension.outputs.empty()) {
        result.coordinates = Points(rows.count, coordinates.dimension);
        std::copy_n(extension.outputs.values().begin(), result.coordinates.values().size(),
                    result.coordinates.values().begin());
    }
    return result;
}

}  // namespace isogon
