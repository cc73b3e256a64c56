#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "isogon/methods/fit_series.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/quality/known_truth.hpp"
#include "isogon/synthetic/point_clouds.hpp"
#include "program/failure.hpp"
#include "reproduce/figures.hpp"

namespace isogon::cli {

namespace {

/// A combination of options and its error.
struct EvaluatedFit {
    SweepRow row;
    double error = 0.0;
};

/// Fits every combination of a plan and evaluates each. Refused ones are left out; throws UsageError if all are, and
/// Interruption if the session ends the sweep, as the figures need all points.
std::vector<EvaluatedFit> evaluated_sweep(FigureContext& context, const PointsView& points, const SweepPlan& plan,
                                          const std::function<double(const SweepFit&)>& evaluate) {
    std::vector<EvaluatedFit> fits;
    const Sweep result = sweep(points, plan, context.run_context(), nullptr, [&](const SweepFit& fit) {
        fits.push_back({fit.row, evaluate(fit)});
    });
    if (result.summary.termination != Termination::Converged) {
        throw Interruption{result.summary.termination};
    }
    if (fits.empty()) {
        throw UsageError("no combination could be fitted; the first: " + result.rows.front().refused);
    }
    return fits;
}

/// The value of an option of a row as a number.
double number_in(const SweepRow& row, const std::string& option) {
    const OptionValue& value = row.values.at(option);
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

/// The value of an option of a row as text.
std::string text_in(const SweepRow& row, const std::string& option) {
    return to_text(row.values.at(option));
}

OptionValue whole(std::int64_t value) {
    return value;
}

OptionValue word(const char* text) {
    return std::string(text);
}

/// Curves of an extension: the error by landmarks, and by seconds.
struct ExtensionCurves {
    const char* option;
    Curve by_landmarks;
    Curve by_seconds;
};

/// Two sweeps, as nystrom uses the kernel and refuses --extension-neighbors. The second is compared with the exact fit
/// of the first.
std::vector<EvaluatedFit> fits_of_all_extensions(FigureContext& context, const PointsView& points,
                                                 const std::vector<OptionValue>& landmarks) {
    SweepPlan plan{"laplacian",
                   {{"dimension", whole(50)}, {"neighbors", whole(150)}, {"extension-neighbors", whole(51)}},
                   {{"landmarks", landmarks}, {"extension", {word("lll"), word("weights")}}}};
    plan.exact = true;
    Points exact;
    const auto error = [&](const SweepFit& fit) {
        if (exact.count() == 0) {
            exact = fit.exact->coordinates;
        }
        return align(fit.fitted.coordinates.view(), exact.view(), context.run_context()).error;
    };
    std::vector<EvaluatedFit> fits = evaluated_sweep(context, points, plan, error);
    plan.exact = false;
    plan.options.erase("extension-neighbors");
    plan.axes[1].values = {word("nystrom")};
    const std::vector<EvaluatedFit> by_kernel = evaluated_sweep(context, points, plan, error);
    fits.insert(fits.end(), by_kernel.begin(), by_kernel.end());
    return fits;
}

/// A row for each extension, in their order, with the names of the curves.
void add_times(const std::string& landmarks, const std::vector<ExtensionCurves>& extensions,
               const std::vector<EvaluatedFit>& fits, double exact_seconds, ChartTable& table) {
    for (const auto& extension : extensions) {
        for (const auto& fit : fits) {
            if (text_in(fit.row, "landmarks") == landmarks && text_in(fit.row, "extension") == extension.option) {
                table.rows.push_back({number_in(fit.row, "landmarks"), extension.by_seconds.name, fit.error,
                                      fit.row.seconds, exact_seconds / fit.row.seconds});
            }
        }
    }
}

}  // namespace

ChartDocument lll_landmarks_figure(FigureContext& context) {
    const Input digits = context.training_digits(context.quick() ? 20 : 1);
    const std::vector<OptionValue> landmarks = context.quick()
                                                   ? std::vector<OptionValue>{whole(100), whole(300), whole(1000)}
                                                   : std::vector<OptionValue>{whole(300), whole(1000), whole(3000)};
    std::vector<ExtensionCurves> extensions{
        {"lll", {"LLL", SeriesRole::Ours, {}}, {"LLL", SeriesRole::Ours, {}}},
        {"weights", {"LE(Z)", SeriesRole::Other, {}}, {"LE(Z)", SeriesRole::Other, {}}},
        {"nystrom", {"LE(Nys.)", SeriesRole::Other, {}}, {"LE(Nys.)", SeriesRole::Other, {}}}};
    const std::vector<EvaluatedFit> fits = fits_of_all_extensions(context, digits.points, landmarks);
    const double exact_seconds = fits.front().row.exact_seconds;
    for (const auto& fit : fits) {
        for (auto& extension : extensions) {
            if (text_in(fit.row, "extension") == extension.option) {
                extension.by_landmarks.values[number_in(fit.row, "landmarks")] = fit.error;
                extension.by_seconds.values[fit.row.seconds] = fit.error;
            }
        }
    }
    const std::string set = fmt::format(
        "{} training images of MNIST to d = 50 by Laplacian eigenmaps, k = 150, sigma the median distance to the k-th "
        "neighbour, K_Z = 51 (the paper: 60,000, K_Z = 50; it does not give k and sigma).",
        with_commas(digits.points.count));
    ChartDocument document;
    add_curves(document.charts, document.tables,
               {"Error against the exact embedding, by landmarks",
                {"landmarks", AxisScale::Log},
                {"error after the best rotation and scale"},
                set},
               {extensions[0].by_landmarks, extensions[1].by_landmarks, extensions[2].by_landmarks});
    document.charts.push_back(chart_of({"The same by time",
                                        {"seconds", AxisScale::Log},
                                        {"error"},
                                        "Neighbours, landmarks and weights, which fits share, are not in the seconds."},
                                       {extensions[0].by_seconds, extensions[1].by_seconds, extensions[2].by_seconds}));
    ChartTable times{"Seconds of a fit, without the steps that fits share",
                     {"landmarks", "way", "error", "seconds", "exact / this"},
                     {},
                     fmt::format("The exact fit took {:.1f} s here; published: exact 80 s, LLL 5 s, a machine of 2013.",
                                 exact_seconds)};
    for (const auto& count : landmarks) {
        add_times(to_text(count), extensions, fits, exact_seconds, times);
    }
    document.tables.push_back(std::move(times));
    document.notes = {
        definitions::extensions, "Error: |exact - aligned| / |exact|, aligned by the best rotation and scale.",
        "The published curves cannot be read off: the slides that are available hold no numbers. They say that LLL has "
        "a much lower error than Nystrom's method for as many landmarks, and is some 15 times faster than the exact "
        "embedding at a small error."};
    return document;
}

namespace {

/// With one more column of zeros, align() fits a general linear map: eigenmaps do not keep the lengths of both axes.
Points widened(const Points& truth) {
    Points wide(truth.count(), truth.dimension() + 1);
    for (Index i = 0; i < truth.count(); ++i) {
        std::copy(truth[i].begin(), truth[i].end(), wide[i].begin());
    }
    return wide;
}

/// Errors of the exact fit, and of each extension from 300 landmarks, over one option.
std::vector<Curve> errors_over(FigureContext& context, const Generated& roll, const std::string& option,
                               const std::vector<OptionValue>& values, const OptionValues& fixed) {
    struct Variant {
        const char* name;
        std::int64_t landmarks;
        const char* extension;
        SeriesRole role;
    };
    constexpr std::int64_t landmarks = 300;
    const Points truth = widened(roll.truth);
    std::vector<Curve> curves;
    for (const Variant extension :
         {Variant{"exact", 0, "lll", SeriesRole::Baseline}, Variant{"LLL", landmarks, "lll", SeriesRole::Ours},
          Variant{"LE(Z)", landmarks, "weights", SeriesRole::Other},
          Variant{"LE(Nys.)", landmarks, "nystrom", SeriesRole::Other}}) {
        SweepPlan plan{"laplacian", fixed, {{option, values}}};
        plan.options["dimension"] = whole(2);
        if (extension.landmarks > 0) {
            plan.options["landmarks"] = whole(extension.landmarks);
            plan.options["extension"] = std::string(extension.extension);
        }
        Curve curve{extension.name, extension.role, {}};
        for (const auto& fit : evaluated_sweep(context, roll.points.view(), plan, [&](const SweepFit& one) {
                 return align(one.fitted.coordinates.view(), truth.view(), context.run_context()).error;
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

ChartDocument lll_roll_figure(FigureContext& context) {
    const Index count = context.quick() ? 1000 : 4000;
    const Generated roll = swiss_roll(count, 0, {.noise = 0.0, .height = 60.0}, context.run_context());
    const std::int64_t k = context.quick() ? 40 : 150;
    const std::vector<OptionValue> sigmas{1.0, 1.3, 1.6, 2.0, 2.5, 4.0, 6.3};
    const std::vector<OptionValue> ks = context.quick()
                                            ? std::vector<OptionValue>{whole(12), whole(20), whole(40)}
                                            : std::vector<OptionValue>{whole(15), whole(40), whole(150), whole(300)};
    const std::string note = fmt::format(
        "A Swiss roll of {} points, 60 high, layers 2 pi apart, to d = 2; 300 random landmarks, K_Z = 3. A fit that is "
        "refused (weights that "
        "vanish among landmarks alone) has no point.",
        with_commas(count));
    const auto by_sigma = errors_over(context, roll, "sigma", sigmas, {{"neighbors", whole(k)}});
    const auto by_k = errors_over(context, roll, "neighbors", ks, {{"sigma", 1.6}});
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
        definitions::extensions,
        "Error: |truth - aligned| / |truth|, aligned by the best linear map; the truth is the sheet before it was "
        "rolled up. sigma: the width of the kernel; k: neighbours.",
        "The published curves cannot be read off: the slides that are available hold no numbers. How the paper's roll "
        "was made it does not say; "
        "on one 21 high, as is usual, eigenmaps do not find the height in two coordinates."};
    return document;
}

namespace {

/// Error of test digits that are mapped by the fit and get the label of the nearest fitted digit.
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

ChartDocument lll_classes_figure(FigureContext& context) {
    const Input train = context.training_digits(context.quick() ? 10 : 1);
    const Input test = context.test_digits(context.quick() ? 10 : 1);
    const std::int64_t dimension = context.quick() ? 100 : 500;
    const std::vector<OptionValue> ks{whole(5), whole(10), whole(20), whole(50)};
    const SweepPlan plan{"laplacian",
                         {{"dimension", whole(dimension)},
                          {"landmarks", whole(1000)},
                          {"extension-neighbors", whole(50)},
                          {"components", std::string("bridge")}},
                         {{"neighbors", ks}, {"sigma", {1000.0, 2000.0, 4000.0}}}};
    std::vector<Curve> curves;
    for (const auto& fit : evaluated_sweep(context, train.points, plan, [&](const SweepFit& one) {
             return test_error(one, train, test, context.run_context());
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
        "LLL: the eigenproblem of all points, restricted to combinations of landmarks, each point a combination of its "
        "K_Z nearest. sigma: "
        "the width of the kernel; k: neighbours.",
        definitions::nearest_label,
        "The published curves cannot be read off: the slides that are available hold no numbers. They say that LLL is "
        "15 to 40 times faster than exact fits, and that both are best for the same k and sigma. One exact fit is set "
        "beside them by bench/lll-classification."};
    return document;
}

}  // namespace isogon::cli
