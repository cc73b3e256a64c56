#include "report/measures.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "core/power_of_two_scaling.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "linalg/truncated_svd.hpp"
#include "neighbors/metric_rows.hpp"
#include "pairs/threshold.hpp"

namespace isogon {

namespace {

constexpr Index most_values = 256;

std::vector<double> squares(const PointsView& points, bool centered, const RunContext& context) {
    const Index rank = std::min(points.dimension, most_values);
    std::vector<double> values = truncated_svd(points, rank, centered, context).singular_values;
    for (double& value : values) {
        value *= value;
    }
    return values;
}

}  // namespace

std::optional<Spectrum> measured_spectrum(const Summary& summary) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> names{
        {{"eigenvalue_", "eigenvalues that the method solved for"},
         {"spectrum_", "eigenvalues of the method's Gram matrix, as shares of their sum"}}};
    for (const auto& [prefix, name] : names) {
        Spectrum spectrum{std::string(name), {}};
        for (const auto& [measure, value] : summary.measures) {
            if (measure.starts_with(prefix)) {
                spectrum.values.push_back(value);
            }
        }
        if (!spectrum.values.empty()) {
            // Methods that use the smallest eigenvalues: these do not measure the strength of a dimension.
            const bool descends = std::is_sorted(spectrum.values.rbegin(), spectrum.values.rend());
            return descends ? std::optional(std::move(spectrum)) : std::nullopt;
        }
    }
    return std::nullopt;
}

Spectrum product_spectrum(const PointsView& coordinates, const RunContext& context) {
    return {"eigenvalues of G, the products of all pairs of coordinates", squares(coordinates, false, context)};
}

std::vector<double> axis_variances(const PointsView& coordinates, const RunContext& context) {
    std::vector<double> variances = squares(coordinates, true, context);
    for (double& variance : variances) {
        variance /= static_cast<double>(std::max<Index>(coordinates.count, 2) - 1);
    }
    return variances;
}

std::optional<double> threshold_of(const ReportRun& run) {
    const auto found = run.options.find("threshold");
    const double* value = found == run.options.end() ? nullptr : std::get_if<double>(&found->second);
    return value != nullptr && *value > 0.0 && *value < 1.0 ? std::optional(*value) : std::nullopt;
}

bool keeps_angles(const ReportRun& run) {
    constexpr std::array<std::string_view, 3> methods{"tsm", "svd", "nmf"};
    return std::find(methods.begin(), methods.end(), run.method) != methods.end();
}

void use_options_of(const ReportRun& run, ScoreOptions& options) {
    if (!options.threshold) {
        options.threshold = threshold_of(run);
    }
    if (options.output_metric == OutputMetric::Auto) {
        options.output_metric = keeps_angles(run) ? OutputMetric::Cosine : OutputMetric::Euclidean;
    }
    if (options.metric == InputMetric::Auto) {
        const auto metric = run.options.find("metric");
        const std::string known = metric == run.options.end() ? "" : to_text(metric->second);
        const bool by_cosine = known == "cosine" || (known != "euclidean" && keeps_angles(run));
        options.metric = known == "correlation" ? InputMetric::Correlation
                         : by_cosine            ? InputMetric::Cosine
                                                : InputMetric::Euclidean;
    }
}

SampledSubject::SampledSubject(const ReportSubject& all, const std::vector<Index>& chosen)
    : inputs(read_rows(ViewRows(all.inputs), chosen)),
      coordinates(read_rows(ViewRows(all.coordinates), chosen)),
      subject(all) {
    if (!all.words.empty()) {
        words.reserve(chosen.size());
        std::transform(chosen.begin(), chosen.end(), std::back_inserter(words), [&](Index i) { return all.words[i]; });
    }
    columns = chosen_rows(all.columns, chosen);
    if (!all.labels.empty()) {
        subject.labels = classes_of(all.labels, chosen);
    }
    subject.rows = chosen;
    for (Index& row : subject.rows) {
        row = all.rows.empty() ? row : all.rows[row];
    }
    subject.points_in_all = std::max<std::uint64_t>(all.points_in_all, all.inputs.count);
    subject.inputs = inputs.view();
    subject.coordinates = coordinates.view();
    subject.words = words;
    subject.columns = columns;
}

std::uint64_t SampledSubject::bytes(const ReportSubject& all, std::size_t chosen) {
    const std::uint64_t numbers = std::uint64_t{all.inputs.dimension} + all.coordinates.dimension;
    return chosen * (numbers * sizeof(float) + sizeof(Index));
}

namespace {

/// 60 degrees, where no threshold can be chosen.
constexpr double plain_threshold = 0.5;

/// A threshold for any points: a report of an existing embedding must not fail without one.
double choose(const PointsView& x, std::uint64_t seed, const RunContext& context, Measures& measures) {
    try {
        return choose_threshold(x, {.seed = seed}, context).threshold;
    } catch (const InputError& error) {
        measures.remarks.push_back("No threshold suits these inputs (" + std::string(error.what()) +
                                   "): angles below 60 degrees were taken for near.");
    } catch (const InvalidArgument& error) {
        measures.remarks.push_back("No threshold suits these inputs (" + std::string(error.what()) +
                                   "): angles below 60 degrees were taken for near.");
    }
    return plain_threshold;
}

class Measuring {
public:
    Measuring(const ReportSubject& subject, const ReportOptions& options, const RunContext& context, Summary& summary)
        : subject_(subject),
          x_(subject.inputs),
          y_(subject.coordinates),
          options_(options),
          context_(context),
          summary_(summary) {}

    Measures run() {
        result_.lengths = norms(x_);
        labels_.assign(subject_.labels.index.begin(), subject_.labels.index.end());
        std::replace_if(
            labels_.begin(), labels_.end(), [&](std::int64_t label) { return label == subject_.labels.unknown; }, -1);
        find_threshold();
        result_.score = scored(y_, &result_.points, "quality");
        score_svd();
        {
            const PhaseTimer timer(summary_, "angles");
            result_.angles = count_angles(x_, y_, {.seed = options_.seed}, context_);
            result_.pair_correlation = isogon::pair_correlation({compared_inputs(), y_, metrics_}, options_.seed);
        }
        find_neighbors();
        judge();
        lay_out();
        find_axes();
        return std::move(result_);
    }

private:
    void find_threshold() {
        const PhaseTimer timer(summary_, "threshold");
        score_options_ = {.threshold = options_.threshold,
                          .neighbors = static_cast<int>(list_size(x_.count, options_)),
                          .metric = options_.metric,
                          .output_metric = options_.output_metric,
                          .angle_rows = std::numeric_limits<int>::max(),  // as for the angles of each point
                          .rank_rows = options_.rank_rows,
                          .seed = options_.seed};
        if (subject_.run) {
            use_options_of(*subject_.run, score_options_);
            if (score_options_.output_metric == OutputMetric::InnerProduct) {
                score_options_.output_metric = OutputMetric::Cosine;  // coordinates without the last number
            }
        }
        if (!score_options_.threshold) {
            score_options_.threshold = choose(x_, options_.seed, context_, result_);
        }
        // The baseline has as many dimensions, and is judged alike.
        metrics_ = metrics_of(score_options_, y_.dimension);
    }

    [[nodiscard]] Score scored(const PointsView& coordinates, PointAngles* points, const std::string& phase) {
        const PhaseTimer timer(summary_, phase);
        Score score = isogon::score(x_, coordinates, labels_, score_options_, context_, points);
        throw_if_interrupted(score.summary.termination);
        return score;
    }

    /// The SVD itself, or where coordinates are by distance the PCA.
    [[nodiscard]] bool is_baseline() const {
        const char* own = metrics_.output == Nearness::Euclidean ? "pca" : "svd";
        return subject_.run && subject_.run->method == own;
    }

    void score_svd() {
        if (y_.dimension > x_.dimension || is_baseline()) {
            return;
        }
        const PowerOfTwoScaling unit(x_, context_);
        const bool centered = metrics_.output == Nearness::Euclidean;
        require_memory(context_,
                       {{"the SVD", truncated_svd_bytes(x_.count, x_.dimension, y_.dimension)},
                        {"its coordinates", std::uint64_t{x_.count} * y_.dimension * sizeof(float)}},
                       "raise the limit, or report fewer points");
        Points coordinates =
            project(unit.points(), truncated_svd(unit.points(), y_.dimension, centered, context_), context_);
        unit.restore(coordinates);
        result_.svd = scored(coordinates.view(), nullptr, "quality of svd");
        result_.svd_pair_correlation =
            isogon::pair_correlation({compared_inputs(), coordinates.view(), metrics_}, options_.seed);
    }

    void judge() {
        const PhaseTimer timer(summary_, "verdict");
        result_.chance = chance_of(subject_, result_, options_.seed);
        result_.verdict = verdict_of(subject_, result_);
    }

