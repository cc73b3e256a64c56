#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "data_files.hpp"
#include "definitions.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/registry.hpp"
#include "lsde_figures.hpp"

namespace isogon::cli {

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

/// How round a ring of views in their order is.
struct Ring {
    double least = 0.0;  ///< radius, of the mean
    double most = 0.0;
    double turns = 0.0;
    int backward = 0;  ///< steps that go the other way
};

Ring ring_of(const Points& y) {
    double sum = 0.0;
    Ring ring{1e300, 0.0, 0.0, 0};
    int forward = 0;
    double around = 0.0;
    for (Index i = 0; i < y.count(); ++i) {
        const double radius = std::hypot(y[i][0], y[i][1]);
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

/// The views in the colours of six parts of the turn: a map, for a ring is round only where both axes have one scale.
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

ChartDocument lsde_object_figure(FigureContext& shop) {
    const Input all = shop.labelled({data_files::objects[0]}, {data_files::objects[1]});
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
                                                                        chosen, shop.context(), {});
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

}  // namespace isogon::cli
