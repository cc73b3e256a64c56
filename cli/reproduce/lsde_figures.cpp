#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "isogon/core/hypotenuse.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/registry.hpp"
#include "isogon/quality/known_truth.hpp"
#include "isogon/synthetic/point_clouds.hpp"
#include "reproduce/figures.hpp"

namespace isogon::cli {

namespace {

CachedFit unfolded(FigureContext& context, CachedRuns& runs, const PointsView& points, int landmarks) {
    return runs.made(fmt::format("lsde, d = 2, {} farthest landmarks, bridges", landmarks), [&] {
        const LandmarkOptions chosen{.landmarks = landmarks, .selection = LandmarkSelection::Farthest};
        return find_method("lsde").embed_on_landmarks(
            points, {{"dimension", std::int64_t{2}}, {"components", std::string("bridge")}}, chosen,
            context.run_context(), {});
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

ChartDocument lsde_roll_figure(FigureContext& context) {
    const Index count = context.quick() ? 2000 : 20000;
    const Generated roll = swiss_roll(count, 0, {}, context.run_context());
    CachedRuns runs(roll.points.view(), {}, context.cache(), context.session());
    ChartTable table{"A Swiss roll, to two dimensions",
                     {"landmarks", "constraints", "passed to the solver in any round", "rounds", "error",
                      "share of two dimensions", "seconds, in all"},
                     {},
                     fmt::format("{} points, 21 high, without noise; k = 6 distances kept, r = 12. Error: |truth - "
                                 "aligned Y| / |truth| after "
                                 "the best rotation and scale, the truth being the sheet before it was rolled up. "
                                 "Published: 20,000 points, \"minutes\".",
                                 with_commas(count))};
    std::vector<Curve> spectra;
    for (const int landmarks : {20, 40}) {
        const CachedFit fit = unfolded(context, runs, roll.points.view(), landmarks);
        const Summary& summary = fit.fitted.summary;
        const double error = align(fit.fitted.coordinates.view(), roll.truth.view(), context.run_context()).error;
        table.rows.push_back({static_cast<double>(landmarks), summary.value("constraints"), summary.value("told"),
                              summary.value("rounds"), error, summary.value("spectrum_0") + summary.value("spectrum_1"),
                              fit.seconds});
        spectra.push_back(spectrum(summary, fmt::format("{} landmarks", landmarks)));
    }
    ChartDocument document;
    document.tables.push_back(std::move(table));
    add_curves(document.charts, document.tables,
               {"The spectrum shows the dimension", {"dimension"}, {"share of the trace"}, ""}, spectra);
    document.notes = {
        definitions::lsde,
        "Numbers of the paper's tables are lost in the available text, so there is little to set beside ours."};
    return document;
}

namespace {

constexpr std::int64_t object = 0;

/// The views of one object, in their order.
Points views_of(const Input& all) {
    std::vector<Index> rows;
    for (Index i = 0; i < all.points.count; ++i) {
        if (all.labels[i] == object) {
            rows.push_back(i);
        }
    }
    Points views(static_cast<Index>(rows.size()), all.points.dimension);
    for (Index i = 0; i < views.count(); ++i) {
        const auto row = all.points[rows[i]];
        std::copy(row.begin(), row.end(), views[i].begin());
    }
    return views;
}

/// Shape of the closed curve through the views in their order.
struct Ring {
    double least = 0.0;  ///< radius, relative to the mean
    double most = 0.0;
    double turns = 0.0;
    int backward = 0;  ///< steps in the opposite direction
};

Ring ring_of(const Points& y) {
    double sum = 0.0;
    Ring ring{1e300, 0.0, 0.0, 0};
    int forward = 0;
    double around = 0.0;
    for (Index i = 0; i < y.count(); ++i) {
        const double radius = hypotenuse(y[i][0], y[i][1]);
        sum += radius;
        ring.least = std::min(ring.least, radius);
        ring.most = std::max(ring.most, radius);
        if (i > 0) {
            const double step = std::remainder(std::atan2(y[i][1], y[i][0]) - std::atan2(y[i - 1][1], y[i - 1][0]),
                                               2.0 * std::numbers::pi);
            around += step;
            (step > 0.0 ? forward : ring.backward) += 1;
        }
    }
    const double mean = sum / y.count();
    return {ring.least / mean, ring.most / mean, std::abs(around) / (2.0 * std::numbers::pi),
            std::min(forward, ring.backward)};
}

/// A map of the views, coloured by six parts of the turn; a map, as both axes need the same scale.
ChartMap ring_map(const std::string& title, const Points& y) {
    constexpr Index parts = 6;
    constexpr Index degrees = 360;
    ChartMap map{title, y, {}};
    for (Index part = 0; part < parts; ++part) {
        map.labels.names.push_back(fmt::format("from {} degrees", part * degrees / parts));
    }
    for (Index i = 0; i < y.count(); ++i) {
        map.labels.index.push_back(i * parts / y.count());
    }
    return map;
}

}  // namespace

ChartDocument lsde_object_figure(FigureContext& context) {
    const Input all = context.labelled({data_files::objects[0]}, {data_files::objects[1]});
    const Points views = views_of(all);
    ChartDocument document;
    ChartTable table{
        "The ring",
        {"landmarks", "least radius, of the mean", "most", "turns", "steps the other way",
         "share of the trace in two dimensions"},
        {},
        "Object 0 of coil-20 stands for the 400 views of a teapot of the paper, which could not be had. The paper: a "
        "perfect circle, nearly all "
        "variance in two dimensions; lsde differs a little from sde."};
    for (const int landmarks : {24, 72}) {
        const LandmarkOptions chosen{.landmarks = landmarks == 72 ? static_cast<int>(views.count()) : landmarks};
        const Embedding fitted = find_method("lsde").embed_on_landmarks(views.view(),
                                                                        {{"dimension", std::int64_t{2}},
                                                                         {"neighbors", std::int64_t{4}},
                                                                         {"weight-neighbors", std::int64_t{6}},
                                                                         {"components", std::string("bridge")}},
                                                                        chosen, context.run_context(), {});
        if (fitted.coordinates.empty()) {
            throw Interruption{fitted.summary.termination};
        }
        const Ring ring = ring_of(fitted.coordinates);
        table.rows.push_back({static_cast<double>(landmarks), ring.least, ring.most, ring.turns,
                              static_cast<double>(ring.backward),
                              fitted.summary.value("spectrum_0") + fitted.summary.value("spectrum_1")});
        document.maps.push_back(
            ring_map(fmt::format("72 views of an object by lsde, {} landmarks", landmarks), fitted.coordinates));
    }
    document.tables.push_back(std::move(table));
    document.notes = {
        definitions::lsde,
        "72 views, turned by 5 degrees each. Radius: the distance from the centre, over its mean. Turns: how often the "
        "views go round, from the first to the last. The colours of the maps are six parts of the turn."};
    return document;
}

namespace {

constexpr std::int64_t dimension_of_fits = 20;

PointsView first_columns(const PointsView& points, Index dimension) {
    return {points.data, points.count, dimension, points.stride};
}

Curve errors(const std::string& name, SeriesRole role, const CachedFit& fit, const Input& digits,
             FigureContext& context) {
    Curve curve{name, role, {}};
    for (const Index dimension : {1U, 2U, 3U, 4U, 5U, 6U, 8U, 10U, 15U, 20U}) {
        curve.values[dimension] = 100.0 * nearest_label_error(first_columns(fit.fitted.coordinates.view(), dimension),
                                                              digits.labels, context.run_context());
    }
    return curve;
}

/// Variances of the coordinates as shares of their sum: for lsde shares of the trace.
Curve shares(const std::string& name, SeriesRole role, const CachedFit& fit) {
    Curve curve{name, role, {}};
    std::vector<double> sums(dimension_of_fits);
    double all = 0.0;
    for (Index i = 0; i < fit.fitted.coordinates.count(); ++i) {
        for (Index k = 0; k < dimension_of_fits; ++k) {
            const double value = fit.fitted.coordinates[i][k];
            sums[k] += value * value;
            all += value * value;
        }
    }
    for (std::size_t k = 0; k < sums.size(); ++k) {
        curve.values[static_cast<double>(k + 1)] = sums[k] / all;
    }
    return curve;
}

}  // namespace

ChartDocument lsde_digits_figure(FigureContext& context) {
    const Input digits =
        context.labelled({data_files::postal_digits[0]}, {data_files::postal_digits[1]}, context.quick() ? 10 : 1);
    const FitRequest pca_fit{"pca", {{"dimension", dimension_of_fits}}};
    const FitRequest lsde_fit{"lsde", {{"dimension", dimension_of_fits}, {"components", std::string("bridge")}}};
    CachedRuns runs(digits.points, {pca_fit, lsde_fit}, context.cache(), context.session());
    const CachedFit pca = required_fit(runs, pca_fit);
    const CachedFit lsde = required_fit(runs, lsde_fit);
    const std::string note = fmt::format(
        "{} digits of USPS, 16 x 16 pixels; each is classified by the nearest other one. The paper has a split into "
        "training and test of its "
        "own. lsde: 40 landmarks, k = 6, r = 12, {:.0f} s.",
        with_commas(digits.points.count), lsde.seconds);
    ChartDocument document;
    add_curves(document.charts, document.tables, {"1-nn error by dimension", {"dimensions"}, {"per cent"}, note},
               {errors("isogon lsde", SeriesRole::Ours, lsde, digits, context),
                errors("isogon pca", SeriesRole::Baseline, pca, digits, context)});
    add_curves(document.charts, document.tables,
               {"Shares of the first 20 dimensions", {"dimension"}, {"share of their variance"}, ""},
               {shares("isogon lsde", SeriesRole::Ours, lsde), shares("isogon pca", SeriesRole::Baseline, pca)});
    document.notes = {
        definitions::lsde, definitions::nearest_label,
        "The paper says: lsde's error falls rapidly and is nearly that of the images in a few dimensions, pca needs "
        "many more to overtake it, and lsde "
        "concentrates the variance in fewer dimensions. Its numbers are lost in the available text."};
    return document;
}

}  // namespace isogon::cli
