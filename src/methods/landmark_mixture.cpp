#include "methods/landmark_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "isogon/core/error.hpp"
#include "isogon/core/rows.hpp"
#include "isogon/graph/barycentric_weights.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/spectral/spectral_problem.hpp"

namespace isogon {

namespace {

constexpr const char* metric_note = "metric";

PointsView points_in(const Archive& archive, const std::string& name) {
    const auto& values = archive.numbers<float>(name, {Archive::any_length, Archive::any_length});
    const auto& shape = archive.array(name).shape;
    return {values.data(), static_cast<Index>(shape[0]), static_cast<Index>(shape[1])};
}

void require(bool condition, const Archive& archive, const std::string& place, const std::string& bound) {
    if (!condition) {
        throw InputError(archive.source, place, bound);
    }
}

Index whole_in(const Archive& archive, const std::string& name, Index most) {
    const double value = archive.number(name);
    require(value >= 1.0 && value <= most && value == std::floor(value), archive, "array " + name,
            "must be a whole number from 1 to " + std::to_string(most));
    return static_cast<Index>(value);
}

}  // namespace

LandmarkMixture::LandmarkMixture(const Archive& archive)
    : inputs_(points_in(archive, "inputs")), coordinates_(points_in(archive, "coordinates")) {
    require(inputs_.count == coordinates_.count && inputs_.dimension > 0 && coordinates_.dimension > 0, archive,
            "array coordinates", "must have a row of at least one number for each row of inputs");
    neighbors_ = whole_in(archive, "neighbors", inputs_.count);
    ridge_ = archive.number("ridge");
    require(ridge_ >= 1e-10 && ridge_ <= 1e10, archive, "array ridge", "must be between 1e-10 and 1e10");
    try {
        metric_ = find_metric(archive.note(metric_note));
    } catch (const InvalidArgument& error) {
        throw InputError(archive.source, "note metric", error.what());
    }
    require_finite(inputs_, archive.source.c_str());
    require_finite(coordinates_, archive.source.c_str());
}

Points LandmarkMixture::transform(const PointsView& rows, const RunContext& context) const {
    require_finite(rows, "input");
    const NeighborLists lists = exact_neighbors(rows, inputs_, neighbors_, metric_, context);
    const WideSparseMatrix weights = barycentric_weights(rows, inputs_, lists, ridge_, context);
    WideVectors landmarks(coordinates_.count, coordinates_.dimension);
    for (Index i = 0; i < landmarks.rows; ++i) {
        std::copy(coordinates_[i].begin(), coordinates_[i].end(), landmarks.row(i));
    }
    const WideVectors mixed = mixtures(weights, landmarks, context);
    Points result(rows.count, coordinates_.dimension);
    for (Index i = 0; i < rows.count; ++i) {
        std::transform(mixed.row(i), mixed.row(i) + mixed.columns, result[i].begin(),
                       [](double value) { return static_cast<float>(value); });
    }
    return result;
}

void LandmarkMixture::write(const PointsView& x, const MixtureMap& map, Archive& archive) {
    archive.add("inputs", read_rows(ViewRows(x), map.landmarks).view());
    archive.add("coordinates", map.coordinates.view());
    archive.add_number("neighbors", map.neighbors);
    archive.add_number("ridge", map.ridge);
    archive.notes.emplace(metric_note, name(map.metric));
}

}  // namespace isogon