    void find_neighbors() {
        const PhaseTimer timer(summary_, "neighbors");
        const Index size = list_size(x_.count, options_);
        const PointsView compared = compared_inputs();
        const std::uint64_t held = centred_.values().size() * sizeof(float);
        result_.neighbors = compare_neighbors({compared, y_, metrics_}, size, options_.seed, beside(context_, held));
        centred_ = Points();  // nothing else looks at them
    }

    /// The inputs as neighbours and far pairs are measured.
    [[nodiscard]] PointsView compared_inputs() {
        if (!metrics_.correlation) {
            return x_;
        }
        if (centred_.count() == 0) {
            centred_ = centred_rows(x_, context_);
        }
        return centred_.view();
    }

    /// For the picture alone: a report without it is as whole.
    void lay_out() {
        constexpr Index shown_as_they_are = 3;
        if (!subject_.layout || y_.dimension <= shown_as_they_are) {
            return;
        }
        const PhaseTimer timer(summary_, "layout");
        PlaneLayout layout;
        try {
            layout.places = subject_.layout(y_, metrics_.output, options_.seed, context_);
        } catch (const Interruption&) {
            throw;
        } catch (const Error& error) {
            result_.remarks.push_back("The coordinates could not be laid out on a plane (" + std::string(error.what()) +
                                      "): the picture shows their principal axes.");
            return;
        }
        const Index k = result_.neighbors.size;
        const NeighborSearch near = search_step(
            layout.places.view(), {.neighbors = k, .metric = Metric::Euclidean, .seed = options_.seed}, context_);
        layout.kept = shared(result_.neighbors.output.index, near.lists.indices, k);
        layout.kept_inputs = shared(result_.neighbors.input.index, near.lists.indices, k);
        result_.layout = std::move(layout);
    }

    /// Share of the listed points that are in the same row of `found`.
    static double shared(const std::vector<Index>& listed, const std::vector<Index>& found, Index k) {
        std::size_t wanted = 0;
        std::size_t both = 0;
        for (std::size_t first = 0; first < listed.size(); first += k) {
            const auto row = found.begin() + static_cast<std::ptrdiff_t>(first);
            for (std::size_t place = first; place < first + k; ++place) {
                wanted += listed[place] != no_point ? 1 : 0;
                both += listed[place] != no_point && std::find(row, row + k, listed[place]) != row + k ? 1 : 0;
            }
        }
        return wanted > 0 ? static_cast<double>(both) / static_cast<double>(wanted) : 1.0;
    }

    void find_axes() {
        const PhaseTimer timer(summary_, "axes");
        const PowerOfTwoScaling unit(y_, context_);
        const double square = unit.unit() * unit.unit();
        const auto measured = subject_.run ? measured_spectrum(subject_.run->summary) : std::nullopt;
        result_.spectrum = measured ? *measured : product_spectrum(unit.points(), context_);
        result_.variances = axis_variances(unit.points(), context_);
        if (!measured) {
            scale(result_.spectrum.values, square);
        }
        scale(result_.variances, square);
        const Index shown = shown_dimensions(y_.count, y_.dimension);
        if (y_.dimension > shown) {
            result_.on_axes = project(unit.points(), truncated_svd(unit.points(), shown, true, context_), context_);
            unit.restore(result_.on_axes);
            result_.remarks.push_back("The coordinates have " + std::to_string(y_.dimension) +
                                      " numbers; shown are their " + std::to_string(shown) +
                                      " principal axes of largest variance.");
        }
    }

    static void scale(std::vector<double>& values, double factor) {
        for (double& value : values) {
            value *= factor;
        }
    }

    const ReportSubject& subject_;
    PointsView x_;
    PointsView y_;
    const ReportOptions& options_;
    const RunContext& context_;
    Summary& summary_;
    SideMetrics metrics_{};
    Points centred_;  ///< rows of x less their means, where these are compared
    std::vector<std::int64_t> labels_;
    ScoreOptions score_options_;
    Measures result_;
};

}  // namespace

Index list_size(Index points, const ReportOptions& options) {
    return std::min(static_cast<Index>(options.neighbors), points - 1);
}

Index shown_dimensions(Index points, Index dimension) {
    constexpr Index most = 64;
    constexpr Index most_numbers = 1'200'000;
    return std::min(dimension, std::clamp(most_numbers / points, Index{3}, most));
}

Measures take_measures(const ReportSubject& subject, const ReportOptions& options, const RunContext& context,
                       Summary& summary) {
    return Measuring(subject, options, context, summary).run();
}

}  // namespace isogon
