#include "methods/layout_start.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "isogon/core/random.hpp"
#include "isogon/linalg/truncated_svd.hpp"

namespace isogon {

namespace {

constexpr double size_of_start = 1e-4;  // van der Maaten's
constexpr double share_of_noise = 0.01;
constexpr double half_width = 5.0;  // umap-learn's starts are 10 across

/// Of numbers whose mean is 0, or nearly.
double deviation(const Points& points, Index column) {
    double squares = 0.0;
    for (Index i = 0; i < points.count(); ++i) {
        squares += double{points[i][column]} * double{points[i][column]};
    }
    return std::sqrt(squares / static_cast<double>(points.count()));
}

std::vector<double> column_means(const WideVectors& y) {
    std::vector<double> means(y.columns);
    for (std::size_t i = 0; i < y.rows; ++i) {
        for (std::size_t c = 0; c < y.columns; ++c) {
            means[c] += y.at(i, c) / static_cast<double>(y.rows);
        }
    }
    return means;
}

}  // namespace

void require_start(const PointsView& start, Index points, int dimension, double largest) {
    if (start.empty()) {
        return;
    }
    if (start.count != points || start.dimension != static_cast<Index>(dimension)) {
        throw InvalidArgument("start", std::to_string(start.count) + " points of " + std::to_string(start.dimension),
                              "must be " + std::to_string(points) + " points of " + std::to_string(dimension) +
                                  " numbers, one for each input");
    }
    require_finite(start, "start");
    bool all_equal = points > 1;
    for (Index i = 0; i < points; ++i) {
        all_equal = all_equal && std::equal(start[i].begin(), start[i].end(), start[0].begin());
        for (const float value : start[i]) {
            if (std::abs(double{value}) > largest) {
                throw InvalidArgument("start", to_text(OptionValue{double{value}}) + " in row " + std::to_string(i),
                                      "must be at most " + to_text(OptionValue{largest}) +
                                          " in size: scale it down, outputs are some tens across");
            }
        }
    }
    if (all_equal) {
        throw InputError("start", "",
                         "all " + std::to_string(points) +
                             " rows are equal, and forces between them have no direction: add noise, or "
                             "leave the start out");
    }
}

WideVectors given_start(const PointsView& start) {
    WideVectors y(start.count, start.dimension);
    for (Index i = 0; i < start.count; ++i) {
        std::copy(start[i].begin(), start[i].end(), y.row(i));
    }
    return y;
}

WideVectors pca_start(const PointsView& x, Index dimension, std::uint64_t seed, const RunContext& context) {
    const Points projected = project(x, truncated_svd(x, dimension, true, context), context);
    WideVectors y = random_start(x.count, dimension, seed);
    const double size = deviation(projected, 0);
    if (!(size > 0.0)) {
        return y;  // differences that rounding swallowed
    }
    for (Index i = 0; i < x.count; ++i) {
        for (Index c = 0; c < dimension; ++c) {
            y.at(i, c) = share_of_noise * y.at(i, c) + size_of_start * double{projected[i][c]} / size;
        }
    }
    return y;
}

WideVectors random_start(Index points, Index dimension, std::uint64_t seed) {
    WideVectors y(points, dimension);
    for (Index i = 0; i < points; ++i) {
        Random random(seed, RandomStream::LayoutStart, i);
        for (Index c = 0; c < dimension; ++c) {
            y.at(i, c) = size_of_start * random.normal();
        }
    }
    return y;
}

WideVectors widened(WideVectors start, std::uint64_t seed) {
    const std::vector<double> means = column_means(start);
    double largest = 0.0;
    for (std::size_t k = 0; k < start.values.size(); ++k) {
        start.values[k] -= means[k % start.columns];
        largest = std::max(largest, std::abs(start.values[k]));
    }
    const double factor = largest > 0.0 ? half_width / largest : 0.0;
    const WideVectors noise = random_start(start.rows, start.columns, seed);
    std::transform(start.values.begin(), start.values.end(), noise.values.begin(), start.values.begin(),
                   [factor](double value, double share) { return factor * value + share; });
    return start;
}

}  // namespace isogon
