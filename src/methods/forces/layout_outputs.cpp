#include "methods/forces/layout_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "graph/components.hpp"
#include "graph/laplacian.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/option_table.hpp"
#include "linalg/truncated_svd.hpp"
#include "spectral/spectral_problem.hpp"

namespace isogon {

namespace {

constexpr double size_of_start = 1e-4;  // van der Maaten's
constexpr double share_of_noise = 0.01;
constexpr double half_width = 5.0;  // umap-learn's starts are 10 across

/// For numbers whose mean is 0, or nearly.
double deviation(const Points& points, Index column) {
    double squares = 0.0;
    for (Index i = 0; i < points.count(); ++i) {
        squares += double{points[i][column]} * double{points[i][column]};
    }
    return std::sqrt(squares / static_cast<double>(points.count()));
}

std::vector<double> column_means(const MultiVector<double>& y) {
    std::vector<double> means(y.columns());
    for (std::size_t i = 0; i < y.rows(); ++i) {
        for (std::size_t c = 0; c < y.columns(); ++c) {
            means[c] += y.at(i, c) / static_cast<double>(y.rows());
        }
    }
    return means;
}

}  // namespace

void require_start(const PointsView& start, Index points, int dimension, double largest, StartRows rows) {
    if (start.empty()) {
        return;
    }
    require_start_shape(start, points, dimension, rows);
    bool all_equal = points > 1;  // a row of NaN equals none
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

MultiVector<double> given_start(const PointsView& start) {
    MultiVector<double> y(start.count, start.dimension);
    for (Index i = 0; i < start.count; ++i) {
        std::copy(start[i].begin(), start[i].end(), y.row(i));
    }
    return y;
}

MultiVector<double> pca_start(const PointsView& x, Index dimension, std::uint64_t seed, const RunContext& context) {
    const Index directions = std::min(dimension, x.dimension);
    const Points projected = project(x, truncated_svd(x, directions, true, context), context);
    MultiVector<double> y = random_start(x.count, dimension, seed);
    const double size = deviation(projected, 0);
    if (!(size > 0.0)) {
        return y;  // differences that rounding swallowed
    }
    for (Index i = 0; i < x.count; ++i) {
        for (Index c = 0; c < dimension; ++c) {
            const double along = c < directions ? double{projected[i][c]} : 0.0;
            y.at(i, c) = share_of_noise * y.at(i, c) + size_of_start * along / size;
        }
    }
    return y;
}

MultiVector<double> random_start(Index points, Index dimension, std::uint64_t seed) {
    MultiVector<double> y(points, dimension);
    for (Index i = 0; i < points; ++i) {
        Random random(seed, RandomStream::LayoutStart, i);
        for (Index c = 0; c < dimension; ++c) {
            y.at(i, c) = size_of_start * random.normal();
        }
    }
    return y;
}

MultiVector<double> widened(MultiVector<double> start, std::uint64_t seed) {
    const std::vector<double> means = column_means(start);
    double largest = 0.0;
    for (std::size_t k = 0; k < start.values().size(); ++k) {
        start.values()[k] -= means[k % start.columns()];
        largest = std::max(largest, std::abs(start.values()[k]));
    }
    const double factor = largest > 0.0 ? half_width / largest : 0.0;
    const MultiVector<double> noise = random_start(start.rows(), start.columns(), seed);
    std::transform(start.values().begin(), start.values().end(), noise.values().begin(), start.values().begin(),
                   [factor](double value, double share) { return factor * value + share; });
    return start;
}

namespace {

constexpr double near_enough = 1e-2;
constexpr int most_iterations = 100;

SpectralProblem smoothest(const CsrMatrix<double>& weights, const RunContext& context) {
    SpectralProblem problem{.end = SpectrumEnd::Smallest, .deflates_constant = true};
    problem.b = degrees(weights);
    problem.a = sparse_spectral_matrix(laplacian(weights, LaplacianKind::Plain, context));
    return problem;
}

}  // namespace

std::optional<MultiVector<double>> spectral_start(const CsrMatrix<double>& weights, Index dimension, std::uint64_t seed,
                                                  Summary& summary, const RunContext& context) {
    const Index parts = connected_components(weights).count();
    summary.count("components", parts);
    if (parts > 1) {
        summary.warn("the graph falls into " + std::to_string(parts) +
                     " parts, which have no spectrum in common: the start is by pca; more neighbors join them");
        return std::nullopt;
    }
    if (weights.rows <= dimension + 1) {
        summary.warn("so few points have no spectrum of so many dimensions: the start is by pca");
        return std::nullopt;
    }
    SpectralSolution solution = solve_exactly(
        smoothest(weights, context),
        {.count = dimension, .tolerance = near_enough, .iterations = most_iterations, .seed = seed}, context);
    if (solution.pairs.termination != Termination::Converged) {
        summary.warn("the eigenvectors of the graph were not found in " + std::to_string(most_iterations) +
                     " iterations: the start is by pca");
        return std::nullopt;
    }
    return std::move(solution.coordinates);
}

namespace {

constexpr Index neighbors_of_mixture = 10;
constexpr double ridge_of_mixture = 0.1;

}  // namespace

BarycentricMap mixture_of_nearest(const Points& coordinates) {
    BarycentricMap map{std::vector<Index>(coordinates.count()), coordinates, 0, ridge_of_mixture, Metric::Euclidean};
    std::iota(map.landmarks.begin(), map.landmarks.end(), Index{0});
    map.neighbors = std::min<Index>(neighbors_of_mixture, coordinates.count() - 1);
    return map;
}

}  // namespace isogon
