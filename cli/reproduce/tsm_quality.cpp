#include "reproduce/tsm_quality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "isogon/methods/model.hpp"
#include "isogon/pairs/threshold.hpp"
#include "reproduce/figures.hpp"

namespace isogon::cli {

namespace {

ComparisonPlan plan_for(const std::vector<std::int64_t>& dimensions, std::optional<double> tau) {
    constexpr int rank_rows = 1000;  // these figures do not show ranks
    ComparisonPlan plan;
    plan.variants = parse_variants("svd,tsm", std::nullopt, tau);
    plan.dimensions = dimensions;
    plan.options.threshold = tau;
    plan.options.rank_rows = rank_rows;
    return plan;
}

Comparison finished(Comparison result) {
    if (result.summary.termination != Termination::Converged) {
        throw Interruption{result.summary.termination};
    }
    return result;
}

ChartDocument quality_figure(FigureContext& context, const std::string& measure, const ChartAxis& axis,
                             const char* meaning, const published::ByDimension& published_tsm,
                             const published::ByDimension& published_svd,
                             const published::ByDimension& published_words_tsm,
                             const published::ByDimension& published_words_svd) {
    const ChartAxis dimensions{"dimensions", AxisScale::Log};
    const Comparison digits = digit_runs(context, plotted_dimensions(context));
    ChartDocument document;
    add_curves(document.charts, document.tables, {"Digits", dimensions, axis, digits_note(context)},
               {curve_of(digits, "tsm", "isogon tsm", measure),
                curve_of(digits, "svd", "isogon svd", measure),
                {"TSM, published", SeriesRole::Published, published_tsm},
                {"SVD, published", SeriesRole::Published, published_svd}});
    const Comparison words = word_runs(context, plotted_dimensions(context));
    add_curves(
        document.charts, document.tables,
        {"Words: other data than the paper's", dimensions, axis,
         fmt::format("The paper's 25,124 FastText vectors are not available. Ours: 8,000 words of GoogleNews, 300 "
                     "numbers each, tau = {:.4f}; curves of different words cannot agree in numbers.",
                     words.threshold.value_or(0.0))},
        {curve_of(words, "tsm", "isogon tsm", measure),
         curve_of(words, "svd", "isogon svd", measure),
         {"TSM, published (FastText)", SeriesRole::Published, published_words_tsm},
         {"SVD, published (FastText)", SeriesRole::Published, published_words_svd}});
    document.notes = {
        meaning, definitions::variants, published::reading_error,
        "The paper averages digits over five folds and says that they hardly differ; ours are of fold 0."};
    return document;
}

}  // namespace

std::int64_t fold_step(const FigureContext& context) {
    return context.quick() ? 25 : 5;
}

std::vector<std::int64_t> plotted_dimensions(const FigureContext& context) {
    return context.dimensions(context.quick() ? std::vector<std::int64_t>{4, 8, 16, 32}
                                              : std::vector<std::int64_t>{4, 8, 16, 32, 64, 128});
}

std::string digits_note(const FigureContext& context) {
    return fmt::format("{} MNIST digits{}, tau = {}.", context.quick() ? "2,800" : "14,000",
                       context.quick() ? ", fewer than the paper's 14,000: figures of quality differ" : " (fold 0)",
                       published::digits::tau);
}

Comparison digit_runs(FigureContext& context, const std::vector<std::int64_t>& dimensions) {
    const Input digits = context.digits(fold_step(context));
    return finished(
        compare(digits.points, plan_for(dimensions, published::digits::tau), context.cache(), context.session()));
}

Comparison word_runs(FigureContext& context, const std::vector<std::int64_t>& dimensions) {
    const Input words = context.words();
    return finished(compare(words.points, plan_for(dimensions, std::nullopt), context.cache(), context.session()));
}

Curve curve_of(const Comparison& runs, const std::string& method, const std::string& title,
               const std::string& measure) {
    Curve curve{title, SeriesRole::Ours, {}};
    for (const auto& one : measures_of(runs.rows)) {
        for (const auto& row : runs.rows) {
            const auto value = one.of(row);
            if (one.key == measure && row.name == method && value) {
                curve.values[static_cast<double>(row.dimension)] = *value;
            }
        }
    }
    return curve;
}

ChartDocument tsm_deviation_figure(FigureContext& context) {
    using namespace published;
    return quality_figure(context, "mean_angular_deviation_degrees", {"mean angular deviation, degrees"},
                          definitions::deviation, digits::tsm_deviation, digits::svd_deviation, words::tsm_deviation,
                          words::svd_deviation);
}

ChartDocument tsm_jaccard_figure(FigureContext& context) {
    using namespace published;
    return quality_figure(context, "jaccard", {"Jaccard index"}, definitions::jaccard, digits::tsm_jaccard,
                          digits::svd_jaccard, words::tsm_jaccard, words::svd_jaccard);
}

namespace {

/// Shares by the centres of their bins, up to `last_degrees`.
Curve histogram(const std::string& name, const std::vector<double>& shares, double bin, double last_degrees) {
    Curve curve{name, SeriesRole::Ours, {}};
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const double middle = (static_cast<double>(i) + 0.5) * bin;
        if (middle < last_degrees) {
            curve.values[middle] = shares[i];
        }
    }
    return curve;
}

void add(const AngleHistograms& angles, const std::string& title, const std::string& note, double published_tau,
         ChartDocument& document, std::vector<std::vector<ChartCell>>& rows) {
    const double highest = *std::max_element(angles.nearest.begin(), angles.nearest.end());
    constexpr double last_degrees = 95.0;
    const CurveLabels labels{title, {"angle, degrees"}, {"share of pairs, each kind by itself"}, note};
    document.charts.push_back(
        chart_of(labels, {histogram("nearest neighbours", angles.nearest, angles.bin_degrees, last_degrees),
                          histogram("all pairs", angles.all, angles.bin_degrees, last_degrees),
                          {fmt::format("acos(tau), tau = {:.4f}", angles.threshold),
                           SeriesRole::Baseline,
                           {{angles.threshold_degrees - 1e-6, 0.0}, {angles.threshold_degrees, highest}}}}));
    rows.push_back({title, angles.threshold, published_tau, angles.threshold_degrees, angles.sparsity, 0.99,
                    angles.isolated_share});
}

}  // namespace

