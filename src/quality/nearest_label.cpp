#include "isogon/quality/nearest_label.hpp"

#include <string>

#include "isogon/core/error.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "quality/near_rows.hpp"

namespace isogon {

namespace {

void require_labelled(const PointsView& points, std::size_t labels, const char* name, Index least) {
    if (points.count < least || points.dimension == 0) {
        throw InvalidArgument(name,
                              std::to_string(points.count) + " of " + std::to_string(points.dimension) + " numbers",
                              "must be at least " + std::to_string(least) + ", of at least 1 number");
    }
    if (labels != points.count) {
        throw InvalidArgument("labels", std::to_string(labels),
                              "must be one for each of " + std::to_string(points.count) + " " + name);
    }
    require_finite(points, name);
}

double share_of_wrong(const NeighborLists& lists, std::span<const std::int64_t> labels,
                      std::span<const std::int64_t> truth) {
    std::size_t wrong = 0;
    for (Index i = 0; i < lists.count(); ++i) {
        wrong += majority_label(lists[i], labels) == truth[i] ? 0 : 1;
    }
    return static_cast<double>(wrong) / static_cast<double>(lists.count());
}

}  // namespace

double nearest_label_error(const PointsView& points, std::span<const std::int64_t> labels, const RunContext& context) {
    require_labelled(points, labels.size(), "points", 2);
    return share_of_wrong(exact_neighbors(points, 1, Metric::Euclidean, context), labels, labels);
}

double nearest_label_error(const PointsView& points, std::span<const std::int64_t> labels, const PointsView& queries,
                           std::span<const std::int64_t> query_labels, const RunContext& context) {
    require_labelled(points, labels.size(), "points", 1);
    require_labelled(queries, query_labels.size(), "queries", 1);
    if (queries.dimension != points.dimension) {
        throw InvalidArgument("queries", std::to_string(queries.dimension) + " numbers each",
                              "must have as many as the points, " + std::to_string(points.dimension));
    }
    return share_of_wrong(exact_neighbors(queries, points, 1, Metric::Euclidean, context), labels, query_labels);
}

}  // namespace isogon
