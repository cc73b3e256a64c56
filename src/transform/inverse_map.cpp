#include "transform/inverse_map.hpp"

#include <algorithm>
#include <utility>

#include "core/archive_schema.hpp"
#include "core/parallel.hpp"
#include "graph/barycentric_weights.hpp"
#include "neighbors/exact_neighbors.hpp"
#include "transform/projection_map.hpp"

namespace isogon {

namespace {

constexpr std::size_t inverted_rows_of_task = 32;

/// One row after the other: what adds itself up in float64 becomes a row of float32.
template <class Add>
Points summed_rows(Index count, Index dimension, const RunContext& context, const Add& add) {
    require_memory(context, {{"the inputs", std::uint64_t{count} * dimension * sizeof(float)}},
                   "raise the limit, or invert fewer rows at a time");
    Points result(count, dimension);
    parallel_blocks(context, count, inverted_rows_of_task, [&](Range range) {
        std::vector<double> sums(dimension);
        for (auto i = static_cast<Index>(range.begin); i < range.end; ++i) {
            throw_if_cancelled_in_task(context);
            std::fill(sums.begin(), sums.end(), 0.0);
            add(i, std::span(sums));
            std::transform(sums.begin(), sums.end(), result[i].begin(),
                           [](double sum) { return static_cast<float>(sum); });
        }
    });
    return result;
}

template <class Number>
void add_multiple(double factor, std::span<const Number> row, std::span<double> sums) {
    for (std::size_t k = 0; k < row.size(); ++k) {
        sums[k] += factor * double{row[k]};
    }
}

}  // namespace

InverseMixture::InverseMixture(const PointsView& inputs, const PointsView& coordinates)
    : inputs_(inputs), coordinates_(coordinates) {}

std::string_view InverseMixture::only_way() const {
    return "mixes fitted inputs by their coordinates";
}

Index InverseMixture::neighbors_for(Index dimension, Index fitted) {
    const std::uint64_t wanted = 2 * (std::uint64_t{dimension} + 1);
    return static_cast<Index>(std::min<std::uint64_t>({wanted, fitted, most_barycentric_neighbors}));
}

Points InverseMixture::coordinates_of(const PointsView& rows, Transformed& /*transformed*/,
                                      const RunContext& context) const {
    require_finite(rows, "input");
    const Index neighbors = neighbors_for(coordinates_.dimension, coordinates_.count);
    const NeighborLists lists = exact_neighbors(rows, coordinates_, neighbors, Metric::Euclidean, context);
    const CsrMatrix<double> weights = barycentric_weights(rows, coordinates_, lists, usual_ridge, context);
    return summed_rows(rows.count, inputs_.dimension, context, [&](Index i, std::span<double> sums) {
        for (std::size_t k = 0; k < neighbors; ++k) {
            add_multiple(weights.row_values(i)[k], inputs_[weights.row_indices(i)[k]], sums);
        }
    });
}

LinearInverse::LinearInverse(DenseMatrix a, std::vector<double> offset)
    : a_(std::move(a)), offset_(std::move(offset)) {}

std::unique_ptr<NewPointMap> LinearInverse::of_projection(const Archive& model) {
    const ProjectionMap map(model);
    std::vector<double> offset = map.decomposition().center;
    offset.resize(map.input_dimension());
    std::transform(offset.begin(), offset.end(), offset.begin(), [&](double value) { return value * map.unit(); });
    return std::make_unique<LinearInverse>(map.decomposition().directions, std::move(offset));
}

std::unique_ptr<NewPointMap> LinearInverse::of_parts(const Archive& model) {
    const NonnegativeProjection checked(model);
    const PointsView parts = points_view(model, "parts");
    DenseMatrix a(parts.dimension, parts.count);
    std::transform(parts.data, parts.data + a.values.size(), a.values.begin(),
                   [](float value) { return double{value}; });
    return std::make_unique<LinearInverse>(std::move(a), std::vector<double>(parts.dimension));
}

std::string_view LinearInverse::only_way() const {
    return "inverts a linear map";
}

Points LinearInverse::coordinates_of(const PointsView& rows, Transformed& /*transformed*/,
                                     const RunContext& context) const {
    require_finite(rows, "input");
    return summed_rows(rows.count, output_dimension(), context, [&](Index i, std::span<double> sums) {
        std::copy(offset_.begin(), offset_.end(), sums.begin());
        for (std::size_t k = 0; k < a_.columns; ++k) {
            add_multiple(double{rows[i][k]}, std::span(a_.values).subspan(k * a_.rows, a_.rows), sums);
        }
    });
}

}  // namespace isogon
