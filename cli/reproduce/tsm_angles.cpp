#include <fmt/format.h>

#include <algorithm>

#include "isogon/pairs/threshold.hpp"
#include "published.hpp"
#include "tsm_figures.hpp"
#include "tsm_quality.hpp"

namespace isogon::cli {

namespace {

/// Shares by the middles of their bins, from the first to the last bin that holds anything.
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

ChartDocument tsm_angles_figure(FigureContext& shop) {
    ChartDocument document;
    std::vector<std::vector<ChartCell>> rows;
    const Input digits = shop.digits(fold_step(shop));
    add(describe_threshold(digits.points, published::digits::tau, {}, shop.context()), "Digits", digits_note(shop),
        published::digits::tau, document, rows);
    constexpr double published_words_tau = 0.47;
    const Input words = shop.words();
    add(choose_threshold(words.points, {}, shop.context()), "Words: other data than the paper's",
        "8,000 words of GoogleNews; the paper's 25,124 of FastText are not at hand. tau chosen for a sparsity of 99%, "
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

}  // namespace isogon::cli
