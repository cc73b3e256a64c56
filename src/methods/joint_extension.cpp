#include "methods/joint_extension.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/neighbors/neighbor_search.hpp"

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

/// States what neighbours and extension take, one after the other, with the copy of all points.
void state_memory(const PointsView& rows, const PointsView& inputs, Index dimension, Index neighbors,
                  const LocallyLinearOptions& options, const RunContext& context) {
    const Index count = rows.count + inputs.count;
    const std::uint64_t lists = std::uint64_t{count} * neighbors * (sizeof(Index) + sizeof(float));
    const std::uint64_t extension =
        lists + locally_linear_bytes(count, inputs.count, rows.dimension, dimension, options, context);
    require_memory(context,
                   {{"a copy of all points", std::uint64_t{count} * rows.dimension * sizeof(float)},
                    {"neighbours, weights and the joint solution",
                     std::max(extension, exact_neighbors_bytes(count, count, rows.dimension, neighbors))}},
                   "raise the limit, take fewer neighbors, or use transform, which takes row by row");
}

void require_count(const PointsView& rows, const PointsView& inputs) {
    if (rows.count > std::numeric_limits<Index>::max() - inputs.count) {
        throw InvalidArgument("points", std::to_string(rows.count),
                              "with the fitted ones they are more than 32 bits count; extend fewer at a time");
    }
}

/// Appends what the search has to tell: its seconds, its recall, its warnings.
void add_search(const Summary& search, Summary& summary) {
    summary.warnings.insert(summary.warnings.end(), search.warnings.begin(), search.warnings.end());
    summary.measure("neighbor_recall", search.value("recall", 1.0));
}

}  // namespace

Extended extend_jointly(const PointsView& rows, const PointsView& inputs, const PointsView& coordinates,
                        const LocallyLinearOptions& options, const RunContext& context) {
    locally_linear_option_table().validate(options);
    require_finite(rows, "input");
    require_count(rows, inputs);
    Extended result;
    result.summary.threads = context.thread_count();
    if (rows.count == 0) {
        result.summary.message = "no points";
        return result;
    }
    const Index neighbors = locally_linear_neighbors(options, coordinates.dimension, rows.count + inputs.count);
    state_memory(rows, inputs, coordinates.dimension, neighbors, options, context);
    RunContext inner = context;  // the need of the whole has been stated
    inner.memory_limit.reset();
    const Points all = joined(rows, inputs);
    NeighborSearch search;
    {
        const PhaseTimer timer(result.summary, "neighbors");
        search = find_neighbors(all.view(), {.neighbors = neighbors, .metric = Metric::Cosine}, inner);
    }
    if (search.lists.count() == 0) {
        result.summary.termination = search.summary.termination;
        result.summary.message = "ended before the neighbours were known";
        return result;
    }
    std::vector<Index> landmarks(inputs.count);
    std::iota(landmarks.begin(), landmarks.end(), rows.count);
    LocallyLinearExtension extension =
        extend_locally_linearly(all.view(), landmarks, coordinates, search.lists, options, inner);
    auto seconds = std::exchange(result.summary.seconds, {});
    result.summary = std::move(extension.summary);
    result.summary.seconds.insert(result.summary.seconds.begin(), seconds.begin(), seconds.end());
    add_search(search.summary, result.summary);
    result.unreached = std::move(extension.unreached);
    if (!extension.outputs.empty()) {
        result.coordinates = Points(rows.count, coordinates.dimension);
        std::copy_n(extension.outputs.values().begin(), result.coordinates.values().size(),
                    result.coordinates.values().begin());
    }
    return result;
}

}  // namespace isogon
