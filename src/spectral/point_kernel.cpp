#include "isogon/spectral/point_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include "isogon/core/parallel.hpp"
#include "isogon/core/rows.hpp"

namespace isogon {

namespace {

double square(std::span<const float> x) {
    double sum = 0.0;
    for (const float value : x) {
        sum += double{value} * double{value};
    }
    return sum;
}

std::vector<double> mean_of(const PointsView& points) {
    std::vector<double> mean(points.dimension, 0.0);
    for (Index i = 0; i < points.count; ++i) {
        for (Index k = 0; k < points.dimension; ++k) {
            mean[k] += double{points[i][k]};
        }
    }
    for (double& value : mean) {
        value /= std::max<Index>(points.count, 1);
    }
    return mean;
}

std::vector<float> about_mean(const PointsView& points) {
    const std::vector<double> mean = mean_of(points);
    std::vector<float> centred;
    centred.reserve(std::size_t{points.count} * points.dimension);
    for (Index i = 0; i < points.count; ++i) {
        std::transform(points[i].begin(), points[i].end(), mean.begin(), std::back_inserter(centred),
                       [](float value, double middle) { return static_cast<float>(double{value} - middle); });
    }
    return centred;
}

}  // namespace

PointKernel::PointKernel(const PointsView& points, const KernelShape& shape, const RunContext& context)
    : shape_(shape),
      centred_(shape.kind == KernelKind::Gaussian ? about_mean(points) : std::vector<float>()),
      points_(centred_.empty() ? points : PointsView(centred_.data(), points.count, points.dimension)),
      packed_(pack(points_, {}, {}, context)),
      squares_(points.count) {
    for (Index i = 0; i < points.count; ++i) {
        squares_[i] = square(points_[i]);
    }
}

double PointKernel::value(double product, double left, double right) const {
    switch (shape_.kind) {
        case KernelKind::Linear: return product;
        case KernelKind::Cosine: return left > 0.0 && right > 0.0 ? product / std::sqrt(left * right) : 0.0;
        case KernelKind::Polynomial: return std::pow(shape_.scale * product + shape_.offset, shape_.degree);
        case KernelKind::Gaussian: break;
    }
    return std::exp(-std::max(0.0, left + right - 2.0 * product) / (shape_.sigma * shape_.sigma));
}

void PointKernel::rows(std::span<const Index> sources, std::span<double> values, const RunContext& context) const {
    const Points chosen = read_rows(ViewRows(points_), sources);
    const PackedPoints left = pack(chosen.view(), {}, {}, context);
    const std::size_t size = points_.count;
    parallel_tasks(context, packed_.panels(), [&](std::size_t task) {
        const auto q = static_cast<Index>(task);
        alignas(64) std::array<float, panel_width * panel_width> tile;  // NOLINT(*-member-init): filled before each use
        const std::size_t columns = std::min(panel_width, size - q * panel_width);
        for (Index p = 0; p < left.panels(); ++p) {
            multiply_panels(left.panel(p), packed_.panel(q), left.depth(), tile.data(), panel_width);
            const std::size_t count = std::min(panel_width, sources.size() - p * panel_width);
            for (std::size_t r = 0; r < count; ++r) {
                const Index i = sources[p * panel_width + r];
                double* row = values.data() + (p * panel_width + r) * size + q * panel_width;
                for (std::size_t c = 0; c < columns; ++c) {
                    const std::size_t j = q * panel_width + c;
                    const double product = i == j ? squares_[i] : double{tile[r * panel_width + c]};
                    row[c] = value(product, squares_[i], squares_[j]);
                }
            }
        }
    });
}

double PointKernel::largest_value() const {
    const auto largest = std::max_element(squares_.begin(), squares_.end());
    return largest == squares_.end() ? 0.0 : value(*largest, *largest, *largest);
}

double mean_square(const PointsView& points) {
    double sum = 0.0;
    for (Index i = 0; i < points.count; ++i) {
        sum += square(points[i]);
    }
    return points.count == 0 ? 0.0 : sum / points.count;
}

double mean_distance(const PointsView& points) {
    const std::vector<double> mean = mean_of(points);
    const double of_mean = std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0);
    return std::sqrt(2.0 * std::max(0.0, mean_square(points) - of_mean));
}

}  // namespace isogon
