#include "tsm_quality.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "definitions.hpp"
#include "figure.hpp"
#include "published.hpp"
#include "tsm_figures.hpp"

namespace isogon::cli {

namespace {

ComparisonPlan plan_for(const std::vector<std::int64_t>& dimensions, std::optional<double> tau) {
    constexpr int rank_rows = 1000;  // ranks are not what these figures show
    ComparisonPlan plan;
    plan.contenders = parse_contenders("svd,tsm,faithful", std::nullopt, tau);
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

ChartDocument quality_figure(FigureContext& shop, const std::string& measure, const ChartAxis& axis,
                             const char* meaning, const published::ByDimension& published_tsm,
                             const published::ByDimension& published_svd,
                             const published::ByDimension& published_words_tsm,
                             const published::ByDimension& published_words_svd) {
    const ChartAxis dimensions{"dimensions", AxisScale::Log};
    const Comparison digits = digit_runs(shop, plotted_dimensions(shop));
    ChartDocument document;
    add_curves(document.charts, document.tables, {"Digits", dimensions, axis, digits_note(shop)},
               {curve_of(digits, "tsm", "isogon tsm", measure),
                curve_of(digits, "svd", "isogon svd", measure),
                {"TSM, published", SeriesRole::Published, published_tsm},
                {"SVD, published", SeriesRole::Published, published_svd},
                {"isogon faithful", SeriesRole::Other, curve_of(digits, "faithful", "", measure).values}});
    const Comparison words = word_runs(shop, plotted_dimensions(shop));
    add_curves(document.charts, document.tables,
               {"Words: other data than the paper's", dimensions, axis,
                fmt::format("The paper's 25,124 FastText vectors are not at hand. Ours: 8,000 words of GoogleNews, 300 "
                            "numbers each, tau = {:.4f}; curves of different words cannot agree in numbers.",
                            words.threshold.value_or(0.0))},
               {curve_of(words, "tsm", "isogon tsm", measure),
                curve_of(words, "svd", "isogon svd", measure),
                {"TSM, published (FastText)", SeriesRole::Published, published_words_tsm},
                {"SVD, published (FastText)", SeriesRole::Published, published_words_svd},
                {"isogon faithful", SeriesRole::Other, curve_of(words, "faithful", "", measure).values}});
    document.notes = {
        meaning, definitions::contenders, published::reading_error,
        "The paper averages digits over five folds and says that they hardly differ; ours are of fold 0."};
    return document;
}

}  // namespace

std::int64_t fold_step(const FigureContext& shop) {
    return shop.quick() ? 25 : 5;
}

std::vector<std::int64_t> plotted_dimensions(const FigureContext& shop) {
    return shop.dimensions(shop.quick() ? std::vector<std::int64_t>{4, 8, 16, 32}
                                        : std::vector<std::int64_t>{4, 8, 16, 32, 64, 128});
}

std::string digits_note(const FigureContext& shop) {
    return fmt::format("{} MNIST digits{}, tau = {}.", shop.quick() ? "2,800" : "14,000",
                       shop.quick() ? ", fewer than the paper's 14,000: figures of quality differ" : " (fold 0)",
                       published::digits::tau);
}

Comparison digit_runs(FigureContext& shop, const std::vector<std::int64_t>& dimensions) {
    const Input digits = shop.digits(fold_step(shop));
    return finished(compare(digits.points, plan_for(dimensions, published::digits::tau), shop.cache(), shop.session()));
}

Comparison word_runs(FigureContext& shop, const std::vector<std::int64_t>& dimensions) {
    const Input words = shop.words();
    return finished(compare(words.points, plan_for(dimensions, std::nullopt), shop.cache(), shop.session()));
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

ChartDocument tsm_deviation_figure(FigureContext& shop) {
    using namespace published;
    return quality_figure(shop, "mean_angular_deviation_degrees", {"mean angular deviation, degrees"},
                          definitions::deviation, digits::tsm_deviation, digits::svd_deviation, words::tsm_deviation,
                          words::svd_deviation);
}

ChartDocument tsm_jaccard_figure(FigureContext& shop) {
    using namespace published;
    return quality_figure(shop, "jaccard", {"Jaccard index"}, definitions::jaccard, digits::tsm_jaccard,
                          digits::svd_jaccard, words::tsm_jaccard, words::svd_jaccard);
}

}  // namespace isogon::cli
