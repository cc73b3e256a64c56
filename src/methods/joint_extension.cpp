#include "methods/joint_extension.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/archive_schema.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/rows.hpp"
#include "isogon/graph/barycentric_weights.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "isogon/spectral/spectral_problem.hpp"
#include "methods/shared_steps.hpp"

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
void state_memory(const PointsView& points, Index landmarks, Index dimension, Index neighbors,
                  const LocallyLinearOptions& options, const RunContext& context) {
    const std::uint64_t lists = std::uint64_t{points.count} * neighbors * (sizeof(Index) + sizeof(float));
    const std::uint64_t extension =
        lists + locally_linear_bytes(points.count, landmarks, points.dimension, dimension, options, context);
    const std::uint64_t search = exact_neighbors_bytes(points.count, points.dimension, neighbors);
    require_memory(context, {{"neighbours, weights and the joint solution", std::max(extension, search)}},
                   "raise the limit, take fewer neighbors, or place row by row, which needs no lists");
}

void require_count(const PointsView& rows, const PointsView& inputs) {
    if (rows.count > std::numeric_limits<Index>::max() - inputs.count) {
        throw InvalidArgument("points", std::to_string(rows.count),
                              "with the fitted ones they are more than 32 bits count; extend fewer at a time");
    }
}

/// Appends seconds, recall and warnings of the search.
void add_search(const Summary& search, Summary& summary) {
    summary.warnings.insert(summary.warnings.end(), search.warnings.begin(), search.warnings.end());
    summary.measure("neighbor_recall", search.value("recall", 1.0));
}

}  // namespace

LocallyLinearExtension extend_among(const PointsView& points, std::span<const Index> landmarks,
                                    const PointsView& coordinates, const NeighborLists* lists,
                                    const LocallyLinearOptions& options, const RunContext& context) {
    const Index neighbors = locally_linear_neighbors(options, coordinates.dimension, points.count);
    state_memory(points, coordinates.count, coordinates.dimension, neighbors, options, context);
    const RunContext inner = already_stated(context);
    if (lists != nullptr) {
        return extend_locally_linearly(points, landmarks, coordinates, *lists, options, inner);
    }
    Summary searching;
    NeighborSearch search;
    try {
        const PhaseTimer timer(searching, "neighbors");
        search = search_step(points, {.neighbors = neighbors, .metric = Metric::Cosine}, inner);
    } catch (const Interruption& interruption) {
        searching.termination = interruption.reason;
        searching.message = "ended before the neighbours were known";
        return {.outputs = {}, .unreached = {}, .summary = std::move(searching)};
    }
    LocallyLinearExtension extension =
        extend_locally_linearly(points, landmarks, coordinates, search.lists, options, inner);
    auto& seconds = extension.summary.seconds;
    seconds.insert(seconds.begin(), searching.seconds.begin(), searching.seconds.end());
    add_search(search.summary, extension.summary);
    return extension;
}

Extended extend_jointly(const PointsView& rows, const PointsView& inputs, const PointsView& coordinates,
                        const LocallyLinearOptions& options, const RunContext& context, const NeighborLists* lists) {
    locally_linear_option_table().validate(options);
    require_finite(rows, "input");
    require_count(rows, inputs);
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
        extend_among(all.view(), landmarks, coordinates, lists, options, beside(context, copy));
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

namespace {

/// The summary of the fit with the additions of the extension.
Summary joined(const Summary& fitted, const Summary& extension, bool complete) {
    Summary summary = fitted;
    summary.seconds.insert(summary.seconds.end(), extension.seconds.begin(), extension.seconds.end());
    summary.count("landmarks", extension.value("landmarks"));
    summary.count("placed", extension.value("unknown"));
    summary.count("unreached", extension.value("unreached"));
    summary.count("extension_neighbors", extension.value("neighbors"));
    summary.count("extension_iterations", extension.value("iterations"));
    summary.measure("extension_residual", extension.value("residual"));
    summary.measure("neighbor_recall", extension.value("neighbor_recall", 1.0));
    summary.warnings.insert(summary.warnings.end(), extension.warnings.begin(), extension.warnings.end());
    if (!complete) {
        summary.termination = extension.termination;
        summary.message = extension.message;
    }
    return summary;
}

}  // namespace

Summary extend_by_llx(const LandmarkFit& fit, const RowSource& source, RowSink& sink,
                      const LocallyLinearOptions& options, const RunContext& context, const NeighborLists* lists) {
    Summary reading;
    const std::uint64_t bytes = std::uint64_t{source.count()} * source.dimension() * sizeof(float);
    require_memory(context, {{"all points", bytes}},
                   "raise the limit, or use the extension placement, which works block by block");
    Points points(source.count(), source.dimension());
    {
        const PhaseTimer timer(reading, "read");
        source.read(0, points.values());
    }
    const LocallyLinearExtension extension =
        extend_among(points.view(), fit.rows, fit.fitted.coordinates.view(), lists, options, beside(context, bytes));
    const Termination end = extension.summary.termination;
    const bool complete = !extension.outputs.empty() && end != Termination::TimeLimit && end != Termination::Cancelled;
    Summary summary = joined(fit.fitted.summary, extension.summary, complete);
    summary.seconds.insert(summary.seconds.end(), reading.seconds.begin(), reading.seconds.end());
    if (complete) {
        sink.write(extension.outputs.view());
    }
    return summary;
}

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
    MultiVector<double> landmarks(coordinates_.count, coordinates_.dimension);
    for (Index i = 0; i < landmarks.rows(); ++i) {
        std::copy(coordinates_[i].begin(), coordinates_[i].end(), landmarks.row(i));
    }
    const MultiVector<double> mixed = mixtures(weights, landmarks, context);
    Points result(rows.count, coordinates_.dimension);
    for (Index i = 0; i < rows.count; ++i) {
        std::transform(mixed.row(i), mixed.row(i) + mixed.columns(), result[i].begin(),
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
