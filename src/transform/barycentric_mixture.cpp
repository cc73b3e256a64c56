#include "isogon/transform/barycentric_mixture.hpp"

#include <algorithm>

#include "isogon/core/archive_schema.hpp"
#include "isogon/core/points.hpp"
#include "isogon/graph/barycentric_weights.hpp"
#include "isogon/linalg/multi_vector.hpp"
#include "isogon/linalg/sparse_algebra.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"

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

void BarycentricMixture::write(const PointsView& x, const BarycentricMap& map, Archive& archive) {
    archive.add("inputs", read_rows(ViewRows(x), map.landmarks).view());
    archive.add("coordinates", map.coordinates.view());
    archive.add_number("neighbors", map.neighbors);
    archive.add_number("ridge", map.ridge);
    archive.notes.emplace(metric_note, name(map.metric));
}

BarycentricMixture::BarycentricMixture(const Archive& archive) {
    schema().require(archive);
    inputs_ = points_view(archive, "inputs");
    coordinates_ = points_view(archive, "coordinates");
    neighbors_ = static_cast<Index>(archive.number("neighbors"));
    ridge_ = archive.number("ridge");
    metric_ = find_metric(archive.note(metric_note));
}

std::string_view BarycentricMixture::only_way() const {
    return "places new points as mixtures of fitted ones already";
}

Points BarycentricMixture::coordinates_of(const PointsView& rows, Summary& /*summary*/,
                                          const RunContext& context) const {
    require_finite(rows, "input");
    const NeighborLists lists = exact_neighbors(rows, inputs_, neighbors_, metric_, context);
    const CsrMatrix<double> weights = barycentric_weights(rows, inputs_, lists, ridge_, context);
    MultiVector<double> landmarks(coordinates_.count, coordinates_.dimension);
    for (Index i = 0; i < landmarks.rows(); ++i) {
        std::copy(coordinates_[i].begin(), coordinates_[i].end(), landmarks.row(i));
    }
    MultiVector<double> mixed(rows.count, landmarks.columns());
    multiply(weights, landmarks, mixed, context);
    Points result(rows.count, coordinates_.dimension);
    for (Index i = 0; i < rows.count; ++i) {
        std::transform(mixed.row(i), mixed.row(i) + mixed.columns(), result[i].begin(),
                       [](double value) { return static_cast<float>(value); });
    }
    return result;
}

}  // namespace isogon
