#include "neighbors/metric_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "isogon/core/error.hpp"
#include "neighbors/distance_kernel.hpp"

namespace isogon {

namespace {

void write_lengths_about(const std::vector<double>& center, const PointsView& points, Range some,
                         std::vector<double>& lengths) {
    // Several rows at once: the additions of a single sum depend on each other, and the processor would wait for each.
    constexpr std::size_t at_once = 8;
    for (std::size_t first = some.begin; first < some.end; first += at_once) {
        const std::size_t rows = std::min(at_once, some.end - first);
        std::array<double, at_once> squares{};
        for (Index k = 0; k < points.dimension; ++k) {
            for (std::size_t r = 0; r < rows; ++r) {
                const double value = double{points.data[(first + r) * points.stride + k]} - center[k];
                squares[r] += value * value;
            }
        }
        std::transform(squares.begin(), squares.begin() + static_cast<std::ptrdiff_t>(rows),
                       lengths.begin() + static_cast<std::ptrdiff_t>(first), [](double sum) { return std::sqrt(sum); });
    }
}

std::shared_ptr<const std::vector<double>> lengths_about(const PointsView& points, const std::vector<double>& center,
                                                         const RunContext& context) {
    if (center.empty()) {
        return std::make_shared<const std::vector<double>>(norms(points, context));
    }
    constexpr std::size_t rows_at_once = 1024;
    std::vector<double> lengths(points.count);
    parallel_blocks(context, points.count, rows_at_once,
                    [&](Range some) { write_lengths_about(center, points, some, lengths); });
    return std::make_shared<const std::vector<double>>(std::move(lengths));
}

constexpr double most_float = std::numeric_limits<float>::max();

double largest(const std::vector<double>& values) {
    return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

/// 1 / length as float32, or NaN where that would leave its normal range.
float inverse(double length) {
    return 0x1p-125 < length && length < 0x1p125 ? static_cast<float>(1.0 / length)
                                                 : std::numeric_limits<float>::quiet_NaN();
}

/// A power of two that brings numbers of this size below 1.
double scale_for(double most) {
    return most > 0.0 ? std::ldexp(1.0, -std::ilogb(most) - 1) : 1.0;
}

/// Views that begin at the same number need not be the same: some of the rows, or every other one.
bool same(const PointsView& a, const PointsView& b) {
    return a.data == b.data && a.count == b.count && a.dimension == b.dimension && a.stride == b.stride;
}

}  // namespace

MetricSpace::MetricSpace(const SearchedPoints& searched, const RunContext& context) : of_(searched) {
    const auto& [queries, points, metric, among_themselves] = of_;
    if (!is_of_products(metric)) {
        throw InvalidArgument("metric", std::string(name(metric)),
                              "has no index, as it is no function of products of points: search exactly" +
                                  std::string(metric == Metric::Correlation
                                                  ? ", or by cosine among rows from which their means are subtracted"
                                                  : ""));
    }
    if (metric == Metric::Euclidean) {
        const std::vector<float> center = median_of_rows(points, 255);
        center_.assign(center.begin(), center.end());
    }
    point_lengths_ = lengths_about(points, center_, context);
    query_lengths_ = same(queries, points) ? point_lengths_ : lengths_about(queries, center_, context);
    set_scale();
}

MetricSpace::MetricSpace(const PointsView& queries, const MetricSpace& known, const RunContext& context)
    : of_{queries, known.of_.points, known.of_.metric, false},
      center_(known.center_),
      query_lengths_(lengths_about(queries, center_, context)),
      point_lengths_(known.point_lengths_),
      scale_(known.scale_),
      longest_(known.longest_) {}

void MetricSpace::set_scale() {
    const double most = std::max(largest(*point_lengths_), largest(*query_lengths_));
    scale_ = of_.metric == Metric::Cosine ? 1.0 : scale_for(most);
    longest_ = scale_ * largest(*point_lengths_);
}

std::uint64_t MetricSpace::bytes(Index queries, Index points, Index dimension, Metric metric) {
    const bool euclidean = metric == Metric::Euclidean;
    const Index depth = dimension + (euclidean ? 2 : 0);
    return PackedPoints::bytes(points, depth) + PackedPoints::bytes(queries, depth) +
           (std::uint64_t{queries} + points) * sizeof(double);
}

PackedPoints MetricSpace::pack_queries(const RunContext& context) const {
    return pack_side(of_.rows, *query_lengths_, true, context);
}

PackedPoints MetricSpace::pack_queries(std::span<const Index> chosen, const RunContext& context) const {
    Points rows(static_cast<Index>(chosen.size()), of_.rows.dimension);
    std::vector<double> lengths(chosen.size());
    for (Index i = 0; i < rows.count(); ++i) {
        std::ranges::copy(of_.rows[chosen[i]], rows[i].begin());
        lengths[i] = (*query_lengths_)[chosen[i]];
    }
    return pack_side(rows.view(), lengths, true, context);
}

PackedPoints MetricSpace::pack_points(const RunContext& context) const {
    return pack_points({0, of_.points.count}, context);
}

PackedPoints MetricSpace::pack_points(Range rows, const RunContext& context) const {
    const PointsView some(of_.points.data + rows.begin * of_.points.stride, static_cast<Index>(rows.size()),
                          of_.points.dimension, of_.points.stride);
    return pack_side(some, std::span(*point_lengths_).subspan(rows.begin, rows.size()), false, context);
}

void MetricSpace::prepare(std::span<const float> row, double length, std::span<float> into) const {
    if (of_.metric == Metric::Cosine && length == 0.0) {
        std::fill(into.begin(), into.end(), 0.0F);
        return;
    }
    // A query may be longer than all points, by any factor; beyond this one its length no longer changes the order.
    constexpr double most = 1 << 20;
    const double scale = std::min(scale_, length > 0.0 ? most / length : scale_);
    for (std::size_t k = 0; k < row.size(); ++k) {
        switch (of_.metric) {
            case Metric::Cosine: into[k] = static_cast<float>(double{row[k]} / length); break;
            case Metric::InnerProduct: into[k] = static_cast<float>(scale * double{row[k]}); break;
            default: into[k] = static_cast<float>(scale * (double{row[k]} - center_[k])); break;
        }
    }
}

void MetricSpace::prepare_query(Index query, std::span<float> into) const {
    prepare(of_.rows[query], (*query_lengths_)[query], into);
}

void MetricSpace::prepare_point(Index point, std::span<float> into) const {
    prepare(of_.points[point], (*point_lengths_)[point], into);
}

Points MetricSpace::prepare_points(Range some, const RunContext& context) const {
    Points prepared(static_cast<Index>(some.size()), of_.points.dimension);
    parallel_blocks(context, some.size(), 256, [&](Range part) {
        for (std::size_t i = part.begin; i < part.end; ++i) {
            prepare_point(static_cast<Index>(some.begin + i), prepared[static_cast<Index>(i)]);
        }
    });
    return prepared;
}

double MetricSpace::prepared_length(Index point) const {
    const double length = (*point_lengths_)[point];
    return of_.metric == Metric::Cosine ? (length == 0.0 ? 0.0 : 1.0) : scale_ * length;
}

PackedPoints MetricSpace::pack_side(const PointsView& side, std::span<const double> lengths, bool query,
                                    const RunContext& context) const {
    const Index dimension = side.dimension;
    const bool euclidean = of_.metric == Metric::Euclidean;
    PackedPoints packed(side.count, dimension + (euclidean ? 2 : 0));
    // Panel by panel, so that memory is written in order.
    parallel_blocks(context, side.count, panel_width, [&](Range rows) {
        std::vector<float> prepared(rows.size() * dimension);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const std::size_t i = rows.begin + r;
            prepare(side[static_cast<Index>(i)], lengths[i], std::span(prepared).subspan(r * dimension, dimension));
        }
        const auto first = static_cast<Index>(rows.begin);
        for (Index k = 0; k < dimension; ++k) {
            float* components = &packed.at(first, k);
            for (std::size_t r = 0; r < rows.size(); ++r) {
                components[r] = prepared[r * dimension + k];
            }
        }
        for (auto i = first; i < rows.end; ++i) {
            if (euclidean) {
                const double length = scale_ * lengths[i];
                const auto half = static_cast<float>(-0.5 * length * length);
                packed.at(i, dimension) = query ? half : 1.0F;
                packed.at(i, dimension + 1) = query ? 1.0F : half;
            }
        }
    });
    return packed;
}

double MetricSpace::scale_of(Index query) const {
    return of_.metric == Metric::Cosine ? 1.0 : scale_for(std::max(longest_ / scale_, (*query_lengths_)[query]));
}

double MetricSpace::quick_sum(Index query, Index point, double scale) const {
    const auto x = of_.rows[query];
    const auto y = of_.points[point];
    if (of_.metric == Metric::Cosine) {
        return squared_difference({x, inverse((*query_lengths_)[query])}, {y, inverse((*point_lengths_)[point])});
    }
    const auto s = static_cast<float>(scale);
    return of_.metric == Metric::Euclidean ? squared_difference({x, s}, {y, s}) : scaled_product({x, s}, {y, s});
}

double MetricSpace::careful_sum(Index query, Index point, double scale) const {
    const bool cosine = of_.metric == Metric::Cosine;
    const double unit_x = cosine ? (*query_lengths_)[query] : 1.0 / scale;
    const double unit_y = cosine ? (*point_lengths_)[point] : 1.0 / scale;
    double sum = 0.0;
    for (Index k = 0; k < of_.points.dimension; ++k) {
        const double x = double{of_.rows[query][k]} / unit_x;
        const double y = double{of_.points[point][k]} / unit_y;
        sum += of_.metric == Metric::InnerProduct ? x * y : (x - y) * (x - y);
    }
    return sum;
}

float MetricSpace::comparable_distance(Index query, Index point) const {
    if (of_.metric == Metric::Cosine && ((*query_lengths_)[query] == 0.0 || (*point_lengths_)[point] == 0.0)) {
        return 1.0F;
    }
    const double scale = scale_of(query);
    const double quick = quick_sum(query, point, scale);
    // Where squares overflow float32 or come near its range's end, computed in float64.
    const bool good = 1e-25 < std::abs(quick) && std::abs(quick) < 1e30;
    const double sum = good ? quick : careful_sum(query, point, scale);
    switch (of_.metric) {
        case Metric::Cosine: return static_cast<float>(0.5 * sum);
        default: {
            const double length = std::sqrt(sum) / scale;
            return length > most_float ? std::numeric_limits<float>::infinity() : static_cast<float>(length);
        }
        case Metric::InnerProduct: return static_cast<float>(-sum);
    }
}

float MetricSpace::in_unit_of_input(Index query, float distance) const {
    if (of_.metric != Metric::InnerProduct) {
        return distance;
    }
    const double scale = scale_of(query);
    const auto product = static_cast<float>(std::clamp(double{distance} / scale / scale, -most_float, most_float));
    const bool vanished = product == 0.0F && distance != 0.0F;
    return vanished ? std::copysign(std::numeric_limits<float>::denorm_min(), distance) : product;
}

// A sum of D products in chunks of 128, each rounded once, the sums of the chunks once more; the packed numbers
// themselves are rounded, and so is what distance() returns.
double MetricSpace::key_rounding() const {
    const double depth = of_.points.dimension + 2.0;
    return std::ldexp(std::min(depth, 128.0) + depth / 128.0 + 8.0, -24);
}

double MetricSpace::least_distance(Index query, float key) const {
    const double rounding = key_rounding();
    const double length = scale_ * (*query_lengths_)[query];
    switch (of_.metric) {
        case Metric::Cosine: return 1.0 - (double{key} + rounding);
        case Metric::InnerProduct: {
            const double finer = scale_of(query) / scale_;
            return -(double{key} + rounding * length * longest_) * finer * finer;
        }
        default: {
            // The sum is at most (|x| + |y|)^2 / 2, and |y| <= |x| + r at a distance r; hence r^2 + rounding (2 |x| +
            // r)^2 >= -2 key.
            const double squares = (-2.0 * double{key} - 8.0 * rounding * length * length) / (1.0 + 2.0 * rounding);
            return std::sqrt(std::max(0.0, squares)) / scale_;
        }
    }
}

double MetricSpace::least_key(Index query, float distance) const {
    if (distance >= std::numeric_limits<float>::max()) {
        return -std::numeric_limits<double>::infinity();  // farther points have the same distance
    }
    constexpr double this_formulas_own = 1.0 + 1e-12;
    const double rounding = key_rounding() * this_formulas_own;
    const double length = scale_ * (*query_lengths_)[query];
    switch (of_.metric) {
        case Metric::Cosine: return 1.0 - rounding - double{distance};
        case Metric::InnerProduct: {
            const double coarser = scale_ / scale_of(query);
            return -double{distance} * coarser * coarser - rounding * length * longest_;
        }
        default: {
            const double scaled = scale_ * double{distance};
            return -0.5 * (scaled * scaled * (1.0 + 2.0 * rounding) + 8.0 * rounding * length * length);
        }
    }
}

}  // namespace isogon
