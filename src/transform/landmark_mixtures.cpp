#include "transform/landmark_mixtures.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/archive_schema.hpp"
#include "core/parallel.hpp"
#include "graph/barycentric_weights.hpp"
#include "graph/reconstruction_weights.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/sparse_algebra.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "neighbors/metric_rows.hpp"
#include "transform/undirected_rows.hpp"

namespace isogon {

namespace {

// Rows are processed in bands, so that the memory of neighbours and weights is negligible.
constexpr Index rows_of_band = 4096;
constexpr std::size_t weighted_rows_of_task = 64;

Index neighbors_of(const LandmarkWeightOptions& options, Index landmarks, Index dimension) {
    const std::uint64_t requested =
        options.neighbors > 0 ? static_cast<std::uint64_t>(options.neighbors) : 4 * std::uint64_t{dimension};
    const std::uint64_t most_neighbors = std::min<std::uint64_t>(landmarks, most_reconstruction_neighbors);
    return static_cast<Index>(std::min(requested, most_neighbors));
}

void require_landmarks(const PointsView& rows, const FittedPoints& fitted) {
    const auto& [landmarks, outputs] = fitted;
    if (landmarks.empty() || outputs.dimension == 0) {
        throw InvalidArgument("landmarks", std::to_string(landmarks.count),
                              "there must be at least one, with an input and an output of at least one number");
    }
    if (landmarks.count != outputs.count) {
        throw InvalidArgument("outputs", std::to_string(outputs.count),
                              "must be " + std::to_string(landmarks.count) + ", one for each landmark");
    }
    if (rows.dimension != landmarks.dimension) {
        throw InvalidArgument("dimension", std::to_string(rows.dimension),
                              "must be " + std::to_string(landmarks.dimension) + ", that of the landmarks");
    }
    require_finite(rows, "input");
    require_finite(landmarks, "landmarks");
    require_finite(outputs, "outputs of the landmarks");
}

/// The landmarks' outputs divided by the lengths of their inputs, for use with the weights of directions.
class Mixture {
public:
    explicit Mixture(const FittedPoints& landmarks)
        : outputs_(landmarks.coordinates), lengths_(norms(landmarks.inputs)) {}

    /// y_i = |x_i| sum_j V_ij y_j / |x_j|, in float64.
    void write(const CsrMatrix<float>& weights, Index i, double length, std::vector<double>& sums,
               std::span<float> output) const {
        std::fill(sums.begin(), sums.end(), 0.0);
        const auto columns = weights.row_indices(i);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const Index j = columns[k];
            if (lengths_[j] > 0.0) {
                const double factor = length * double{weights.row_values(i)[k]} / lengths_[j];
                for (std::size_t a = 0; a < sums.size(); ++a) {
                    sums[a] += factor * double{outputs_[j][static_cast<Index>(a)]};
                }
            }
        }
        std::transform(sums.begin(), sums.end(), output.begin(), [](double sum) { return static_cast<float>(sum); });
    }

private:
    PointsView outputs_;
    std::vector<double> lengths_;
};

/// Bytes besides the inputs, with the outputs.
std::uint64_t bytes_of_mixing(const PointsView& rows, const FittedPoints& landmarks,
                              const LandmarkWeightOptions& options, const RunContext& context) {
    const auto& [inputs, outputs] = landmarks;
    const Index neighbors = neighbors_of(options, inputs.count, outputs.dimension);
    const Index band = std::min(rows.count, rows_of_band);
    return std::uint64_t{rows.count} * outputs.dimension * sizeof(float) +
           std::uint64_t{rows.count + std::uint64_t{inputs.count}} * sizeof(double) +
           exact_search_bytes(band, inputs.count, rows.dimension, neighbors) +
           reconstruction_weights_bytes(band, inputs.count, rows.dimension, neighbors, context);
}

}  // namespace

const OptionTable<LandmarkWeightOptions>& landmark_weight_option_table() {
    static const OptionTable<LandmarkWeightOptions> table =
        OptionTable<LandmarkWeightOptions>()
            .integer("neighbors", &LandmarkWeightOptions::neighbors,
                     {.minimum = 0, .maximum = most_reconstruction_neighbors},
                     "landmarks that a row is mixed from; 0: four times the dimension")
            .number("ridge", &LandmarkWeightOptions::ridge, {.minimum = 0.0, .maximum = 1e6, .open = true},
                    "weight of the weights themselves: more makes them smaller and smoother");
    return table;
}

Points mix_landmark_outputs(const PointsView& rows, const FittedPoints& landmarks, const LandmarkWeightOptions& options,
                            const RunContext& context) {
    landmark_weight_option_table().validate(options);
    require_landmarks(rows, landmarks);
    require_memory(context,
                   {{"outputs, and the neighbours and weights of a band of rows",
                     bytes_of_mixing(rows, landmarks, options, context)}},
                   "raise the limit, or take fewer neighbors or rows");
    RunContext quiet = already_stated(context);  // progress is reported here, for all bands together
    quiet.on_iteration = {};
    const auto& [inputs, outputs] = landmarks;
    const Index neighbors = neighbors_of(options, inputs.count, outputs.dimension);
    const Mixture mixture(landmarks);
    const std::vector<double> lengths = norms(rows);
    Points mixed(rows.count, outputs.dimension);
    for (std::size_t band = 0; band < block_count(rows.count, rows_of_band); ++band) {
        throw_if_cancelled(context);
        const Range range = block_range(band, rows.count, rows_of_band);
        const auto first = static_cast<Index>(range.begin);
        const PointsView part(rows[first].data(), static_cast<Index>(range.size()), rows.dimension, rows.stride);
        const NeighborLists lists = exact_neighbors(part, inputs, neighbors, Metric::Cosine, quiet);
        const CsrMatrix<float> weights = reconstruction_weights(part, inputs, lists, options.ridge, quiet);
        parallel_blocks(context, part.count, weighted_rows_of_task, [&](Range some) {
            std::vector<double> sums(mixed.dimension());
            for (auto i = static_cast<Index>(some.begin); i < some.end; ++i) {
                mixture.write(weights, i, lengths[first + i], sums, mixed[first + i]);
            }
        });
        context.report({"weights", range.end, rows.count, 0.0});
    }
    return mixed;
}

LandmarkWeights::LandmarkWeights(const FittedPoints& fitted, const LandmarkWeightOptions& options)
    : fitted_(fitted), options_(options) {
    landmark_weight_option_table().validate(options);
}

Points LandmarkWeights::coordinates_of(const PointsView& rows, Transformed& /*transformed*/,
                                       const RunContext& context) const {
    return mix_landmark_outputs(rows, fitted_, options_, context);
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

Points BarycentricMixture::coordinates_of(const PointsView& rows, Transformed& transformed,
                                          const RunContext& context) const {
    Summary& summary = transformed.summary;
    require_finite(rows, "input");
    require_rows_for(metric_, rows, "input");
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
    if (const auto undirected = undirected_rows(rows, metric_, summary); !undirected.empty()) {
        const std::vector<float> middle = place_without_direction(inputs_, coordinates_, metric_);
        for (const Index i : undirected) {
            std::copy(middle.begin(), middle.end(), result[i].begin());
        }
    }
    return result;
}

}  // namespace isogon
