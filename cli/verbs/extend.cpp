#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <optional>

#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/neighbors/given_neighbors.hpp"
#include "isogon/transform/locally_linear_extension.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

constexpr const char* verb_name = "extend";

struct Extend {
    std::string model;
    std::vector<std::string> inputs;
    std::string output;
    std::string neighbor_graph;
    InputFlags reading;
    std::unique_ptr<OptionFlags> options;
};

std::string result_text(const Extend& verb, const Transformer& transformer, const Extended& result,
                        const Session& session) {
    const Summary& summary = result.summary;
    std::string text = fmt::format("{}: {} points of {} numbers, from {}, by {} ({})\n", verb.output,
                                   result.coordinates.count(), result.coordinates.dimension(),
                                   transformer.input_dimension(), verb.model, transformer.model().method);
    text += fmt::format("{}: {}\n", name(summary.termination), summary.message);
    text += fmt::format("{}{}, {} threads, peak memory {}\n", human_seconds(session.seconds()), phases_text(summary),
                        summary.threads, human_bytes(peak_memory_bytes()));
    auto numbers = summary.counts;
    numbers.insert(numbers.end(), summary.measures.begin(), summary.measures.end());
    for (const auto& [what, number] : numbers) {
        text += fmt::format("  {:<28} {:.6g}\n", what, number);
    }
    return text;
}

Json result_json(const Extend& verb, const Transformer& transformer, const LocallyLinearOptions& options,
                 const Input& input, const Extended& result, const Session& session) {
    const bool written = !result.coordinates.empty();
    Json json{{"verb", verb_name},
              {"version", ISOGON_VERSION},
              {"model", verb.model},
              {"method", transformer.model().method},
              {"options", to_json(locally_linear_option_table().values(options))},
              {"input", input_json(verb.inputs, verb.reading, input)},
              {"output", written ? Json(verb.output) : Json(nullptr)},
              {"shape", shape_json(result.coordinates.view())},
              {"unreached", result.unreached}};
    add_summary(json, result.summary);
    json["seconds"] = session.seconds();
    json["peak_memory_bytes"] = peak_memory_bytes();
    return json;
}

Outcome run(const Extend& verb, Session& session) {
    const LocallyLinearOptions options = locally_linear_option_table().make(verb.options->values(verb_name));
    require_outputs({verb.output}, all_of({{verb.model, verb.neighbor_graph}, verb.inputs}), session);
    const Transformer transformer(read_archive_within(verb.model, session), session.context());
    const ColumnNames columns = column_names_in(transformer.model(), transformer.input_dimension());
    const Input input = read_input(verb.inputs, with_columns(verb.reading, columns), Finite::Required, session);
    require_dimension(verb.inputs.front(), input.points.dimension, transformer.input_dimension(), "the fitted points");
    require_words(verb.output, !input.words.empty());
    std::optional<NeighborLists> lists;
    if (!verb.neighbor_graph.empty()) {
        lists = read_neighbor_graph(verb.neighbor_graph, input.points.count + transformer.fitted_count(),
                                    name(locally_linear_metric));
        require_equal_lengths(*lists, verb.neighbor_graph);
    }
    const Extended result = transformer.extend(input.points, options, session.context(), lists ? &*lists : nullptr);
    session.end_progress();

    Outcome outcome;
    outcome.code = exit_code(result.summary, true);
    if (!result.coordinates.empty()) {
        write_output(session, [&](const WriteOptions& how) {
            write_points(verb.output, result.coordinates.view(), {input.labels, input.words, input.label_names}, how);
        });
        outcome.text = result_text(verb, transformer, result, session);
    }
    if (outcome.code != ExitCode::Ok) {
        outcome.failure = failure_text(outcome.code, result.coordinates.empty() ? "" : verb.output, result.summary);
    }
    outcome.warnings = in_flags(result.summary.warnings);
    outcome.json = result_json(verb, transformer, options, input, result, session);
    return outcome;
}

}  // namespace

Command add_extend(CLI::App& app) {
    const auto verb = std::make_shared<Extend>();
    app.add_option("MODEL", verb->model, "What isogon embed --model has kept, of tsm or faithful")->required();
    app.add_option("INPUT", verb->inputs, "Files of new points; several are stacked in their order")->required();
    app.add_option("-o,--output", verb->output, "Where the coordinates of the new points go; the name tells the format")
        ->required()
        ->type_name("FILE");
    verb->options = std::make_unique<OptionFlags>(
        app, "verb", std::vector<OptionOwner>{{verb_name, locally_linear_option_table().specs()}});
    app.add_option(
           "--neighbor-graph", verb->neighbor_graph,
           "The neighbours of the new rows followed by the fitted ones, as isogon neighbors NEW FITTED writes them")
        ->type_name("FILE");
    add_input_flags(app, verb->reading);
    app.footer(
        "All new points together: each is rebuilt from its nearest by cosine, old and new, and the same\n"
        "weights rebuild its coordinates (locally linear extension, Saul 2022). What a row gets depends on\n"
        "the others; isogon transform takes each row on its own.\n"
        "\n"
        "Examples:\n"
        "  isogon embed sample.npy -o small.npy --method tsm --model map.safetensors\n"
        "  isogon extend map.safetensors rest.npy -o rest-small.npy\n"
        "\n"
        "After Ctrl-C and --time-limit the best coordinates so far are written, if there are any.");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli
