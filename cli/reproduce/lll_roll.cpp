#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "curves.hpp"
#include "definitions.hpp"
#include "isogon/quality/alignment.hpp"
#include "isogon/synthetic/manifolds.hpp"
#include "lll_figures.hpp"
#include "lll_sweeps.hpp"

namespace isogon::cli {

namespace {

OptionValue whole(std::int64_t value) {
    return value;
}

/// With a column of zeros more, align() takes the best linear map: eigenmaps forget the lengths of both sides.
Points widened(const Points& truth) {
    Points wide(truth.count(), truth.dimension() + 1);
    for (Index i = 0; i < truth.count(); ++i) {
        std::copy(truth[i].begin(), truth[i].end(), wide[i].begin());
    }
    return wide;
}

/// The error of all points, and of each way on 300 landmarks, over one option.
std::vector<Curve> errors_over(FigureContext& shop, const Generated& roll, const std::string& option,
                               const std::vector<OptionValue>& values, const OptionValues& fixed) {
    struct Way {
        const char* name;
        std::int64_t landmarks;
        const char* extension;
        SeriesRole role;
    };
    constexpr std::int64_t landmarks = 300;
    const Points truth = widened(roll.truth);
    std::vector<Curve> curves;
    for (const Way way : {Way{"exact", 0, "lll", SeriesRole::Baseline}, Way{"LLL", landmarks, "lll", SeriesRole::Ours},
                          Way{"LE(Z)", landmarks, "weights", SeriesRole::Other},
                          Way{"LE(Nys.)", landmarks, "nystrom", SeriesRole::Other}}) {
        SweepPlan plan{"laplacian", fixed, {{option, values}}};
        plan.options["dimension"] = whole(2);
        if (way.landmarks > 0) {
            plan.options["landmarks"] = whole(way.landmarks);
            plan.options["extension"] = std::string(way.extension);
        }
        Curve curve{way.name, way.role, {}};
        for (const auto& fit : judged_sweep(shop, roll.points.view(), plan, [&](const SweepFit& one) {
                 return align(one.fitted.coordinates.view(), truth.view(), shop.context()).error;
             })) {
            curve.values[number_in(fit.row, option)] = fit.error;
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

std::vector<std::vector<ChartCell>> least_rows(const std::string& option, const std::vector<Curve>& curves) {
    std::vector<std::vector<ChartCell>> rows;
    for (const auto& curve : curves) {
        const auto least =
            std::min_element(curve.values.begin(), curve.values.end(),
                             [](const auto& one, const auto& other) { return one.second < other.second; });
        if (least != curve.values.end()) {
            rows.push_back({option, curve.name, least->first, least->second});
        }
    }
    return rows;
}

}  // namespace

ChartDocument lll_roll_figure(FigureContext& shop) {
    const Index count = shop.quick() ? 1000 : 4000;
    const Generated roll = swiss_roll(count, 0, {.noise = 0.0, .height = 60.0}, shop.context());
    const std::int64_t k = shop.quick() ? 40 : 150;
    const std::vector<OptionValue> sigmas{1.0, 1.3, 1.6, 2.0, 2.5, 4.0, 6.3};
    const std::vector<OptionValue> ks = shop.quick()
                                            ? std::vector<OptionValue>{whole(12), whole(20), whole(40)}
                                            : std::vector<OptionValue>{whole(15), whole(40), whole(150), whole(300)};
    const std::string note = fmt::format(
        "A Swiss roll of {} points, 60 high, layers 2 pi apart, to d = 2; 300 random landmarks, K_Z = 3. A fit that is "
        "refused (weights that "
        "vanish among landmarks alone) has no point.",
        with_commas(count));
    const auto by_sigma = errors_over(shop, roll, "sigma", sigmas, {{"neighbors", whole(k)}});
    const auto by_k = errors_over(shop, roll, "neighbors", ks, {{"sigma", 1.6}});
    ChartDocument document;
    CurveLabels over_sigma;
    over_sigma.title = fmt::format("Error against the truth over sigma, k = {}", k);
    over_sigma.x = {"sigma", AxisScale::Log};
    over_sigma.y.label = "error after the best linear map";
    over_sigma.note = note;
    CurveLabels over_k = over_sigma;
    over_k.title = "Error against the truth over k, sigma = 1.6";
    over_k.x = {"k", AxisScale::Log};
    add_curves(document.charts, document.tables, over_sigma, by_sigma);
    add_curves(document.charts, document.tables, over_k, by_k);
    ChartTable least{
        "Where each is best",
        {"over", "way", "at", "error"},
        least_rows("sigma", by_sigma),
        "The paper: the minima of LLL and the exact embedding align well, at sigma = 1.6 where it then varies k."};
    for (auto& row : least_rows("k", by_k)) {
        least.rows.push_back(std::move(row));
    }
    document.tables.push_back(std::move(least));
    document.notes = {
        definitions::ways,
        "Error: |truth - aligned| / |truth|, aligned by the best linear map; the truth is the sheet before it was "
        "rolled "
        "up. sigma: the width of the kernel; k: neighbours.",
        "The published curves cannot be read off: the slides that are at hand hold no numbers. How the paper's roll "
        "was made it does not say; "
        "on one 21 high, as is usual, eigenmaps do not find the height in two coordinates."};
    return document;
}

}  // namespace isogon::cli
