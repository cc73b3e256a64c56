#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "isogon/core/error.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/registry/registry.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "registry/fit_series.hpp"
#include "sweep/sweep_result.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

const OptionSpec& find(const std::vector<OptionSpec>& specs, const std::string& name, const std::string& method) {
    if (const OptionSpec* found = find_option(specs, name)) {
        return *found;
    }
    std::vector<std::string> known;
    std::string names;
    for (const auto& spec : specs) {
        known.push_back(spec.name);
        names += (names.empty() ? "" : ", ") + spec.name;
    }
    throw InvalidArgument("--grid", name,
                          "the method " + method + " has no such option; it has " + names + did_you_mean(name, known));
}

std::vector<OptionValue> parse_values(OptionSpec spec, std::string_view text) {
    spec.name = "--grid " + spec.name + "=";
    std::vector<OptionValue> values;
    while (true) {
        const std::size_t comma = text.find(',');
        values.push_back(parse_option(spec, text.substr(0, comma)));
        if (comma == std::string_view::npos) {
            return values;
        }
        text.remove_prefix(comma + 1);
    }
}

/// Parses --grid NAME=V1,V2,... for each of `texts`: names are options of the method or of landmarks, "dim" is short
/// for the dimension. Throws UsageError for invalid syntax and InvalidArgument for an unknown option and a value out of
/// bounds.
std::vector<SweepAxis> parse_grid(const std::string& method, const std::vector<std::string>& texts) {
    const std::vector<OptionSpec> specs = sweep_option_specs(method);
    std::vector<SweepAxis> axes;
    for (const auto& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
            throw UsageError("--grid " + text + ": must be an option and its values, such as neighbors=10,20,40");
        }
        const std::string given = text.substr(0, equals);
        const std::string name = given == "dim" ? "dimension" : given;
        axes.push_back({name, parse_values(find(specs, name, method), std::string_view(text).substr(equals + 1))});
    }
    return axes;
}

struct SweepVerb {
    std::vector<std::string> inputs;
    std::string method = "laplacian";
    std::vector<std::string> grid;
    std::string output;
    std::string neighbor_graph;
    InputFlags reading;
    CriterionFlags criterion;
    OptionFlags options;
    OptionFlags landmarks;
};

/// Methods with landmarks of their own can be swept.
std::vector<OptionOwner> swept_methods() {
    std::vector<OptionOwner> list;
    for (const auto& method : methods()) {
        if (method.fits_on_landmarks) {
            list.push_back({method.name, method.options});
        }
    }
    return list;
}

/// The order in which rows vary: options of the method, then those of landmarks.
std::vector<std::string> columns_of(const SweepPlan& plan) {
    std::vector<std::string> names;
    for (const auto& spec : plan.axes) {
        names.push_back(spec.option);
    }
    const auto& own = find_method(plan.method).options;
    std::stable_partition(names.begin(), names.end(),
                          [&](const std::string& name) { return find_option(own, name) != nullptr; });
    return names;
}

SweepPlan plan_of(const SweepVerb& verb) {
    SweepPlan plan{.method = verb.method, .axes = parse_grid(verb.method, verb.grid)};
    const std::vector<std::string> varied = columns_of(plan);
    plan.options = verb.options.values(verb.method, varied);
    plan.options.merge(verb.landmarks.values("sweep", varied));
    return plan;
}

bool has_landmarks(const SweepPlan& plan) {
    const auto on_axis = [](const SweepAxis& axis) { return axis.option == "landmarks"; };
    return plan.options.contains("landmarks") || std::any_of(plan.axes.begin(), plan.axes.end(), on_axis);
}

void require_flags(const SweepVerb& verb, const SweepPlan& plan, Session& session) {
    Criterion::require_flags(verb.criterion, has_landmarks(plan));
    if (!verb.neighbor_graph.empty() && !find_method(verb.method).uses_neighbors) {
        throw UsageError("--neighbor-graph goes with methods that start from neighbours");
    }
    const auto is_metric = [](const SweepAxis& axis) { return axis.option == "metric"; };
    if (!verb.neighbor_graph.empty() && std::any_of(plan.axes.begin(), plan.axes.end(), is_metric)) {
        throw UsageError(
            "--neighbor-graph: its neighbours are by one metric, which --grid varies: leave out one of the two");
    }
    if (!verb.output.empty() && format_from_name(verb.output) != Format::Csv) {
        throw UsageError(verb.output + ": the table is written as .csv");
    }
    if (verb.output.ends_with(".gz")) {
        throw UsageError(verb.output + ": the table is written as .csv, not packed");
    }
    const CriterionFlags& criterion = verb.criterion;
    require_outputs({verb.output},
                    all_of({verb.inputs,
                            {verb.neighbor_graph, criterion.truth},
                            criterion.labels,
                            criterion.test,
                            criterion.test_labels}),
                    session);
}

std::string result_text(const SweepVerb& verb, const SweepReport& report, const Criterion& criterion,
                        const Session& session) {
    const Summary& summary = report.sweep.summary;
    std::string text = fmt::format("{} by {}\n{}", verb.method, criterion.title(), table_text(report));
    text += fmt::format("{}{}\n", summary.message, report.best() ? "; * is the best" : "");
    text += fmt::format("shared by fits, not in their seconds:{}\n",
                        summary.seconds.empty() ? " nothing" : phases_text(summary));
    return text + costs_text(summary, session);
}

