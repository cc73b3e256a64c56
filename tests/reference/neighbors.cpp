#include "reference/neighbors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace isogon::reference {

namespace {

double mean_of(std::span<const float> row) {
    return std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
}

double correlation(std::span<const float> x, std::span<const float> y) {
    double xy = 0.0;
    double xx = 0.0;
    double yy = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double a = double{x[k]} - mean_of(x);
        const double b = double{y[k]} - mean_of(y);
        xy += a * b;
        xx += a * a;
        yy += b * b;
    }
    const auto constant = [](std::span<const float> row) { return std::ranges::min(row) == std::ranges::max(row); };
    return constant(x) || constant(y) ? 1.0 : 1.0 - xy / std::sqrt(xx) / std::sqrt(yy);
}

double distance_beyond_products(std::span<const float> x, std::span<const float> y, Metric metric) {
    if (metric == Metric::Correlation) {
        return correlation(x, y);
    }
    double sum = 0.0;
    double either = 0.0;
    double both = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        sum += std::abs(double{x[k]} - double{y[k]});
        either += x[k] == 1.0F || y[k] == 1.0F ? 1.0 : 0.0;
        both += x[k] == 1.0F && y[k] == 1.0F ? 1.0 : 0.0;
    }
    const auto places = static_cast<double>(x.size());
    return metric == Metric::Manhattan ? sum
           : metric == Metric::Hamming ? sum / places
                                       : (either > 0.0 ? 1.0 - both / either : 0.0);
}

}  // namespace

double distance(const PointsView& x, Index i, const PointsView& y, Index j, Metric metric) {
    double product = 0.0;
    double xx = 0.0;
    double yy = 0.0;
    double squares = 0.0;
    for (Index k = 0; k < x.dimension; ++k) {
        const double a = double{x[i][k]};
        const double b = double{y[j][k]};
        product += a * b;
        xx += a * a;
        yy += b * b;
        squares += (a - b) * (a - b);
    }
    switch (metric) {
        case Metric::Cosine: return xx == 0.0 || yy == 0.0 ? 1.0 : 1.0 - product / std::sqrt(xx * yy);
        case Metric::InnerProduct: return -product;
        case Metric::Euclidean: return std::sqrt(squares);
        default: return distance_beyond_products(x[i], y[j], metric);
    }
}

std::vector<double> sorted_distances(const PointsView& queries, Index i, const PointsView& points, Metric metric) {
    std::vector<double> all;
    for (Index j = 0; j < points.count; ++j) {
        if (queries.data != points.data || i != j) {
            all.push_back(distance(queries, i, points, j, metric));
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace isogon::reference
