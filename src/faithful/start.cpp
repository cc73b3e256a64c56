#include "faithful/start.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "forces/sampled_layout.hpp"
#include "graph/symmetric_graph.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/truncated_svd.hpp"
#include "methods/forces.hpp"
#include "methods/forces/layout_outputs.hpp"
#include "neighbors/metric_rows.hpp"
#include "pairs/row_sample.hpp"

namespace isogon {

namespace {

constexpr Index most_rows_of_svd = 100000;
constexpr int negatives = 5;           // for each sampled edge; 15 and 60 end no better, and take longer
constexpr double learning_rate = 0.3;  // in radii; with 1 the last epochs are too restless
constexpr int epochs = 100;            // 200 and 500 end no better; with 50, 280,000 digits keep .52 for .53

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The factor that makes the median distance of points from their K-th neighbours that of the lists; 1 where it is that
/// but for rounding, or either is 0.
double scale_to(const NeighborLists& lists, const PointsView& y) {
    std::vector<double> wanted;
    std::vector<double> found;
    for (Index i = 0; i < y.count; ++i) {
        wanted.push_back(double{lists.distances_of(i).back()});
        found.push_back(distance_between(y[i], y[lists[i].back()], Metric::Euclidean));
    }
    constexpr double rounding = 1e-5;
    const double scale = median(std::move(wanted)) / median(std::move(found));
    return scale > 0.0 && std::isfinite(scale) && std::abs(scale - 1.0) > rounding ? scale : 1.0;
}

Points scaled(Points y, double factor) {
    for (float& value : y.values()) {
        value = static_cast<float>(double{value} * factor);
    }
    return y;
}

/// Radii of the points; those of copies a thousandth of the mean.
std::vector<float> radii_of(const NeighborLists& lists) {
    constexpr double least_share_of_mean = 1e-3;
    std::vector<float> radii(lists.count());
    double sum = 0.0;
    for (Index i = 0; i < lists.count(); ++i) {
        radii[i] = lists.distances_of(i).back();
        sum += double{radii[i]};
    }
    const auto least_radius = static_cast<float>(least_share_of_mean * sum / static_cast<double>(radii.size()));
    std::ranges::transform(radii, radii.begin(), [&](float radius) { return std::max(radius, least_radius); });
    return radii;
}

/// In the unit in which t-SNE begins: the largest number is 1e-4.
Points small_start(const PointsView& given) {
    constexpr double size = 1e-4;
    Points start(given.count, given.dimension);
    float largest = 0.0F;
    for (Index i = 0; i < given.count; ++i) {
        std::ranges::copy(given[i], start[i].begin());
        std::ranges::for_each(given[i], [&](float value) { largest = std::max(largest, std::abs(value)); });
    }
    return largest > 0.0F ? scaled(std::move(start), size / double{largest}) : start;
}

}  // namespace

Points principal_components(const DistributedPoints& points, const NeighborLists& lists, Index d, std::uint64_t seed,
                            const RunContext& context) {
    const Points gathered = points.is_distributed() ? points.gather_range({0, points.count()}) : Points();
    const PointsView all = points.is_distributed() ? gathered.view() : points.local();
    const std::vector<Index> rows = sample_rows(points.count(), most_rows_of_svd, seed, RandomStream::StartSample);
    const Points sample = rows.size() < points.count() ? points.gather_rows(rows) : Points();
    const TruncatedSvd directions = truncated_svd(sample.empty() ? all : sample.view(), d, true, context);
    Points y = project(all, directions, context);
    const double scale = scale_to(lists, y.view());
    return scaled(std::move(y), scale);
}

std::uint64_t start_bytes(Index count, Index dimension, Index d) {
    const Index rows = std::min(count, most_rows_of_svd);
    const std::uint64_t sample = count == rows ? 0 : std::uint64_t{rows} * dimension * sizeof(float);
    return sample + truncated_svd_bytes(rows, dimension, d);
}

Points sampled_layout(const PointsView& points, const NeighborLists& lists, Index d, std::uint64_t seed,
                      const RunContext& context) {
    const auto listings = [](const float* a, const float* b) {
        return (a != nullptr ? 1.0 : 0.0) + (b != nullptr ? 1.0 : 0.0);
    };
    const CsrMatrix<double> edges = undirected(directed_edges(lists), listings, context);
    Summary unused;
    const auto start = [&]() -> MultiVector<double> {
        if (points.dimension > 0) {
            return given_start(principal_components(points, lists, d, seed, context).view());
        }
        std::optional<MultiVector<double>> smooth = spectral_start(edges, d, seed, unused, context);
        const MultiVector<double> begin = smooth ? std::move(*smooth) : random_start(points.count, d, seed);
        Points y(points.count, d);
        std::transform(begin.values().begin(), begin.values().end(), y.values().begin(),
                       [](double value) { return static_cast<float>(value); });
        return given_start(scaled(y, scale_to(lists, y.view())).view());
    }();
    const std::vector<float> radii = radii_of(lists);
    SampledLayout layout(
        edges, start,
        {.epochs = epochs, .negatives = negatives, .learning_rate = learning_rate, .seed = seed, .radii = radii},
        context);
    throw_if_interrupted(layout.run_to(epochs));
    return scaled(layout.outputs(), layout_expansion * scale_to(lists, layout.outputs().view()));
}

std::uint64_t layout_bytes(Index points, Index neighbors, Index d) {
    return symmetric_graph_bytes(points, neighbors) +
           SampledLayout::bytes(points, d, std::uint64_t{2} * points * neighbors) +
           MultiVector<double>::bytes(points, d);
}

Points map_layout(const MapInput& input, Index d, std::uint64_t seed, const RunContext& context) {
    const bool has_points = input.points.dimension > 0;
    TsneOptions options{
        .dimension = static_cast<int>(d), .start = has_points ? LayoutStart::Pca : LayoutStart::Random, .seed = seed};
    FitExtras extras;
    const Points start = small_start(input.start);
    extras.start = start.view();
    if (has_points && !input.lists_are_given) {
        options.metric = input.metric;
    } else {
        extras.neighbors = &input.lists;
    }
    Embedding map = tsne(input.points, options, context, extras);
    throw_if_interrupted(map.summary.termination);
    const double scale = scale_to(input.lists, map.coordinates.view());
    return scaled(std::move(map.coordinates), scale);
}

}  // namespace isogon