Json result_json(const SweepVerb& verb, const SweepPlan& plan, const SweepReport& report, const Criterion& criterion,
                 const Input& input) {
    return {{"verb", "sweep"},
            {"version", ISOGON_VERSION},
            {"method", verb.method},
            {"options", to_json(plan.options)},
            {"criterion", report.criterion},
            {"criterion_text", criterion.title()},
            {"input", input_json(verb.inputs, verb.reading, input)},
            {"output", json_or_null(verb.output)},
            {"rows", rows_json(report)},
            {"best", report.best() ? Json(*report.best()) : Json(nullptr)}};
}

std::string failure_of(ExitCode code, const Sweep& result) {
    const std::string so_far = fmt::format("; {}", result.summary.message);
    switch (code) {
        case ExitCode::Ok: return "";
        case ExitCode::OverLimit: return "stopped by --time-limit" + so_far;
        case ExitCode::Interrupted: return "interrupted" + so_far;
        default: return "no combination could be fitted; the first: " + in_flags(result.rows.front().refused);
    }
}

Outcome run(const SweepVerb& verb, Session& session) {
    SweepPlan plan = plan_of(verb);
    require_flags(verb, plan, session);
    const Input input = read_input(verb.inputs, verb.reading, Finite::Required, session);
    const Criterion criterion(verb.criterion, verb.reading, input, session);
    plan.exact = criterion.wants_exact();
    const bool given = !verb.neighbor_graph.empty();
    const NeighborLists lists = given ? read_neighbor_graph(verb.neighbor_graph, input.points.count,
                                                            metric_of(find_method(verb.method), plan.options))
                                      : NeighborLists();

    std::vector<std::optional<double>> scores;
    const Sweep result =
        sweep(input.points, plan, session.context(), given ? &lists : nullptr, [&](const SweepFit& fit) {
            const double score = criterion.evaluate(verb.method, fit, session.context());
            scores.resize(fit.number);
            scores.emplace_back(score);
        });
    scores.resize(result.rows.size());
    session.end_progress();

    const SweepReport report{columns_of(plan), verb.criterion.criterion, plan.exact, result, scores};
    if (!verb.output.empty() && !result.rows.empty()) {
        write_text(verb.output, csv_text(report), session);
    }
    Outcome outcome;
    outcome.text = result_text(verb, report, criterion, session);
    outcome.json = result_json(verb, plan, report, criterion, input);
    add_run(outcome.json, result.summary, session);
    outcome.json["output"] = verb.output.empty() || result.rows.empty() ? Json(nullptr) : Json(verb.output);
    outcome.warnings = in_flags(report.warnings());
    outcome.code = exit_code(result.summary, report.best().has_value());
    outcome.failure = failure_of(outcome.code, result);
    return outcome;
}

}  // namespace

Command add_sweep(CLI::App& app) {
    const auto verb = std::make_shared<SweepVerb>();
    app.add_option("INPUT", verb->inputs, "Files of points; several are stacked in their order")->required();
    add_value(app, "--grid NAME=V1,V2,...", verb->grid,
              "An option of the method or of landmarks, and the values that it takes; once for each option. Every "
              "combination is fitted")
        ->required()
        ->allow_extra_args(false);
    add_value(app, "--method NAME", verb->method,
              "A spectral method; --help after it has its options (default laplacian)")
        ->each([verb](const std::string& name) { verb->options.show_options_of(name); });
    add_value(app, "-o,--output FILE", verb->output, "Keep the table as well (.csv)");
    add_criterion_flags(app, verb->criterion);
    verb->options.add(app, "method", swept_methods());
    verb->options.show_options_of(verb->method);
    verb->landmarks.add(app, "verb", {{"sweep", landmark_option_table().specs()}});
    add_value(app, "--neighbor-graph FILE", verb->neighbor_graph,
              "For methods that start from neighbours: those of all points, nearest first, as isogon neighbors "
              "writes them");
    add_input_flags(app, verb->reading);
    app.footer(
        "Neighbours, landmarks and the weights towards them are worked out once for all fits. A combination\n"
        "that the method refuses is a row with the reason.\n"
        "\n"
        "Examples:\n"
        "  isogon sweep roll.npy --dim 2 --grid neighbors=8,12,20 --grid sigma=auto,0.5,1 --truth flat.npy\n"
        "  isogon sweep x.npy --dim 8 --grid landmarks=100,300,1000 --grid neighbors=10,20\n"
        "  isogon sweep train.csv --method lle --grid neighbors=10,20,40 --criterion knn --landmarks 500 \\\n"
        "      --test new.csv -o table.csv\n"
        "\n"
        "Ctrl-C stops and tells the rows so far (exit code 130).");
    return [verb](Session& session) {
        verb->reading.other_files = all_of({verb->inputs, verb->criterion.test});
        return run(*verb, session);
    };
}

}  // namespace isogon::cli