ChartDocument tsm_angles_figure(FigureContext& context) {
    ChartDocument document;
    std::vector<std::vector<ChartCell>> rows;
    const Input digits = context.digits(fold_step(context));
    add(describe_threshold(digits.points, published::digits::tau, {}, context.run_context()), "Digits",
        digits_note(context), published::digits::tau, document, rows);
    constexpr double published_words_tau = 0.47;
    const Input words = context.words();
    add(choose_threshold(words.points, {}, context.run_context()), "Words: other data than the paper's",
        "8,000 words of GoogleNews; the paper's 25,124 of FastText are not available. tau chosen for a sparsity of "
        "99%, "
        "as the paper "
        "chose its own.",
        published_words_tau, document, rows);
    document.tables.push_back({"Thresholds",
                               {"data", "tau", "published tau", "acos(tau), degrees", "sparsity", "published sparsity",
                                "share of points without a neighbour above tau"},
                               rows,
                               "Of a sample of 2,000 points against all."});
    document.notes = {
        "tau: the cosine above which two points count as near; sparsity: the share of pairs at or below it."};
    return document;
}

namespace {

/// Eq. 4 relative to its first value. The trace contains |L - Z| / |S|, so the ratio is squared.
Curve normalized_loss(const std::string& name, const std::vector<IterationRecord>& trace) {
    Curve curve{name, SeriesRole::Ours, {}};
    for (const auto& record : trace) {
        const double ratio = record.objective / trace.front().objective;
        curve.values[static_cast<double>(record.iteration)] = ratio * ratio;
    }
    return curve;
}

CachedFit fit_of_tsm(FigureContext& context, const PointsView& points, std::int64_t dimension,
                     std::optional<double> tau) {
    FitRequest wanted{"tsm", {{"dimension", dimension}, {"tolerance", 0.0}}};
    if (tau) {
        wanted.options["threshold"] = *tau;
    }
    CachedRuns runs(points, {wanted}, context.cache(), context.session());
    return required_fit(runs, wanted);
}

}  // namespace

ChartDocument tsm_loss_figure(FigureContext& context) {
    const Input digits = context.digits(fold_step(context));
    const Input words = context.words();
    const Curve of_digits = normalized_loss(
        "digits, d = 16", fit_of_tsm(context, digits.points, 16, published::digits::tau).fitted.summary.trace);
    const Curve of_words = normalized_loss("words (other data), d = 32",
                                           fit_of_tsm(context, words.points, 32, std::nullopt).fitted.summary.trace);
    ChartDocument document;
    document.charts.push_back(chart_of({"Loss of the alternating updates, over its first value",
                                        {"update"},
                                        {"normalized loss", AxisScale::Log},
                                        digits_note(context)},
                                       {of_digits, of_words}));
    document.tables.push_back(
        {"After so many updates",
         {"data", "updates", "loss over its first value", "published, about"},
         {{"digits, d = 16", of_digits.values.rbegin()->first, of_digits.values.rbegin()->second, 1e-2},
          {"words, d = 32", of_words.values.rbegin()->first, of_words.values.rbegin()->second, {}}},
         "The published curve was read off figure 8: both fall to about 1e-2 in 250 updates."});
    document.notes = {
        "The loss (eq. 4) is |L - Z|^2: how far the matrix L of low rank is from the nearest Z with S = max(0, Z). An "
        "update is a new Z, then a new L (eqs. 5 and 6). S: the similarities, cosines above tau; d: dimensions.",
        "Ours are updates of the fast recipe, whose extrapolation stands for the paper's momentum, without its stop "
        "(tolerance 0). The "
        "loss of an update is taken where it starts from, which is the extrapolated L."};
    return document;
}

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

constexpr std::int64_t regularized_from = 16;  // tsm's default

struct Curves {
    Curve tsm{"isogon tsm + LLX", SeriesRole::Ours, {}};
    Curve other_way{"isogon tsm + LLX, --regularize the other way", SeriesRole::Other, {}};
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
        for (const bool by_default : {true, false}) {
            FitRequest wanted{"tsm", {{"dimension", dimension}, {"threshold", published::digits::tau}}};
            const bool regularized = (dimension >= regularized_from) == by_default;
            if (!by_default) {
                wanted.options["regularize"] = std::string(regularized ? "on" : "off");
            }
            const CachedFit fit = all.made(fmt::format("fold 0 of {} by tsm, d = {}, tau = {}, regularize {}, LLX",
                                                       folds, dimension, published::digits::tau, regularized),
                                           [&] { return extended(context, digits.points, wanted); });
            const Score score = all.score(fit.fitted.coordinates.view(), {}, score_options());
            add(score, d, by_default ? result.deviation.tsm : result.deviation.other_way,
                by_default ? result.jaccard.tsm : result.jaccard.other_way);
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
                curves.other_way});
    document.notes = {definitions::llx, meaning, published::reading_error,
                      "The words' panel is left out: the paper's 107,670 words are not available.",
                      fmt::format("--regularize is the paper's constraint (eqs. 19-22), its inequality turned; on by "
                                  "default from {} dimensions.",
                                  regularized_from)};
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
