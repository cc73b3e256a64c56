#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "failure.hpp"
#include "fit_report.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/io/integer_table.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/neighbors/neighbor_search.hpp"
#include "neighbor_finding.hpp"
#include "output_files.hpp"
#include "quantity.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

void require_flags(const NeighborFlags& verb, Session& session) {
    require_outputs({verb.output, verb.distances, verb.save_index}, all_of({verb.inputs, verb.queries}), session);
    const WriteOptions how{.format = {}, .overwrite = session.overwrite()};
    require_output([&] {
        is_archive(verb.output) ? require_writable_archive(verb.output, how)
                                : require_writable_integers(verb.output, how);
        if (!verb.distances.empty()) {
            require_writable(verb.distances, how);
        }
        if (!verb.save_index.empty()) {
            require_writable_archive(verb.save_index, how);
        }
    });
    if (verb.above && (!verb.queries.empty() || !verb.save_index.empty() || is_archive(verb.output))) {
        throw UsageError(
            "--above lists pairs of the points as a table: it goes with none of --queries, --save-index "
            "and an output .safetensors");
    }
}

void write_found(const NeighborFlags& verb, const FoundNeighbors& found, Session& session) {
    write_output(session, [&](const WriteOptions& how) {
        if (is_archive(verb.output)) {
            write_archive(verb.output, make_neighbor_graph(found.lists, found.metric), how);
        } else {
            write_integer_table(verb.output, found.lists.indices, found.lists.size, how);
        }
    });
    if (!verb.distances.empty()) {
        const Index columns = verb.above ? 1 : found.lists.size;
        const auto rows = static_cast<Index>(found.lists.distances.size() / columns);
        write_output(session, [&](const WriteOptions& how) {
            write_points(verb.distances, {found.lists.distances.data(), rows, columns}, {}, how);
        });
    }
}

std::string result_text(const NeighborFlags& verb, const FoundNeighbors& found, const Session& session) {
    const std::string what = verb.above ? fmt::format("{} pairs", found.lists.count())
                                        : fmt::format("{} neighbours by {} of each of {} points", found.lists.size,
                                                      name(found.metric), found.lists.count());
    return fmt::format("{}: {}\n{}\n{}, {} threads, peak memory {}\n", verb.output, what, found.summary.message,
                       human_seconds(session.seconds()), found.summary.threads, human_bytes(peak_memory_bytes()));
}

Json result_json(const NeighborFlags& verb, const Input& input, const FoundNeighbors& found, bool written,
                 const Session& session) {
    Json json{{"verb", "neighbors"},
              {"version", ISOGON_VERSION},
              {"options", to_json(found.options)},
              {"metric", std::string(name(found.metric))},
              {"input", input_json(verb.inputs, verb.reading, input)},
              {"output", written ? Json(verb.output) : Json(nullptr)},
              {"distances", written && !verb.distances.empty() ? Json(verb.distances) : Json(nullptr)},
              {"index", verb.save_index.empty() ? Json(nullptr) : Json(verb.save_index)},
              {"rows", found.lists.count()},
              {"columns", found.lists.size}};
    add_summary(json, found.summary);
    json["seconds"] = session.seconds();
    json["peak_memory_bytes"] = peak_memory_bytes();
    return json;
}

Outcome run(const NeighborFlags& verb, Session& session) {
    require_flags(verb, session);
    Input input;
    const FoundNeighbors found = find_neighbors(verb, input, session);
    session.end_progress();

    Outcome outcome;
    outcome.code = exit_code(found.summary.termination);
    bool written = false;
    if (outcome.code != ExitCode::Ok) {
        outcome.failure = "stopped; no neighbours were written: " + found.summary.message;
    } else if (found.lists.count() == 0) {
        outcome.code = ExitCode::Unusable;
        outcome.failure = "nothing was written: there is no such pair; lower --above";
    } else {
        write_found(verb, found, session);
        written = true;
        outcome.text = result_text(verb, found, session);
    }
    outcome.warnings = found.summary.warnings;
    outcome.json = result_json(verb, input, found, written, session);
    return outcome;
}

}  // namespace

Command add_neighbors(CLI::App& app) {
    const auto verb = std::make_shared<NeighborFlags>();
    app.add_option("X", verb->inputs, "Files of points, stacked in their order; or an index that --save-index wrote")
        ->required();
    app.add_option("-o,--output", verb->output,
                   "Where the neighbours go, a row a point, nearest first (.npy, .ivecs, .csv, .tsv); .safetensors "
                   "takes the distances too")
        ->required()
        ->type_name("FILE");
    app.add_option("--distances", verb->distances, "Where the distances go, in the same places")->type_name("FILE");
    app.add_option("--queries", verb->queries, "Find the nearest of X for each row of these files, not for those of X")
        ->type_name("FILE");
    app.add_option("--above", verb->above,
                   "List all pairs whose cosine is above this, a row a pair, not k for each point")
        ->type_name("COSINE");
    app.add_option("--save-index", verb->save_index,
                   "Build an index, keep it (.safetensors) and search by it; later runs take it in place of X")
        ->type_name("FILE");
    verb->options = std::make_unique<OptionFlags>(
        app, "verb", std::vector<OptionOwner>{{"neighbors", neighbor_search_option_table().specs()}});
    add_input_flags(app, verb->reading);
    app.footer(
        "A point is not its own neighbour; indices count from 0, in the order of the rows that were read.\n"
        "\n"
        "Examples:\n"
        "  isogon neighbors vectors.npy -k 15 -o near.npy --distances far.npy\n"
        "  isogon neighbors vectors.npy -k 15 -o graph.safetensors --metric euclidean --search exact\n"
        "  isogon neighbors vectors.npy --queries new.npy -k 5 -o near.csv\n"
        "  isogon neighbors vectors.npy --above 0.95 -o pairs.npy\n"
        "  isogon neighbors vectors.npy -k 15 -o near.npy --save-index i.safetensors\n"
        "  isogon neighbors i.safetensors --queries new.npy -k 15 -o near.npy");
    return [verb](Session& session) {
        const bool index = verb->inputs.size() == 1 && is_archive(verb->inputs.front());
        verb->reading.beside = index ? verb->queries : all_of({verb->inputs, verb->queries});
        return run(*verb, session);
    };
}

}  // namespace isogon::cli
