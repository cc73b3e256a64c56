#include "methods/landmark_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "isogon/core/archive_schema.hpp"
#include "isogon/core/rows.hpp"
#include "isogon/graph/barycentric_weights.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/spectral/spectral_problem.hpp"

namespace isogon {

namespace {

constexpr const char* metric_note = "metric";

ArchiveSchema schema() {
    using Scalar = ArchiveArray::Scalar;
    return ArchiveSchema(ArchiveKind::Model)
        .add({.name = "inputs", .shape = {"n", "D"}})
        .add({.name = "coordinates", .shape = {"n", "d"}})
        .add({.name = "neighbors", .scalar = Scalar::Float64, .values = {{1, "n", ArchiveRange::Form::Whole}}})
        .add({.name = "ridge", .scalar = Scalar::Float64, .values = {{1e-10, 1e10}}})
        .note(metric_note, metric_names());
}

}  // namespace

LandmarkMixture::LandmarkMixture(const Archive& archive) {
    schema().require(archive);
    inputs_ = points_view(archive, "inputs");
    coordinates_ = points_view(archive, "coordinates");
    neighbors_ = static_cast<Index>(archive.number("neighbors"));
    ridge_ = archive.number("ridge");
    metric_ = find_metric(archive.note(metric_note));
}

Points LandmarkMixture::transform(const PointsView& rows, const RunContext& context) const {
    require_finite(rows, "input");
    const NeighborLists lists = exact_neighbors(rows, inputs_, neighbors_, metric_, context);
    const CsrMatrix<double> weights = barycentric_weights(rows, inputs_, lists, ridge_, context);
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

void LandmarkMixture::write(const PointsView& x, const BarycentricMap& map, Archive& archive) {
    archive.add("inputs", read_rows(ViewRows(x), map.landmarks).view());
    archive.add("coordinates", map.coordinates.view());
    archive.add_number("neighbors", map.neighbors);
    archive.add_number("ridge", map.ridge);
    archive.notes.emplace(metric_note, name(map.metric));
}

}  // namespace isogon
