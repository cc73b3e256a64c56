#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "compare/cached_runs.hpp"
#include "compare/comparison.hpp"
#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "io/atomic_file.hpp"
#include "isogon/core/error.hpp"
#include "isogon/report/report.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "program/session.hpp"
#include "report/report_file.hpp"
#include "report/run_result.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

/// An output file: its path, empty if it is not requested, and its content.
struct ComparisonFile {
    std::string path;
    std::string text;
};

/// A file is renamed into place only after all files behind it.
void write_from(std::size_t first, const std::vector<ComparisonFile>& files, const WriteOptions& how) {
    if (first == files.size()) {
        return;
    }
    if (files[first].path.empty()) {
        write_from(first + 1, files, how);
        return;
    }
    AtomicFile file(files[first].path, how.overwrite, files[first].text.size());
    file.write(files[first].text);
    file.commit([&](const auto&) { write_from(first + 1, files, how); });
}

/// Writes all requested files or none, as the first may name the others. Throws OutputError.
void write_all_or_none(const std::vector<ComparisonFile>& files, Session& session) {
    write_output(session, [&](const WriteOptions& how) { write_from(0, files, how); });
}

/// One name is one curve.
void require_other_name(const std::string& text, const std::string& name, const std::vector<MethodVariant>& variants) {
    const auto found = std::find_if(variants.begin(), variants.end(),
                                    [&](const MethodVariant& variant) { return variant.name == name; });
    if (found != variants.end()) {
        throw UsageError("--against-files " + text + ": " + name + " is one of --methods; choose another name");
    }
}

bool is_same_file(const std::string& one, const std::string& other) {
    std::error_code ignored;  // a missing file is reported when it is read
    return one == other || std::filesystem::equivalent(one, other, ignored);
}

void require_once(const std::string& text, const ExternalCoordinates& one,
                  const std::vector<ExternalCoordinates>& before) {
    const auto same = [&](const ExternalCoordinates& other) {
        return other.name == one.name && is_same_file(other.file, one.file);
    };
    if (std::any_of(before.begin(), before.end(), same)) {
        throw UsageError("--against-files " + text + ": is there twice; leave one out");
    }
}

ExternalCoordinates parse_external(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
        throw UsageError("--against-files " + text + ": must be a name and a file, such as umap=umap.npy");
    }
    return {text.substr(0, equals), text.substr(equals + 1), {}};
}

/// Reads coordinates of other programs, each given as name and file: "umap=umap.npy". Throws UsageError for invalid
/// syntax, a name that is in --methods, and a file given twice under one name; InputError for a wrong number of points.
std::vector<ExternalCoordinates> read_external(const std::vector<std::string>& texts,
                                               const std::vector<MethodVariant>& variants, const Input& input,
                                               Session& session) {
    std::vector<ExternalCoordinates> list;
    for (const auto& text : texts) {
        ExternalCoordinates one = parse_external(text);
        require_other_name(text, one.name, variants);
        require_once(text, one, list);
        list.push_back(std::move(one));
    }
    for (auto& one : list) {
        one.y = read_input({one.file}, {}, Finite::Required, session);
        if (one.y.points.count != input.points.count) {
            throw InputError(one.file, "",
                             fmt::format("{} rows, where {} input rows are taken (after --every and --from); there "
                                         "must be one for each",
                                         one.y.points.count, input.points.count));
        }
        one.run = run_that_made(one.file, one.y.points.count, one.y.points.dimension, "", session);
    }
    return list;
}

constexpr const char* verb_name = "compare";

struct CompareVerb {
    std::vector<std::string> inputs;
    std::string methods = "faithful,tsm,svd";
    std::string dims;
    std::vector<std::string> labels;
    std::vector<std::string> against;
    std::string output;
    std::string report;
    std::string cache;
    bool fresh = false;
    InputFlags reading;
    OptionFlags options;
};

void require_flags(const CompareVerb& verb, Session& session) {
    if (!verb.output.empty() && !verb.output.ends_with(".json")) {
        throw UsageError(verb.output + ": the rows are written as .json");
    }
    if (!verb.report.empty() && !verb.report.ends_with(".html")) {
        throw UsageError(verb.report + ": the report is a page, .html");
    }
    std::vector<std::string> external;
    for (const auto& text : verb.against) {
        external.push_back(text.substr(text.find('=') + 1));
    }
    require_outputs({verb.output, verb.report}, all_of({verb.inputs, verb.labels, external}), session);
}

bool any_scored(const Comparison& result) {
    return std::any_of(result.rows.begin(), result.rows.end(), [](const auto& row) { return row.score.has_value(); });
}

