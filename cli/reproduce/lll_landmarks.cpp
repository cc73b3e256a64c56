#include <fmt/format.h>

#include "curves.hpp"
#include "definitions.hpp"
#include "isogon/quality/alignment.hpp"
#include "lll_figures.hpp"
#include "lll_sweeps.hpp"

namespace isogon::cli {

namespace {

OptionValue whole(std::int64_t value) {
    return value;
}

OptionValue word(const char* text) {
    return std::string(text);
}

/// Two curves of each way: the error over landmarks, and over seconds.
struct Way {
    const char* option;
    Curve by_landmarks;
    Curve by_seconds;
};

/// Two sweeps, for mixtures of nystrom's are by the kernel, and it refuses --extension-neighbors. The second is held
/// against the exact fit of the first.
std::vector<JudgedFit> fits_of_all_ways(FigureContext& shop, const PointsView& points,
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
        return align(fit.fitted.coordinates.view(), exact.view(), shop.context()).error;
    };
    std::vector<JudgedFit> fits = judged_sweep(shop, points, plan, error);
    plan.exact = false;
    plan.options.erase("extension-neighbors");
    plan.axes[1].values = {word("nystrom")};
    const std::vector<JudgedFit> by_kernel = judged_sweep(shop, points, plan, error);
    fits.insert(fits.end(), by_kernel.begin(), by_kernel.end());
    return fits;
}

/// A row for each way, in their order, under the names of the curves.
void add_times(const std::string& landmarks, const std::vector<Way>& ways, const std::vector<JudgedFit>& fits,
               double exact_seconds, ChartTable& table) {
    for (const auto& way : ways) {
        for (const auto& fit : fits) {
            if (text_in(fit.row, "landmarks") == landmarks && text_in(fit.row, "extension") == way.option) {
                table.rows.push_back({number_in(fit.row, "landmarks"), way.by_seconds.name, fit.error, fit.row.seconds,
                                      exact_seconds / fit.row.seconds});
            }
        }
    }
}

}  // namespace

ChartDocument lll_landmarks_figure(FigureContext& shop) {
    const Input digits = shop.training_digits(shop.quick() ? 20 : 1);
    const std::vector<OptionValue> landmarks = shop.quick()
                                                   ? std::vector<OptionValue>{whole(100), whole(300), whole(1000)}
                                                   : std::vector<OptionValue>{whole(300), whole(1000), whole(3000)};
    std::vector<Way> ways{{"lll", {"LLL", SeriesRole::Ours, {}}, {"LLL", SeriesRole::Ours, {}}},
                          {"weights", {"LE(Z)", SeriesRole::Other, {}}, {"LE(Z)", SeriesRole::Other, {}}},
                          {"nystrom", {"LE(Nys.)", SeriesRole::Other, {}}, {"LE(Nys.)", SeriesRole::Other, {}}}};
    const std::vector<JudgedFit> fits = fits_of_all_ways(shop, digits.points, landmarks);
    const double exact_seconds = fits.front().row.exact_seconds;
    for (const auto& fit : fits) {
        for (auto& way : ways) {
            if (text_in(fit.row, "extension") == way.option) {
                way.by_landmarks.values[number_in(fit.row, "landmarks")] = fit.error;
                way.by_seconds.values[fit.row.seconds] = fit.error;
            }
        }
    }
    const std::string set = fmt::format(
        "{} training images of MNIST to d = 50 by Laplacian eigenmaps, k = 150, sigma the median distance to the k-th "
        "neighbour, "
        "K_Z = 51 (the paper: 60,000, K_Z = 50; it does not give k and sigma).",
        with_commas(digits.points.count));
    ChartDocument document;
    add_curves(document.charts, document.tables,
               {"Error against the exact embedding, by landmarks",
                {"landmarks", AxisScale::Log},
                {"error after the best rotation and scale"},
                set},
               {ways[0].by_landmarks, ways[1].by_landmarks, ways[2].by_landmarks});
    document.charts.push_back(chart_of({"The same by time",
                                        {"seconds", AxisScale::Log},
                                        {"error"},
                                        "Neighbours, landmarks and weights, which fits share, are not in the seconds."},
                                       {ways[0].by_seconds, ways[1].by_seconds, ways[2].by_seconds}));
    ChartTable times{"Seconds of a fit, without the steps that fits share",
                     {"landmarks", "way", "error", "seconds", "exact / this"},
                     {},
                     fmt::format("The exact fit took {:.1f} s here; published: exact 80 s, LLL 5 s, a machine of 2013.",
                                 exact_seconds)};
    for (const auto& count : landmarks) {
        add_times(to_text(count), ways, fits, exact_seconds, times);
    }
    document.tables.push_back(std::move(times));
    document.notes = {
        definitions::ways, "Error: |exact - aligned| / |exact|, aligned by the best rotation and scale.",
        "The published curves cannot be read off: the slides that are at hand hold no numbers. They say that LLL has a "
        "much lower error than Nystrom's "
        "method for as many landmarks, and is some 15 times faster than the exact embedding at a small error."};
    return document;
}

}  // namespace isogon::cli
