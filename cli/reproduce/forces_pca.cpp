#include <fmt/format.h>

#include <algorithm>

#include "curves.hpp"
#include "forces_figures.hpp"
#include "isogon/quality/alignment.hpp"

namespace isogon::cli {

namespace {

FitRequest descent(std::int64_t iterations, std::int64_t rank) {
    return {"pca-forces", {{"dimension", std::int64_t{2}}, {"iterations", iterations}, {"rank", rank}}};
}

std::string name_of(std::int64_t rank) {
    return rank == 0 ? "the whole Gram matrix" : fmt::format("rank {}", rank);
}

}  // namespace

ChartDocument forces_pca_figure(FigureContext& shop) {
    const std::vector<std::int64_t> steps = shop.quick() ? std::vector<std::int64_t>{1, 5, 20, 50, 100}
                                                         : std::vector<std::int64_t>{1, 2, 5, 10, 20, 50, 100, 200};
    const Input digits = shop.digits(70);
    const FitRequest pca{"pca", {{"dimension", std::int64_t{2}}}};
    std::vector<FitRequest> wanted{pca};
    for (const std::int64_t rank : {0, 5, 50}) {
        for (const std::int64_t count : steps) {
            wanted.push_back(descent(count, rank));
        }
    }
    CachedRuns runs(digits.points, wanted, shop.cache(), shop.session());
    const CachedFit truth = required_fit(runs, pca);
    std::vector<Curve> curves;
    for (const std::int64_t rank : {0, 5, 50}) {
        Curve curve{name_of(rank), SeriesRole::Ours, {}};
        for (const std::int64_t count : steps) {
            const CachedFit fit = required_fit(runs, descent(count, rank));
            curve.values[static_cast<double>(count)] =
                align(fit.fitted.coordinates.view(), truth.fitted.coordinates.view(), shop.context()).error;
        }
        curves.push_back(std::move(curve));
    }
    ChartDocument document;
    add_curves(document.charts, document.tables,
               {"PCA by gradient descent: how far from PCA after so many steps",
                {"steps", AxisScale::Log},
                {"error after the best rotation and scale", AxisScale::Log},
                fmt::format("{} MNIST digits (the paper: 1,000), a random start; step 1 / (8 lambda_1), the longest "
                            "that is proven to lower the objective.",
                            with_commas(digits.points.count))},
               curves);
    document.notes = {
        "Every pair of points pulls or pushes until products of outputs are those of inputs. Rank k: the best "
        "approximation of that rank stands for the inputs' Gram matrix.",
        "Error: |PCA - aligned| / |PCA|, aligned by the best rotation and scale.",
        "The paper's figure shows pictures: the final result is PCA's embedding up to a rotation, for the whole "
        "gradient and its approximations of rank k "
        "(theorem 1, lemma 3). Errors below some 1e-6 are rounding."};
    return document;
}

}  // namespace isogon::cli