/// Only complete comparisons with a result are written: the same command may continue, or a corrected one start, and
/// both refuse outputs that exist.
bool is_complete(const Comparison& result) {
    return exit_code(result.summary.termination) == ExitCode::Ok && any_scored(result);
}

std::vector<std::string> outputs_of(const CompareVerb& verb) {
    std::vector<std::string> files{verb.output, verb.report};
    std::erase(files, "");
    return files;
}

/// `written`: the output files.
std::string result_text(const Comparison& result, const Input& input, const std::vector<std::string>& written,
                        const Session& session) {
    const auto cached =
        std::count_if(result.rows.begin(), result.rows.end(), [](const auto& row) { return row.cached; });
    const std::string threshold = result.threshold ? fmt::format(", threshold {:.4f}", *result.threshold) : "";
    std::string text = fmt::format("{} points of {} numbers{}\n{}", input.points.count, input.points.dimension,
                                   threshold, table_text(result.rows));
    text += fmt::format("{}; {} kept from before\n", result.summary.message, cached);
    for (const auto& file : written) {
        text += file + "\n";
    }
    return text + costs_text(result.summary, session);
}

Json result_json(const CompareVerb& verb, const Comparison& result, const Input& input, const Session& session) {
    const auto written = [&](const std::string& file) {
        return file.empty() || !is_complete(result) ? Json(nullptr) : Json(file);
    };
    Json json{{"verb", verb_name},
              {"version", ISOGON_VERSION},
              {"input", input_json(verb.inputs, verb.reading, input)},
              {"threshold", result.threshold ? Json(*result.threshold) : Json(nullptr)},
              {"output", written(verb.output)},
              {"report", written(verb.report)},
              {"rows", rows_json(result.rows)}};
    add_run(json, result.summary, session);
    return json;
}

ChartDocument document_of(const CompareVerb& verb, const Comparison& result, const Input& input,
                          const Session& session) {
    ChartDocument document;
    document.title = fmt::format("Comparison of methods on {}", fmt::join(verb.inputs, ", "));
    document.made = report_origin(session);
    document.warnings = result.warnings;
    document.notes = {
        fmt::format("{} points of {} numbers. Pairs whose cosine is above {:.4f} count as near; a point's "
                    "pair with itself does not count (rows in JSON also have the measures of Saul 2022, "
                    "where it does).",
                    input.points.count, input.points.dimension, result.threshold.value_or(0.0)),
        result.summary.message + "."};
    document.tables = tables_of(result.rows, input.labels);
    document.charts = charts_of(result.rows);
    document.maps = maps_of(result.rows, input.labels, input.points.count, result.summary.seed);
    return document;
}

ComparisonPlan plan_of(const CompareVerb& verb, const OptionValues& given) {
    ComparisonPlan plan;
    plan.options = score_option_table().make(given);
    plan.variants = parse_variants(
        verb.methods,
        given.contains("seed") ? std::optional(static_cast<std::int64_t>(plan.options.seed)) : std::nullopt,
        plan.options.threshold);
    if (!verb.dims.empty()) {
        plan.dimensions = parse_dimensions("--dims", verb.dims);
    }
    return plan;
}

/// Fills in what the command line left out, as far as the points allow it.
void complete(ComparisonPlan& plan, bool neighbors_given, const PointsView& points) {
    const std::int64_t others = std::max<std::int64_t>(1, std::int64_t{points.count} - 1);
    const std::int64_t most = std::min<std::int64_t>(others, std::max<Index>(1, points.dimension));
    if (plan.dimensions.empty()) {
        plan.dimensions = {4, 8, 16, 32};
        std::erase_if(plan.dimensions, [most](std::int64_t dimension) { return dimension > most; });
        if (plan.dimensions.empty()) {
            plan.dimensions.push_back(most);
        }
    }
    if (!neighbors_given) {
        plan.options.neighbors = static_cast<int>(std::min<std::int64_t>(plan.options.neighbors, others));
    }
}

std::string failure_of(ExitCode code, const CompareVerb& verb, const Comparison& result) {
    std::string unwritten;
    for (const auto& file : outputs_of(verb)) {
        unwritten += fmt::format("; {} was not written", file);
    }
    const std::string so_far = fmt::format("; {}", result.summary.message) + unwritten;
    switch (code) {
        case ExitCode::Ok: return "";
        case ExitCode::OverLimit: return "stopped by --time-limit" + so_far;
        case ExitCode::Interrupted: return "interrupted" + so_far;
        default: return "nothing could be scored; the first: " + result.rows.front().refused + unwritten;
    }
}

