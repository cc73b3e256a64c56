#include "neighbors/contraction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/parallel.hpp"
#include "neighbors/cluster_search.hpp"
#include "neighbors/distance_kernel.hpp"
#include "neighbors/nearest_selection.hpp"
#include "pairs/row_sample.hpp"
#include "pairs/spatial_order.hpp"
#include "pairs/tile_kernel.hpp"

namespace isogon {

namespace {

constexpr Index rows_of_svd = 20000;
constexpr std::array<Index, 9> numbers_of_directions{16, 24, 32, 48, 64, 96, 128, 160, 192};

}  // namespace

std::span<const Index> Contraction::directions_tried() {
    return numbers_of_directions;
}

Contraction::Contraction(const MetricSpace& space, const RunContext& context) : space_(space) {
    const Index dimension = space.points().dimension;
    const auto rows = sample_rows(space.points().count, rows_of_svd, 0, RandomStream::NeighborDirections);
    const TruncatedSvd svd = truncated_svd(
        static_cast<Index>(rows.size()), dimension,
        [&](Index row, std::span<float> into) { space.prepare_point(rows[row], into); },
        std::min(dimension / 4, numbers_of_directions.back()), context);
    coordinates_ = Points(space.points().count, static_cast<Index>(svd.directions.columns));
    constexpr std::size_t at_once = 4096;
    for (std::size_t b = 0; b < block_count(coordinates_.count(), at_once); ++b) {
        throw_if_cancelled(context);
        project_rows(block_range(b, coordinates_.count(), at_once), svd, context);
    }
}

void Contraction::project_rows(Range rows, const TruncatedSvd& svd, const RunContext& context) {
    const Points along = project(space_.prepare_points(rows, context).view(), svd, context);
    for (Index i = 0; i < along.count(); ++i) {
        std::ranges::copy(along[i], coordinates_[static_cast<Index>(rows.begin + i)].begin());
    }
}

void Contraction::write(Index i, Index directions, std::span<float> z) const {
    const auto from = coordinates_[i];
    double rest = space_.prepared_length(i) * space_.prepared_length(i);
    for (Index k = 0; k < directions; ++k) {
        z[k] = from[k];
        rest -= double{from[k]} * from[k];
    }
    z[directions] = static_cast<float>(std::sqrt(std::max(0.0, rest)));
}

Points Contraction::operator()(std::span<const Index> rows, Index directions) const {
    Points z(static_cast<Index>(rows.size()), directions + 1);
    for (Index r = 0; r < z.count(); ++r) {
        write(rows[r], directions, z[r]);
    }
    return z;
}

QuantizedPoints Contraction::quantized(std::span<const Index> order, Index directions,
                                       const RunContext& context) const {
    constexpr std::size_t at_once = 85 * panel_width;
    const auto count = static_cast<Index>(order.size());
    const auto rows_of = [&](Range rows) { return (*this)(order.subspan(rows.begin, rows.size()), directions); };
    std::vector<std::vector<double>> sums(block_count(count, at_once), std::vector<double>(directions + 1));
    parallel_tasks(context, sums.size(), [&](std::size_t block) {
        const Points z = rows_of(block_range(block, count, at_once));
        for (Index i = 0; i < z.count(); ++i) {
            std::transform(z[i].begin(), z[i].end(), sums[block].begin(), sums[block].begin(),
                           [](float value, double sum) { return sum + double{value}; });
        }
    });
    std::vector<double> mean(directions + 1);
    for (const auto& sum : sums) {
        std::transform(sum.begin(), sum.end(), mean.begin(), mean.begin(),
                       [&](double part, double total) { return total + part / count; });
    }
    QuantizedPoints points(count, directions + 1, MarksExpected::FewByLeading);
    parallel_blocks(context, count, at_once, [&](Range rows) {
        Points z = rows_of(rows);
        for (Index i = 0; i < z.count(); ++i) {
            std::transform(z[i].begin(), z[i].end(), mean.begin(), z[i].begin(),
                           [](float value, double middle) { return static_cast<float>(double{value} - middle); });
        }
        for (std::size_t i = 0; i < z.count(); i += panel_width) {
            points.set_panel(static_cast<Index>((rows.begin + i) / panel_width), z[static_cast<Index>(i)].data(),
                             z.dimension());
        }
    });
    return points;
}

std::vector<Index> Contraction::order(const RunContext& context) const {
    return spatial_order(coordinates_.view(), context);
}

void Contraction::count_within(Index row, double squared, std::span<const Index> others,
                               std::span<const Index> directions, std::span<double> counts) const {
    for (const Index other : others) {
        double sum = 0.0;
        Index from = 0;
        for (std::size_t t = 0; t < directions.size() && sum <= squared; from = directions[t++]) {
            sum += squared_difference({coordinates_[row].subspan(from, directions[t] - from)},
                                      {coordinates_[other].subspan(from, directions[t] - from)});
            counts[t] += sum <= squared ? 1.0 : 0.0;
        }
    }
}

/// The first coordinates c and -|c|^2 / 2: the product with (q, 1) is largest for the c nearest to q. An index takes
/// the products of directions instead, as what they miss of two points is nearly at right angles; of points in narrow
/// groups it is nearly the same.
Points Contraction::keys(Index width) const {
    Points rows(count(), width + 1);
    for (Index i = 0; i < count(); ++i) {
        const auto from = coordinates_[i].first(width);
        std::ranges::copy(from, rows[i].begin());
        rows[i][width] = -0.5F * std::inner_product(from.begin(), from.end(), from.begin(), 0.0F);
    }
    return rows;
}

std::vector<float> Contraction::distances_with_k_within(std::span<const Index> rows, Index k,
                                                        const RunContext& context) const {
    constexpr Index coordinates_of_clusters = 48;
    constexpr Index clusters_searched = 2;  // with 280,000 digits 4 took the search longer than they spared the pass
    constexpr std::size_t rows_at_once = 1024;
    constexpr std::size_t in_group = 32;
    const Index width = std::min(most_directions(), coordinates_of_clusters);
    const auto clusters = static_cast<Index>(2.0 * std::sqrt(static_cast<double>(count())));
    const ClusteredPoints clustered(space_, keys(width).view(), clusters, 0, context);
    const ClusterSearch search(space_, clustered, {clusters_searched, candidates_for(k)});
    std::vector<float> distances(rows.size(), std::numeric_limits<float>::infinity());
    const auto search_block = [&](Range block) {
        Points queries(static_cast<Index>(block.size()), width + 1);
        for (Index i = 0; i < queries.count(); ++i) {
            std::ranges::copy(coordinates_[rows[block.begin + i]].first(width), queries[i].begin());
            queries[i][width] = 1.0F;
        }
        NearestSelection candidates = search.candidates(queries.view());
        for (Index i = 0; i < queries.count(); ++i) {
            const Index row = rows[block.begin + i];
            const auto found = measured(space_, row, candidates.best(i));
            distances[block.begin + i] = found.size() < k ? distances[block.begin + i] : found[k - 1].distance;
        }
    };
    const std::size_t blocks = block_count(rows.size(), rows_at_once);
    for (std::size_t start = 0; start < blocks && !context.interruption(); start += in_group) {
        parallel_tasks(context, std::min(in_group, blocks - start),
                       [&](std::size_t b) { search_block(block_range(start + b, rows.size(), rows_at_once)); });
    }
    return distances;
}

}  // namespace isogon
