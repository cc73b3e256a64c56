#include "compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "compare/cached_runs.hpp"
#include "isogon/core/error.hpp"
#include "isogon/registry/registry.hpp"
#include "isogon/report/report.hpp"
#include "pairs/threshold.hpp"
#include "program/command_line.hpp"
#include "program/failure.hpp"
#include "program/former_flags.hpp"
#include "program/option_flags.hpp"

namespace isogon::cli {

namespace {

std::vector<std::string> split(std::string_view text, char between) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t cut = text.find(between);
        parts.emplace_back(text.substr(0, cut));
        if (cut == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(cut + 1);
    }
}

/// Adds "solver=sphere" to the options of the variant.
void add_option(MethodVariant& variant, const Method& method, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
        throw UsageError("--methods " + variant.name + ": " + text +
                         " must be an option of the method and its value, such as tsm:solver=sphere");
    }
    const std::string name = text.substr(0, equals);
    if (name == "dim" || name == "dimension") {
        throw UsageError("--methods " + variant.name + ": the dimensions are those of --dims");
    }
    const OptionSpec* spec = find_option(method.options, name);
    if (spec == nullptr) {
        const std::string_view instead =
            method.name == "faithful" ? in_place_of("embed", "--" + name) : std::string_view();
        throw InvalidArgument(
            "--methods " + variant.name, name,
            "the method " + method.name + " has no such option; " +
                (instead.empty() ? "isogon methods " + method.name + " lists them" : std::string(instead)));
    }
    OptionSpec named = *spec;
    named.name = "--methods " + method.name + ":" + name + "=";
    if (!variant.options.emplace(name, parse_option(named, text.substr(equals + 1))).second) {
        throw UsageError("--methods " + variant.name + ": " + name + " is there twice");
    }
}

/// Whether a common threshold has an effect on this variant.
bool takes_threshold(const MethodVariant& variant, const Method& method) {
    if (find_option(method.options, "graph") == nullptr) {
        return find_option(method.options, "threshold") != nullptr;
    }
    const auto graph = variant.options.find("graph");
    return graph != variant.options.end() && to_text(graph->second) == "tsm";
}

/// Throws InvalidArgument that names the flag, and those that can be compared.
const Method& comparable_method(const std::string& name, const std::string& text) {
    std::string names;
    std::vector<std::string> known;
    for (const auto& method : methods()) {
        if (method.name == name) {
            return method;
        }
        if (find_option(method.options, "dimension") != nullptr) {
            known.push_back(method.name);
            names += (names.empty() ? "" : ", ") + method.name;
        }
    }
    throw InvalidArgument("--methods", text,
                          (name.empty() ? "a name is missing; each" : "no method is called " + name + "; each") +
                              std::string(" must be one of ") + names + did_you_mean(name, known));
}

MethodVariant parse_variant(const std::string& text, const std::string& all) {
    const std::vector<std::string> parts = split(text, ':');
    const Method& method = comparable_method(parts.front(), all);
    if (find_option(method.options, "dimension") == nullptr) {
        throw InvalidArgument("--methods", text, "has no dimension to vary; leave it out");
    }
    MethodVariant variant{text, method.name, {}};
    for (std::size_t i = 1; i < parts.size(); ++i) {
        add_option(variant, method, parts[i]);
    }
    try {
        require_effect(method.options, variant.options);
    } catch (const InvalidArgument& error) {
        throw UsageError(fmt::format("--methods {}:{}={}: {}", method.name, error.field(), error.value(),
                                     in_flags(error.requirement())));
    }
    return variant;
}

}  // namespace

std::vector<MethodVariant> parse_variants(const std::string& text, std::optional<std::int64_t> seed,
                                          std::optional<double> threshold) {
    std::vector<MethodVariant> variants;
    for (const auto& part : split(text, ',')) {
        MethodVariant variant = parse_variant(part, text);
        const Method& method = find_method(variant.method);
        if (std::any_of(variants.begin(), variants.end(),
                        [&](const MethodVariant& other) { return other.name == variant.name; })) {
            throw UsageError("--methods " + text + ": " + variant.name + " is there twice");
        }
        if (seed && find_option(method.options, "seed") != nullptr) {
            variant.options.emplace("seed", *seed);
        }
        if (threshold && takes_threshold(variant, method)) {
            variant.options.emplace("threshold", *threshold);
        }
        variants.push_back(std::move(variant));
    }
    return variants;
}