/// Writes the requested files if the comparison is complete. The result is printed also if writing fails.
void write(const CompareVerb& verb, const Comparison& result, const Input& input, Session& session, Outcome& outcome) {
    std::vector<std::string> written;
    if (is_complete(result)) {
        try {
            std::string page;
            if (!verb.report.empty()) {
                page = report_page(chart_document(document_of(verb, result, input, session)));
            }
            write_all_or_none({{verb.output, to_line(outcome.json) + "\n"}, {verb.report, page}}, session);
            written = outputs_of(verb);
        } catch (const Error&) {
            const Failure failure = describe_current_exception();
            outcome.code = failure.code;
            outcome.failure = failure.message;  // main adds the files that are already written
            outcome.json["output"] = nullptr;
            outcome.json["report"] = nullptr;
        }
    }
    outcome.text = result_text(result, input, written, session);
}

Outcome run(const CompareVerb& verb, Session& session) {
    require_flags(verb, session);
    const std::filesystem::path cached =
        verb.cache.empty() ? default_cache({verb.output, verb.report}) : std::filesystem::path(verb.cache);
    if (verb.fresh && cached.empty()) {
        throw UsageError(
            "--fresh has an effect only with --cache, --output or --report: no runs are kept without; "
            "leave it out");
    }
    const OptionValues given = verb.options.values(verb_name);
    ComparisonPlan plan = plan_of(verb, given);
    Input input = read_input(verb.inputs, verb.reading, Finite::Required, session);
    complete(plan, given.contains("neighbors"), input.points);
    plan.external = read_external(verb.against, plan.variants, input, session);
    set_labels(input, read_picked_labels(verb.labels, verb.reading, input));
    plan.labels = input.labels;
    RunCache cache(cached, verb.fresh, session);
    const Comparison result = compare(input.points, plan, cache, session);
    session.end_progress();

    Outcome outcome;
    outcome.json = result_json(verb, result, input, session);
    outcome.warnings = result.warnings;
    outcome.code = exit_code(result.summary, any_scored(result));
    outcome.failure = failure_of(outcome.code, verb, result);
    write(verb, result, input, session, outcome);
    return outcome;
}

}  // namespace

Command add_compare(CLI::App& app) {
    const auto verb = std::make_shared<CompareVerb>();
    app.add_option("INPUT", verb->inputs, "Files of points; several are stacked in their order")->required();
    add_value(app, "--methods NAME[:OPTION=VALUE...],...", verb->methods,
              "Methods, each by its name and, if wanted, options: tsm:solver=sphere (default faithful,tsm,svd)");
    add_value(app, "--dims D,...", verb->dims,
              "The dimensions at which each is run (default 4,8,16,32, those that the points have)");
    add_value(app, "--against-files NAME=FILE", verb->against,
              "Coordinates of other programs, also scored; once for each file, several of one name make "
              "a curve")
        ->allow_extra_args(false);
    add_value(app, "--labels FILE", verb->labels,
              "Classes of the inputs, where these do not hold them: numbers, or words, one a line. Once for each "
              "file, in order")
        ->allow_extra_args(false);
    add_value(app, "-o,--output FILE", verb->output, "Keep the rows as well (.json)");
    add_value(app, "--report FILE", verb->report, "Write a page with the curves as well (.html)");
    add_value(app, "--cache FOLDER", verb->cache,
              "Where finished runs are kept, so that an interrupted comparison goes on (default isogon-runs beside "
              "the output; without any nothing is kept)");
    app.add_flag("--fresh", verb->fresh, "Take no run that is kept; replace it");
    verb->options.add(app, "verb", {{verb_name, score_option_table().specs()}});
    add_input_flags(app, verb->reading);
    app.footer(
        "Neighbours are nearest by the metric of each fit among inputs, and by what its method keeps among\n"
        "coordinates; --metric and --output-metric take the same for all.\n"
        "All are scored with the same threshold: chosen as isogon score does, or --threshold, which then also\n"
        "goes to the methods that have one. --seed goes to all methods. A method that refuses is a row with\n"
        "its reason. Kept runs go by what they are made of; delete the folder when you need them no more.\n"
        "\n"
        "Examples:\n"
        "  isogon compare vectors.npy --methods faithful,tsm,svd,isomap --dims 4,8,16,32 --report all.html\n"
        "  isogon compare x.npy --dims 2 --methods umap,tsne --against-files theirs=map.npy --labels y.npy\n"
        "  isogon compare x.npy --methods tsm,tsm:solver=sphere,isomap:graph=tsm:components=bridge -o rows.json\n"
        "\n"
        "Ctrl-C stops and tells the rows so far (exit code 130), but writes no output; the same\n"
        "command then goes on from the runs that are kept.");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli
