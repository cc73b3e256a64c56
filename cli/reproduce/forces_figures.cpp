#include <fmt/format.h>

#include "isogon/quality/known_truth.hpp"
#include "reproduce/figures.hpp"

namespace isogon::cli {

namespace {

FitRequest descent(std::int64_t iterations, std::int64_t rank) {
    return {"pca-forces", {{"dimension", std::int64_t{2}}, {"iterations", iterations}, {"rank", rank}}};
}

std::string name_of(std::int64_t rank) {
    return rank == 0 ? "the whole Gram matrix" : fmt::format("rank {}", rank);
}

}  // namespace

ChartDocument forces_pca_figure(FigureContext& context) {
    const std::vector<std::int64_t> steps = context.quick() ? std::vector<std::int64_t>{1, 5, 20, 50, 100}
                                                            : std::vector<std::int64_t>{1, 2, 5, 10, 20, 50, 100, 200};
    const Input digits = context.digits(70);
    const FitRequest pca{"pca", {{"dimension", std::int64_t{2}}}};
    std::vector<FitRequest> wanted{pca};
    for (const std::int64_t rank : {0, 5, 50}) {
        for (const std::int64_t count : steps) {
            wanted.push_back(descent(count, rank));
        }
    }
    CachedRuns runs(digits.points, wanted, context.cache(), context.session());
    const CachedFit truth = required_fit(runs, pca);
    std::vector<Curve> curves;
    for (const std::int64_t rank : {0, 5, 50}) {
        Curve curve{name_of(rank), SeriesRole::Ours, {}};
        for (const std::int64_t count : steps) {
            const CachedFit fit = required_fit(runs, descent(count, rank));
            curve.values[static_cast<double>(count)] =
                align(fit.fitted.coordinates.view(), truth.fitted.coordinates.view(), context.run_context()).error;
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

namespace {

struct MapRequest {
    const char* title;
    FitRequest wanted;
};

std::vector<MapRequest> map_requests() {
    return {{"PCA with two kernels", {"pca2", {}}},
            {"t-SNE", {"tsne", {}}},
            {"UMAP", {"umap", {}}},
            {"LLE with two kernels", {"lle2", {}}}};
}

}  // namespace

ChartDocument forces_maps_figure(FigureContext& context) {
    const Input digits = context.digits(context.quick() ? 70 : 14);
    const auto maps = map_requests();
    std::vector<FitRequest> wanted;
    wanted.reserve(maps.size());
    for (const auto& one : maps) {
        wanted.push_back(one.wanted);
    }
    CachedRuns runs(digits.points, wanted, context.cache(), context.session());
    ChartDocument document;
    ChartTable table{"What the maps keep",
                     {"map", "10-nn accuracy", "trustworthiness", "continuity", "seconds"},
                     {},
                     fmt::format("{} MNIST digits (the paper: 5,000), defaults. Accuracy is of labels by the ten "
                                 "nearest in the map, each point left out in turn.",
                                 with_commas(digits.points.count))};
    for (const auto& one : maps) {
        const CachedFit fit = required_fit(runs, one.wanted);
        const Score score = runs.score(fit.fitted.coordinates.view(), digits.labels, {});
        table.rows.push_back(
            {one.title, cell_of(score.knn_accuracy), score.trustworthiness, score.continuity, fit.seconds});
        document.maps.push_back({one.title, fit.fitted.coordinates, classes_of(digits.labels)});
    }
    document.tables.push_back(std::move(table));
    document.notes = {
        "With two kernels: in the objective of PCA or LLE 1 / (1 + |y_i - y_j|^2) stands for the product of two "
        "outputs, "
        "and for PCA UMAP's graph for that of two inputs.",
        "Trustworthiness is 1 where no neighbour in the map is false, continuity where none of the inputs' is lost.",
        "The paper's figure shows pictures, no numbers: LLE with two kernels separates the classes much as t-SNE and "
        "UMAP do, PCA with two kernels over "
        "all pairs does not."};
    return document;
}

}  // namespace isogon::cli
