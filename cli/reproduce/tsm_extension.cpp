#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "isogon/methods/model.hpp"
#include "reproduce/figures.hpp"
#include "reproduce/tsm_quality.hpp"

namespace isogon::cli {

namespace {

constexpr Index folds = 5;

/// Options of the scores; these figures do not show ranks.
ScoreOptions score_options() {
    ScoreOptions options;
    options.threshold = published::digits::tau;
    options.rank_rows = 1000;
    options.neighbors = 10;
    return options;
}

/// The rows of fold 0, or all others.
Points rows_of(const PointsView& all, bool in_fold) {
    const Index fitted = (all.count + folds - 1) / folds;
    Points rows(in_fold ? fitted : all.count - fitted, all.dimension);
    Index next = 0;
    for (Index i = 0; i < all.count; ++i) {
        if ((i % folds == 0) == in_fold) {
            std::copy(all[i].begin(), all[i].end(), rows[next++].begin());
        }
    }
    return rows;
}

/// A fit to fold 0, and LLX to the four others.
Embedding extended(FigureContext& context, const PointsView& all, const FitRequest& wanted) {
    const Points fold = rows_of(all, true);
    CachedRuns runs(fold.view(), {wanted}, context.cache(), context.session());
    const CachedFit fit = required_fit(runs, wanted);
    const Transformer transformer(make_model(wanted.method, fold.view(), fit.fitted, Store::Map),
                                  context.run_context());
    const Points rest = rows_of(all, false);
    Extended placed = transformer.extend(rest.view(), {}, context.run_context());
    Embedding result;
    result.summary = std::move(placed.summary);
    result.options = fit.fitted.options;
    result.coordinates = Points(all.count, fit.fitted.coordinates.dimension());
    std::array<Index, 2> next{};  // fitted, placed
    for (Index i = 0; i < all.count && !placed.coordinates.empty(); ++i) {
        const bool in_fold = i % folds == 0;
        const auto row =
            in_fold ? std::as_const(fit.fitted.coordinates)[next[0]++] : std::as_const(placed.coordinates)[next[1]++];
        std::copy(row.begin(), row.end(), result.coordinates[i].begin());
    }
    return result;
}

struct Curves {
    Curve tsm{"isogon tsm + LLX", SeriesRole::Ours, {}};
    Curve regularized{"isogon tsm --regularize on + LLX", SeriesRole::Other, {}};
    Curve svd{"isogon svd", SeriesRole::Ours, {}};
};

struct ExtensionRuns {
    Curves deviation;
    Curves jaccard;
    std::string note;
};

void add(const Score& score, double dimension, Curve& deviation, Curve& jaccard) {
    deviation.values[dimension] = score.mean_angular_deviation_degrees;
    jaccard.values[dimension] = score.jaccard;
}

/// Runs of both figures.
ExtensionRuns extension_runs(FigureContext& context) {
    const Input digits = context.digits(context.quick() ? 5 : 1);
    const std::vector<std::int64_t> dimensions = context.dimensions(
        context.quick() ? std::vector<std::int64_t>{8, 16} : std::vector<std::int64_t>{4, 8, 16, 32, 64, 128});
    ExtensionRuns result;
    result.note = fmt::format(
        "{} MNIST digits, of which every fifth is fitted; tau = {}; LLX with k = 4 d neighbours and eps = 1e-4.",
        with_commas(digits.points.count), published::digits::tau);
    CachedRuns all(digits.points, {}, context.cache(), context.session());
    for (const std::int64_t dimension : dimensions) {
        const auto d = static_cast<double>(dimension);
        const CachedFit svd = required_fit(all, {"svd", {{"dimension", dimension}}});
        add(all.score(svd.fitted.coordinates.view(), {}, score_options()), d, result.deviation.svd, result.jaccard.svd);
        for (const bool regularized : {false, true}) {
            FitRequest wanted{"tsm", {{"dimension", dimension}, {"threshold", published::digits::tau}}};
            if (regularized) {
                wanted.options["regularize"] = std::string("on");
            }
            const CachedFit fit = all.made(fmt::format("fold 0 of {} by tsm, d = {}, tau = {}, regularize {}, LLX",
                                                       folds, dimension, published::digits::tau, regularized),
                                           [&] { return extended(context, digits.points, wanted); });
            const Score score = all.score(fit.fitted.coordinates.view(), {}, score_options());
            add(score, d, regularized ? result.deviation.regularized : result.deviation.tsm,
                regularized ? result.jaccard.regularized : result.jaccard.tsm);
        }
    }
    return result;
}

ChartDocument extension_figure(const ExtensionRuns& runs, const Curves& curves, const ChartAxis& axis,
                               const char* meaning, const published::ByDimension& llx,
                               const published::ByDimension& svd) {
    ChartDocument document;
    CurveLabels labels;
    labels.title = "Digits";
    labels.x = {"dimensions", AxisScale::Log};
    labels.y = axis;
    labels.note = runs.note;
    add_curves(document.charts, document.tables, labels,
               {curves.tsm,
                curves.svd,
                {"TSM + LLX, published", SeriesRole::Published, llx},
                {"SVD, published", SeriesRole::Published, svd},
                curves.regularized});
    document.notes = {definitions::llx, meaning, published::reading_error,
                      "The words' panel is left out: the paper's 107,670 words are not at hand.",
                      "--regularize on is the paper's constraint (eqs. 19-22), its inequality turned."};
    return document;
}

}  // namespace

ChartDocument tsm_llx_deviation_figure(FigureContext& context) {
    const ExtensionRuns runs = extension_runs(context);
    return extension_figure(runs, runs.deviation, {"mean angular deviation, degrees"}, definitions::deviation,
                            published::extension::llx_deviation, published::extension::svd_deviation);
}

ChartDocument tsm_llx_jaccard_figure(FigureContext& context) {
    const ExtensionRuns runs = extension_runs(context);
    return extension_figure(runs, runs.jaccard, {"Jaccard index"}, definitions::jaccard,
                            published::extension::llx_jaccard, published::extension::svd_jaccard);
}

}  // namespace isogon::cli