std::vector<std::int64_t> parse_dimensions(const std::string& flag, const std::string& text) {
    std::vector<std::int64_t> dimensions;
    for (const auto& part : split(text, ',')) {
        dimensions.push_back(parse_whole(flag, part, 1, std::numeric_limits<std::int32_t>::max()));
        if (std::count(dimensions.begin(), dimensions.end(), dimensions.back()) > 1) {
            throw InvalidArgument(flag, text, part + " is there twice; leave one out");
        }
    }
    return dimensions;
}

FitRequest fit_of(const MethodVariant& variant, std::int64_t dimension) {
    FitRequest wanted{variant.method, variant.options};
    wanted.options["dimension"] = dimension;
    return wanted;
}

namespace {

/// "tsm, d = 8: warning"
std::string row_warning(const ComparedRow& row, const std::string& sentence) {
    return fmt::format("{}, d = {}: {}", row.name, row.dimension, sentence);
}

class CompareRun {
public:
    CompareRun(const PointsView& points, const ComparisonPlan& plan, ScoreOptions options, CachedRuns& runs,
               Session& session)
        : points_(points), plan_(plan), options_(options), runs_(runs), session_(session) {}

    void fit(const MethodVariant& variant, std::int64_t dimension, Comparison& result) {
        start(result);
        const CachedFit fit = runs_.fit(fit_of(variant, dimension));
        ComparedRow row{variant.name, role_of(variant.method), dimension};
        row.cached = fit.cached;
        row.refused = fit.refused;
        if (fit.refused.empty()) {
            row.seconds = fit.seconds;
            row.options = fit.fitted.options;
            row.termination = name(fit.fitted.summary.termination);
            find_same_run(variant.method, row);
            ScoreOptions options = options_;
            use_options_of({.method = variant.method, .options = row.options}, options);
            score_row(fit.fitted.coordinates.view(), options, row);
            for (const auto& sentence : fit.fitted.summary.warnings) {
                result.warnings.push_back(row_warning(row, in_flags(sentence)));
            }
        }
        result.rows.push_back(std::move(row));
    }

    void file(const ExternalCoordinates& one, Comparison& result) {
        start(result);
        ComparedRow row{one.name, SeriesRole::Other, one.y.points.dimension};
        row.file = one.file;
        ScoreOptions options = options_;
        if (one.run) {
            use_options_of(*one.run, options);
        }
        score_row(one.y.points, options, row);
        result.rows.push_back(std::move(row));
    }

private:
    void start(const Comparison& result) const {
        throw_if_cancelled(session_.context());
        session_.context().report({"runs", result.rows.size(), result.wanted, 0.0});
    }

    /// Equal options may be written in two ways: then the second run was cached by the first one, not by an earlier
    /// command.
    void find_same_run(const std::string& method, ComparedRow& row) {
        const auto same = std::find_if(done_.begin(), done_.end(), [&](const Done& one) {
            return one.method == method && one.row.options == row.options;
        });
        if (row.cached && same != done_.end()) {
            row.same_as = same->row.name;
            row.cached = same->row.cached;
        } else {
            done_.push_back({method, row});
        }
    }

    /// A method may embed the largest component only: then coordinates cannot be compared row by row. A refused score
    /// (over the memory limit, for instance) concerns its row only.
    void score_row(const PointsView& y, const ScoreOptions& options, ComparedRow& row) {
        if (y.count != points_.count) {
            row.refused = fmt::format("gave {} of {} points coordinates, which cannot be compared with the others",
                                      y.count, points_.count);
            return;
        }
        try {
            row.score = runs_.score(y, plan_.labels, options);
            if (y.dimension == 2) {
                row.map = read_rows(ViewRows(y), mapped_rows(y.count, plan_.options.seed));
            }
        } catch (const InvalidArgument& error) {
            row.refused = score_refusal(error);
        } catch (const InputError& error) {
            row.refused = score_refusal(error);
        } catch (const LimitExceeded& error) {
            row.refused = score_refusal(error);
        }
    }

    static std::string score_refusal(const Error& error) {
        return fmt::format("cannot be scored: {}", in_flags(error.text()));
    }

    /// A fit with coordinates.
    struct Done {
        std::string method;
        ComparedRow row;  ///< without a score
    };

