#include <fmt/format.h>

#include <algorithm>

#include "curves.hpp"
#include "definitions.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/quality/nearest_label.hpp"
#include "lll_figures.hpp"
#include "lll_sweeps.hpp"

namespace isogon::cli {

namespace {

OptionValue whole(std::int64_t value) {
    return value;
}

/// Test digits placed by the fit's map get the label of the nearest fitted one.
double test_error(const SweepFit& fit, const Input& train, const Input& test, const RunContext& context) {
    const Transformer transformer(make_model("laplacian", train.points, fit.fitted, Store::Map), context);
    const Transformed placed = transformer.transform(test.points, context);
    if (placed.coordinates.count() != test.points.count) {
        throw Interruption{placed.summary.termination};
    }
    return nearest_label_error(fit.fitted.coordinates.view(), train.labels, placed.coordinates.view(), test.labels,
                               context);
}

}  // namespace

ChartDocument lll_classes_figure(FigureContext& shop) {
    const Input train = shop.training_digits(shop.quick() ? 10 : 1);
    const Input test = shop.test_digits(shop.quick() ? 10 : 1);
    const std::int64_t dimension = shop.quick() ? 100 : 500;
    const std::vector<OptionValue> ks{whole(5), whole(10), whole(20), whole(50)};
    const SweepPlan plan{"laplacian",
                         {{"dimension", whole(dimension)},
                          {"landmarks", whole(1000)},
                          {"extension-neighbors", whole(50)},
                          {"components", std::string("bridge")}},
                         {{"neighbors", ks}, {"sigma", {1000.0, 2000.0, 4000.0}}}};
    std::vector<Curve> curves;
    for (const auto& fit : judged_sweep(shop, train.points, plan, [&](const SweepFit& one) {
             return test_error(one, train, test, shop.context());
         })) {
        const std::string name = "k = " + text_in(fit.row, "neighbors");
        auto place = std::find_if(curves.begin(), curves.end(), [&](const Curve& curve) { return curve.name == name; });
        if (place == curves.end()) {
            curves.push_back({name, SeriesRole::Ours, {}});
            place = curves.end() - 1;
        }
        place->values[number_in(fit.row, "sigma")] = 100.0 * fit.error;
    }
    ChartDocument document;
    add_curves(document.charts, document.tables,
               {"1-nn error of test digits by LLL over sigma and k",
                {"sigma", AxisScale::Log},
                {"per cent"},
                fmt::format("{} training digits to d = {}, 1,000 landmarks, K_Z = 50; {} test digits placed "
                            "afterwards, each by itself. sigma in "
                            "units of pixels from 0 to 255. The paper trains on 50,000.",
                            with_commas(train.points.count), dimension, with_commas(test.points.count))},
               curves);
    document.notes = {
        "LLL: the eigenproblem of all points among mixtures of landmarks, each point mixed of its K_Z nearest. sigma: "
        "the width of the kernel; k: neighbours.",
        definitions::nearest_label,
        "The published curves cannot be read off: the slides that are at hand hold no numbers. They say that LLL is 15 "
        "to 40 times faster than "
        "exact fits, and that both are best for the same k and sigma. One exact fit is set beside them by "
        "bench/lll-classification."};
    return document;
}

}  // namespace isogon::cli
