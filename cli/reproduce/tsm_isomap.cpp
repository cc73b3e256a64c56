#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/parallel.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/packed_points.hpp"
#include "isogon/neighbors/exact_neighbors.hpp"
#include "isogon/pairs/pair_tiles.hpp"
#include "reproduce/figures.hpp"
#include "reproduce/tsm_quality.hpp"

namespace isogon::cli {

namespace {

/// Counts pairs with |y_i - y_j|^2 / 2 < 1 - tau as products: y_i.y_j - |y_i|^2 / 2 > |y_j|^2 / 2 - (1 - tau), with one
/// more component on each side.
double near_pairs(const PointsView& y, const std::vector<float>& halves, double tau, const RunContext& context) {
    const std::vector<float> ones(y.count, 1.0F);
    PackedPoints left = pack(y, ones, halves, context);
    PackedPoints right = pack(y, ones, ones, context);
    for (Index i = 0; i < y.count; ++i) {
        left.at(i, y.dimension) = -halves[i];
    }
    std::vector<double> counts(pair_task_count(y.count));
    const auto reach = static_cast<float>(1.0 - tau);
    for_each_pair_tile(left, right, context, [&](PairTile& tile) {
        std::size_t count = 0;
        for (Index r = 0; r < tile.rows; ++r) {
            for (Index c = tile.diagonal ? r + 1 : 0; c < tile.columns; ++c) {
                const float product = tile.values[std::size_t{r} * panel_width + c];
                count += product - halves[tile.first_column + c] > -reach ? 1U : 0U;
            }
        }
        counts[tile.task] += static_cast<double>(count);
    });
    double sum = 0.0;
    for (const double count : counts) {
        sum += count;
    }
    return sum;
}

/// The Jaccard index of Saul 2022, appendix B, for Isomap: near in x are the pairs of `near` (the upper half of a
/// matrix, from pairs_above()), near in y those with |y_i - y_j|^2 / 2 < 1 - tau, y being the first `dimension` columns
/// of `coordinates`. The pair of each point with itself is in both, and counts. Throws Interruption. O(n^2 d).
double distance_jaccard(const CsrMatrix<float>& near, const PointsView& coordinates, Index dimension, double tau,
                        const RunContext& context) {
    const PointsView y(coordinates.data, coordinates.count, dimension, coordinates.stride);
    std::vector<float> halves;
    for (const double length : norms(y)) {
        halves.push_back(static_cast<float>(0.5 * length * length));
    }
    constexpr std::size_t rows = 256;
    const double both = parallel_sum(context, y.count, rows, [&](Range range) {
        double count = 0.0;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            for (const Index j : near.row_indices(static_cast<Index>(i))) {
                double square = 0.0;
                for (Index k = 0; k < dimension; ++k) {
                    const double difference = double{y[static_cast<Index>(i)][k]} - double{y[j][k]};
                    square += difference * difference;
                }
                count += 0.5 * square < 1.0 - tau ? 1.0 : 0.0;
            }
        }
        return count;
    });
    const auto in_x = static_cast<double>(near.entries());
    const double in_y = near_pairs(y, halves, tau, context);
    // Ordered pairs: each of these twice, and every point with itself, which is near in both.
    const auto diagonal = static_cast<double>(y.count);
    return (2.0 * both + diagonal) / (2.0 * (in_x + in_y - both) + diagonal);
}

constexpr std::int64_t most_dimensions = 32;
constexpr std::int64_t negative = 10;

/// Both figures use one fit: lower dimensions are its first columns.
CachedFit isomap_fit(FigureContext& context, const PointsView& points) {
    const FitRequest wanted{"isomap",
                            {{"dimension", most_dimensions},
                             {"graph", std::string("tsm")},
                             {"threshold", published::digits::tau},
                             {"components", std::string("bridge")},
                             {"negative-eigenvalues", negative}}};
    CachedRuns runs(points, {wanted}, context.cache(), context.session());
    return required_fit(runs, wanted);
}

std::string graph_note(const Summary& summary) {
    return fmt::format(
        "Isomap on the graph of S, inputs at unit length: {:.0f} edges; its {:.0f} parts are joined by their "
        "shortest edges (the paper does not say how it joined them).",
        summary.value("edges"), summary.value("components"));
}

std::vector<double> eigenvalues(const Summary& summary, std::string_view prefix) {
    std::vector<double> values;
    for (const auto& [name, value] : summary.measures) {
        if (name.starts_with(prefix)) {
            values.push_back(value);
        }
    }
    return values;
}

}  // namespace