    PointsView points_;
    const ComparisonPlan& plan_;
    ScoreOptions options_;
    CachedRuns& runs_;
    Session& session_;
    std::vector<Done> done_{};
};

/// Most warnings of scores are about the inputs, and so equal for all rows: those are added once.
void add_score_warnings(Comparison& result) {
    std::vector<std::pair<std::string, std::vector<const ComparedRow*>>> rows_by_warning;
    std::size_t scored_rows = 0;
    for (const auto& row : result.rows) {
        scored_rows += row.score ? 1U : 0U;
        for (const auto& sentence : row.score ? in_flags(row.score->summary.warnings) : std::vector<std::string>()) {
            auto place = std::find_if(rows_by_warning.begin(), rows_by_warning.end(),
                                      [&](const auto& one) { return one.first == sentence; });
            if (place == rows_by_warning.end()) {
                place = rows_by_warning.insert(rows_by_warning.end(), {sentence, {}});
            }
            place->second.push_back(&row);
        }
    }
    for (const auto& [sentence, rows] : rows_by_warning) {
        if (rows.size() == scored_rows) {
            result.warnings.push_back(sentence);
            continue;
        }
        for (const ComparedRow* row : rows) {
            result.warnings.push_back(row_warning(*row, sentence));
        }
    }
}

/// Checked before the first fit, as it concerns all rows.
void require_neighbors(const ScoreOptions& options, Index count) {
    if (static_cast<Index>(options.neighbors) >= count) {
        throw InvalidArgument("--neighbors", std::to_string(options.neighbors),
                              fmt::format("must be below {}, the number of points that are compared", count));
    }
}

std::vector<FitRequest> fits_of(const ComparisonPlan& plan) {
    std::vector<FitRequest> wanted;
    for (const std::int64_t dimension : plan.dimensions) {
        for (const auto& variant : plan.variants) {
            wanted.push_back(fit_of(variant, dimension));
        }
    }
    return wanted;
}

/// None where the inputs have none, and some scores may be by distance, which do without; those by angle then say why
/// they cannot.
std::optional<double> common_threshold(const PointsView& points, const ScoreOptions& options, Session& session) {
    const auto may_be_by_distance = [&] {
        const bool input = options.metric == InputMetric::Auto || options.metric == InputMetric::Euclidean;
        const bool output =
            options.output_metric == OutputMetric::Auto || options.output_metric == OutputMetric::Euclidean;
        return input && output;
    };
    try {
        return choose_threshold(points, {.seed = options.seed}, session.context()).threshold;
    } catch (const InputError&) {
        if (!may_be_by_distance()) {
            throw;
        }
    } catch (const InvalidArgument&) {
        if (!may_be_by_distance()) {
            throw;
        }
    }
    return std::nullopt;
}

void summarize(Comparison& result) {
    const auto scored_rows =
        std::count_if(result.rows.begin(), result.rows.end(), [](const auto& row) { return row.score.has_value(); });
    const auto refused = static_cast<std::ptrdiff_t>(result.rows.size()) - scored_rows;
    add_score_warnings(result);
    result.summary.count("runs", static_cast<double>(result.wanted));
    result.summary.count("judged", static_cast<double>(scored_rows));
    result.summary.count("refused", static_cast<double>(refused));
    result.summary.message = fmt::format("{} of {} runs scored, {} refused", scored_rows, result.wanted, refused);
    result.summary.warnings.assign(result.warnings.begin(), result.warnings.end());
}

}  // namespace

Comparison compare(const PointsView& points, const ComparisonPlan& plan, RunCache& cache, Session& session) {
    require_neighbors(plan.options, points.count);
    Comparison result;
    result.wanted = plan.variants.size() * plan.dimensions.size() + plan.external.size();
    result.summary.threads = session.context().thread_count();
    result.summary.seed = plan.options.seed;
    CachedRuns runs(points, fits_of(plan), cache, session);
    try {
        ScoreOptions options = plan.options;
        if (!options.threshold) {  // once, instead of for each score anew
            options.threshold = common_threshold(points, options, session);
        }
        result.threshold = options.threshold;
        CompareRun run(points, plan, options, runs, session);
        for (const std::int64_t dimension : plan.dimensions) {
            for (const auto& variant : plan.variants) {
                run.fit(variant, dimension, result);
            }
        }
        for (const auto& one : plan.external) {
            run.file(one, result);
        }
    } catch (const Interruption& interruption) {
        result.summary.termination = interruption.reason;
    }
    result.summary.seconds = runs.shared().seconds;
    summarize(result);
    return result;
}

}  // namespace isogon::cli
