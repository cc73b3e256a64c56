#include <algorithm>
#include <limits>
#include <string>
#include <variant>

#include "core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "isogon/methods/model.hpp"
#include "neighbors/exact_neighbors.hpp"

namespace isogon {

namespace {

constexpr Index neighbors_of_radius = 10;
constexpr float unknown_radius = -1.0F;

/// What the fit compared its points by.
Metric metric_of(const Archive& model) {
    if (model.method == "tsm") {
        return Metric::Cosine;
    }
    const auto found = model.options.find("metric");
    const auto* given = found == model.options.end() ? nullptr : std::get_if<std::string>(&found->second);
    return given == nullptr ? Metric::Euclidean : find_metric(*given);
}

}  // namespace

FitDistances::FitDistances(const Archive& model) : metric_(metric_of(model)) {
    if (model.kind != ArchiveKind::Model || !model.has("inputs")) {
        throw InvalidArgument("model", model.method,
                              "keeps no fitted points to measure distances from: methods with a linear map have none");
    }
    inputs_ = points_view(model, "inputs");
    radii_.assign(inputs_.count, unknown_radius);
}

/// Looks up those that are not known yet.
void FitDistances::find_radii(const NeighborLists& nearest, const RunContext& context) {
    std::vector<Index> wanted;
    for (const Index point : nearest.indices) {
        if (radii_[point] == unknown_radius) {
            radii_[point] = 0.0F;
            wanted.push_back(point);
        }
    }
    if (wanted.empty()) {
        return;
    }
    std::ranges::sort(wanted);
    const Points points = read_rows(ViewRows(inputs_), wanted);
    const Index with_itself = std::min(neighbors_of_radius + 1, inputs_.count);
    const NeighborLists lists = exact_neighbors(points.view(), inputs_, with_itself, metric_, context);
    for (Index k = 0; k < points.count(); ++k) {
        radii_[wanted[k]] = lists.distances_of(k).back();
    }
}

Points FitDistances::of(const PointsView& rows, const RunContext& context) {
    if (rows.dimension != inputs_.dimension) {
        throw InvalidArgument("rows", std::to_string(rows.dimension),
                              "must have " + std::to_string(inputs_.dimension) + " numbers, as the fitted points");
    }
    const NeighborLists nearest = exact_neighbors(rows, inputs_, 1, metric_, context);
    find_radii(nearest, context);
    Points result(rows.count, 2);
    for (Index i = 0; i < rows.count; ++i) {
        const float distance = nearest.distances_of(i).front();
        const float radius = radii_[nearest[i].front()];
        constexpr float most = std::numeric_limits<float>::max();
        result[i][0] = distance;
        result[i][1] = distance == 0.0F ? 0.0F : distance < radius * most ? distance / radius : most;
    }
    return result;
}

}  // namespace isogon