ChartDocument tsm_isomap_figure(FigureContext& context) {
    const Input digits = context.digits(fold_step(context));
    const CachedFit fit = isomap_fit(context, digits.points);
    const CsrMatrix<float> near = pairs_above(digits.points, published::digits::tau, context.run_context());
    Curve isomap{"isogon isomap", SeriesRole::Ours, {}};
    for (const auto& [dimension, value] : published::digits::isomap_jaccard) {
        isomap.values[dimension] = distance_jaccard(near, fit.fitted.coordinates.view(), static_cast<Index>(dimension),
                                                    published::digits::tau, context.run_context());
    }
    const Comparison runs = digit_runs(context, {4, 8, 16, 32});
    const auto up_to_32 = [](published::ByDimension values) {
        std::erase_if(values, [](const auto& one) { return one.first > most_dimensions; });
        return values;
    };
    ChartDocument document;
    add_curves(
        document.charts, document.tables,
        {"Digits", {"dimensions"}, {"Jaccard index"}, digits_note(context) + " " + graph_note(fit.fitted.summary)},
        {isomap,
         curve_of(runs, "tsm", "isogon tsm", "jaccard"),
         curve_of(runs, "svd", "isogon svd", "jaccard"),
         {"Isomap, published", SeriesRole::Published, published::digits::isomap_jaccard},
         {"TSM, published", SeriesRole::Published, up_to_32(published::digits::tsm_jaccard)},
         {"SVD, published", SeriesRole::Published, up_to_32(published::digits::svd_jaccard)}});
    document.notes = {
        definitions::jaccard, definitions::isomap, published::reading_error,
        "Isomap keeps distances, not angles: its near pairs are those with |y_i - y_j|^2 / 2 < 1 - tau, as in "
        "the paper. The words' panel is left out: the paper's words are not available."};
    return document;
}

ChartDocument tsm_spectrum_figure(FigureContext& context) {
    const Input digits = context.digits(fold_step(context));
    const CachedFit fit = isomap_fit(context, digits.points);
    const std::vector<double> first = eigenvalues(fit.fitted.summary, "eigenvalue_");
    const std::vector<double> last = eigenvalues(fit.fitted.summary, "last_eigenvalue_");
    std::vector<double> all = first;
    all.insert(all.end(), last.begin(), last.end());
    std::sort(all.begin(), all.end(), [](double one, double other) { return std::abs(one) > std::abs(other); });
    const auto least = [](const std::vector<double>& values) {
        return values.empty() ? 0.0 : std::abs(*std::min_element(values.begin(), values.end(), [](double a, double b) {
            return std::abs(a) < std::abs(b);
        }));
    };
    const double known = std::max(least(first), least(last));
    Curve positive{"positive", SeriesRole::Ours, {}};
    Curve negatives{"negative", SeriesRole::Ours, {}};
    for (std::size_t i = 0; i < all.size() && std::abs(all[i]) >= known; ++i) {
        const auto place = static_cast<double>(i + 1);
        (all[i] < 0.0 ? negatives : positive).values[place] = all[i];
    }
    ChartDocument document;
    add_curves(document.charts, document.tables,
               {"Eigenvalues of the Gram matrix that Isomap diagonalizes, digits",
                {"place by size"},
                {"eigenvalue"},
                digits_note(context) + " " + graph_note(fit.fitted.summary)},
               {positive, negatives});
    document.notes = {
        definitions::isomap, "A negative eigenvalue means that no coordinates have these distances.",
        negatives.values.empty()
            ? std::string("No negative eigenvalue among those found.")
            : fmt::format(
                  "The first negative eigenvalue is number {:.0f} by size. The paper says that it comes a little "
                  "before the "
                  "Jaccard index falls; its plot, whose values cannot be read off well, goes from -2,000 to 8,000.",
                  negatives.values.begin()->first)};
    return document;
}

}  // namespace isogon::cli
