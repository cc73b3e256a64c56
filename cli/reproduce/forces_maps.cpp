#include <fmt/format.h>

#include "curves.hpp"
#include "forces_figures.hpp"

namespace isogon::cli {

namespace {

struct Shown {
    const char* title;
    FitRequest wanted;
};

std::vector<Shown> shown_maps() {
    return {{"PCA with two kernels", {"pca2", {}}},
            {"t-SNE", {"tsne", {}}},
            {"UMAP", {"umap", {}}},
            {"LLE with two kernels", {"lle2", {}}}};
}

}  // namespace

ChartDocument forces_maps_figure(FigureContext& shop) {
    const Input digits = shop.digits(shop.quick() ? 70 : 14);
    const auto maps = shown_maps();
    std::vector<FitRequest> wanted;
    wanted.reserve(maps.size());
    for (const auto& one : maps) {
        wanted.push_back(one.wanted);
    }
    CachedRuns runs(digits.points, wanted, shop.cache(), shop.session());
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
