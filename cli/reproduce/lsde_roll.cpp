#include <fmt/format.h>

#include "curves.hpp"
#include "definitions.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/registry.hpp"
#include "isogon/quality/alignment.hpp"
#include "isogon/synthetic/manifolds.hpp"
#include "lsde_figures.hpp"

namespace isogon::cli {

namespace {

CachedFit unfolded(FigureContext& shop, CachedRuns& runs, const PointsView& points, int landmarks) {
    return runs.made(fmt::format("lsde, d = 2, {} farthest landmarks, bridges", landmarks), [&] {
        const LandmarkOptions chosen{.landmarks = landmarks, .selection = LandmarkSelection::Farthest};
        return find_method("lsde").embed_on_landmarks(
            points, {{"dimension", std::int64_t{2}}, {"components", std::string("bridge")}}, chosen, shop.context(),
            {});
    });
}

/// Shares of the trace, the first few.
Curve spectrum(const Summary& summary, const std::string& name) {
    constexpr int few = 10;
    Curve curve{name, SeriesRole::Ours, {}};
    for (int k = 0; k < few; ++k) {
        curve.values[k + 1.0] = summary.value("spectrum_" + std::to_string(k));
    }
    return curve;
}

}  // namespace

ChartDocument lsde_roll_figure(FigureContext& shop) {
    const Index count = shop.quick() ? 2000 : 20000;
    const Generated roll = swiss_roll(count, 0, {}, shop.context());
    CachedRuns runs(roll.points.view(), {}, shop.cache(), shop.session());
    ChartTable table{"A Swiss roll, to two dimensions",
                     {"landmarks", "constraints", "told to the solver in any round", "rounds", "error",
                      "share of two dimensions", "seconds, in all"},
                     {},
                     fmt::format("{} points, 21 high, without noise; k = 6 distances kept, r = 12. Error: |truth - "
                                 "aligned Y| / |truth| after "
                                 "the best rotation and scale, the truth being the sheet before it was rolled up. "
                                 "Published: 20,000 points, \"minutes\".",
                                 with_commas(count))};
    std::vector<Curve> spectra;
    for (const int landmarks : {20, 40}) {
        const CachedFit fit = unfolded(shop, runs, roll.points.view(), landmarks);
        const Summary& told = fit.fitted.summary;
        const double error = align(fit.fitted.coordinates.view(), roll.truth.view(), shop.context()).error;
        table.rows.push_back({static_cast<double>(landmarks), told.value("constraints"), told.value("told"),
                              told.value("rounds"), error, told.value("spectrum_0") + told.value("spectrum_1"),
                              fit.seconds});
        spectra.push_back(spectrum(told, fmt::format("{} landmarks", landmarks)));
    }
    ChartDocument document;
    document.tables.push_back(std::move(table));
    add_curves(document.charts, document.tables,
               {"The spectrum shows the dimension", {"dimension"}, {"share of the trace"}, ""}, spectra);
    document.notes = {
        definitions::lsde,
        "Numbers of the paper's tables are lost in the text that is at hand, so there is little to set beside ours."};
    return document;
}

}  // namespace isogon::cli
