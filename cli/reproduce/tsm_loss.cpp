#include <fmt/format.h>

#include "published.hpp"
#include "tsm_figures.hpp"
#include "tsm_quality.hpp"

namespace isogon::cli {

namespace {

/// Eq. 4 over its first value. The trace holds |L - Z| / |S|, whose square that is.
Curve normalized_loss(const std::string& name, const std::vector<IterationRecord>& trace) {
    Curve curve{name, SeriesRole::Ours, {}};
    for (const auto& record : trace) {
        const double ratio = record.objective / trace.front().objective;
        curve.values[static_cast<double>(record.iteration)] = ratio * ratio;
    }
    return curve;
}

CachedFit fit_of_tsm(FigureContext& shop, const PointsView& points, std::int64_t dimension, std::optional<double> tau) {
    FitRequest wanted{"tsm", {{"dimension", dimension}, {"tolerance", 0.0}}};
    if (tau) {
        wanted.options["threshold"] = *tau;
    }
    CachedRuns runs(points, {wanted}, shop.cache(), shop.session());
    return required_fit(runs, wanted);
}

}  // namespace

ChartDocument tsm_loss_figure(FigureContext& shop) {
    const Input digits = shop.digits(fold_step(shop));
    const Input words = shop.words();
    const Curve of_digits = normalized_loss(
        "digits, d = 16", fit_of_tsm(shop, digits.points, 16, published::digits::tau).fitted.summary.trace);
    const Curve of_words = normalized_loss("words (other data), d = 32",
                                           fit_of_tsm(shop, words.points, 32, std::nullopt).fitted.summary.trace);
    ChartDocument document;
    document.charts.push_back(chart_of({"Loss of the alternating updates, over its first value",
                                        {"update"},
                                        {"normalized loss", AxisScale::Log},
                                        digits_note(shop)},
                                       {of_digits, of_words}));
    document.tables.push_back(
        {"After so many updates",
         {"data", "updates", "loss over its first value", "published, about"},
         {{"digits, d = 16", of_digits.values.rbegin()->first, of_digits.values.rbegin()->second, 1e-2},
          {"words, d = 32", of_words.values.rbegin()->first, of_words.values.rbegin()->second, {}}},
         "The published curve was read off figure 8: both fall to about 1e-2 in 250 updates."});
    document.notes = {
        "The loss (eq. 4) is |L - Z|^2: how far the matrix L of low rank is from the nearest Z with S = max(0, Z). An "
        "update is a new Z, then a new L (eqs. 5 and 6). S: what is near, by cosines above tau; d: dimensions.",
        "Ours are updates of the fast recipe, whose extrapolation stands for the paper's momentum, without its stop "
        "(tolerance 0). The "
        "loss of an update is taken where it starts from, which is the extrapolated L."};
    return document;
}

}  // namespace isogon::cli
