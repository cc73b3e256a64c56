#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <span>

#include "embed/fit_files.hpp"
#include "embed/fit_input.hpp"
#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "isogon/distributed/communicator.hpp"
#include "isogon/distributed/rank_group.hpp"
#include "isogon/methods/registry.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "program/ranks.hpp"
#include "report/report_file.hpp"
#include "report/run_result.hpp"
#include "score/score.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

struct Embed {
    std::vector<std::string> inputs;
    std::string output;
    std::string method = "faithful";
    InputFlags reading;
    FitFlags fit;
    std::unique_ptr<OptionFlags> options;
    std::unique_ptr<OptionFlags> landmarks;
    std::string neighbor_graph;
};

std::vector<OptionOwner> owners() {
    std::vector<OptionOwner> list;
    for (const auto& method : methods()) {
        list.push_back({method.name, method.options});
    }
    return list;
}

/// The numbers that a fit may give each point; where they are found by the fit, those of the inputs.
std::int64_t most_numbers(const Method& method, const OptionValues& options, Index input_dimension) {
    const OptionValue value = option_of(method.options, options, "dimension");
    const auto* number = std::get_if<std::int64_t>(&value);
    return number == nullptr ? std::int64_t{input_dimension} : *number;
}

/// The ranks among which the graph of a sparse method is distributed; null for other methods, without mpirun or without
/// PETSc.
const SpectralRanks* ranks_of_graph(const Method& method, const Session& session) {
    return method.distributes_graph ? session.sparse_ranks() : nullptr;
}

/// Ranks share only fits of all points, by methods that support it.
void require_shareable(const Method& method, bool on_landmarks, const Session& session) {
    if (!session.ranks().is_shared() || (method.distributes_pairs && !on_landmarks) ||
        ranks_of_graph(method, session) != nullptr) {
        return;
    }
    if (method.distributes_graph) {
        throw UsageError("method " + method.name +
                         ": ranks of mpirun share its work only in a program built with -DISOGON_PETSC=ON "
                         "(docs/mpi.md); start it without mpirun (it uses all cores)");
    }
    if (on_landmarks) {
        throw UsageError("--landmarks: ranks of mpirun cannot share such a fit; start it without mpirun");
    }
    std::string names;
    for (const Method& other : methods()) {
        if (other.distributes_pairs || (other.distributes_graph && built_with_petsc())) {
            names += (names.empty() ? "" : ", ") + other.name;
        }
    }
    throw UsageError("method " + method.name + ": ranks of mpirun cannot share its work, only that of " + names +
                     "; start it without mpirun (it uses all cores)");
}

/// Only rank 0 writes files.
FitFlags own_files(FitFlags flags, const Session& session) {
    if (!session.is_root()) {
        flags.report.file = flags.model = flags.checkpoint = "";
    }
    return flags;
}

/// Communication and peak memory of each rank; collective.
Json ranks_json(const RankGroup& ranks, const CommunicatorTraffic& before) {
    struct Rank {
        CommunicatorTraffic traffic;
        std::uint64_t peak_memory_bytes = 0;
    };
    std::vector<Rank> all(ranks.size());
    all[ranks.rank()] = {ranks.traffic(), peak_memory_bytes()};
    CommunicatorTraffic& own = all[ranks.rank()].traffic;
    own = {own.collective_calls - before.collective_calls, own.bytes - before.bytes,
           own.seconds_waiting - before.seconds_waiting, own.seconds_moving - before.seconds_moving};
    ranks.all_gather_parts(all.size(), sizeof(Rank), std::as_writable_bytes(std::span(all)));
    Json json = Json::array();
    for (const Rank& rank : all) {
        json.push_back({{"collective_calls", rank.traffic.collective_calls},
                        {"meetings", rank.traffic.collective_calls},  // the old name of the same count
                        {"bytes_received", rank.traffic.bytes},
                        {"seconds_waiting", rank.traffic.seconds_waiting},
                        {"seconds_moving", rank.traffic.seconds_moving},
                        {"peak_memory_bytes", rank.peak_memory_bytes}});
    }
    return json;
}

/// Points by their numbers in the files, as the report has them.
void number_as_in_files(const RowPicker& picker, std::optional<KeptNeighbors>& kept) {
    if (kept) {
        for (Index& row : kept->rows) {
            row = static_cast<Index>(picker.from + row * picker.every);
        }
    }
}

Json result_json(const Embed& embed, const DistributedPoints& points, const Embedding& result,
                 const std::string& written, const Session& session) {
    Json json{{"verb", "embed"},
              {"version", ISOGON_VERSION},
              {"method", embed.method},
              {"options", to_json(result.options)},
              {"input", input_json(embed.inputs, embed.reading, points.count(), points.dimension())},
              {"output", written.empty() ? Json(nullptr) : Json(written)},
              {"shape", shape_json(result.coordinates.view())}};
    add_summary(json, result.summary);
    if (result.kept) {
        json["worst_points"] = worst_points_json(*result.kept);
    }
    json["seconds"] = session.seconds();
    json["peak_memory_bytes"] = peak_memory_bytes();
    return json;
}

/// A flag without effect is an error.
void require_use_of_neighbors(const Embed& embed, const Method& method) {
    if (!embed.neighbor_graph.empty() && !method.uses_neighbors) {
        throw UsageError(
            "--neighbor-graph goes with methods that start from neighbours, and with --landmarks and "
            "--extension llx");
    }
}

Outcome run(const Embed& embed, Session& session) {
    const Method& method = find_method(embed.method);
    const OptionValues options = embed.options->values(method.name);
    const LandmarkOptions landmarks = landmark_option_table().make(embed.landmarks->values("embed"));
    if (landmarks.landmarks != 0 && options.contains("target-weight")) {
        throw UsageError("--target-weight: labels are of all points, not of landmarks; leave one of the two out");
    }
    require_shareable(method, landmarks.landmarks != 0, session);
    if (landmarks.landmarks != 0 && !method.embed_on_landmarks) {
        return embed_landmarks({embed.inputs, embed.output, embed.reading, embed.fit, embed.neighbor_graph}, method,
                               options, landmarks, session);
    }
    if (landmarks.landmarks == 0) {
        require_use_of_neighbors(embed, method);
    }
    const FitFlags fit = own_files(embed.fit, session);
    if (session.ranks().is_shared()) {
        require_same_files(session.ranks(), embed.inputs);  // FitInput compares their numbers
        require_same_bytes(session.ranks(), {fit.resume, fit.start, embed.neighbor_graph});
    }
    FitFiles files(fit, method, options, all_of({embed.inputs, {embed.neighbor_graph}}),
                   session.is_root() ? embed.output : "", session);
    const SpectralRanks* graph_ranks = ranks_of_graph(method, session);
    files.set_graph_ranks(graph_ranks);
    const RankGroup group = graph_ranks != nullptr ? graph_ranks->group() : session.ranks();
    FitInput read(embed.inputs, embed.reading, method, session);
    const DistributedPoints& points = read.points();
    const Input& input = read.input();
    require_words(embed.output, !input.words.empty());
    const ReportFile report(fit.report, embed.inputs, embed.reading, input.rows_in_files, points.dimension(),
                            own_names(input.labels, input.label_names, input.words));

    // Only these need all inputs; ranks agree on it, as they have the same command.
    const bool needs_all_inputs = !(embed.fit.model.empty() && embed.fit.report.file.empty());
    if (needs_all_inputs) {
        read.reserve_for_all(session);
    }
    files.take_columns(input.columns);
    files.reserve_for_model(points, most_numbers(method, options, points.dimension()));
    if (!embed.neighbor_graph.empty()) {
        files.start_from_neighbors(
            read_neighbor_graph(embed.neighbor_graph, points.count(), metric_of(method, options)));
    }
    files.take_labels(embed.reading, input);
    const CommunicatorTraffic before = group.traffic();
    Embedding result = files.embed(method, points, options, landmarks);
    if (landmarks.landmarks != 0) {
        result.options.merge(landmark_option_table().values(landmarks));
    }
    session.end_progress();
    number_as_in_files(row_picker(embed.reading), result.kept);

    Outcome outcome;
    std::string written;
    std::string model;
    const Json ranks = group.is_shared() ? ranks_json(group, before) : Json(nullptr);
    const bool usable = result.summary.usable() && !result.coordinates.empty();
    const PointsView inputs = usable && needs_all_inputs ? read.gather_all(session) : input.points;
    if (session.is_root() && usable) {
        write_output(session, [&](const WriteOptions& how) {
            write_points(embed.output, result.coordinates.view(), {input.labels, input.words, input.label_names}, how);
        });
        written = embed.output;
        write_record(written, result_json(embed, points, result, written, session), session);
        model = files.write_model(method, inputs, result);
        outcome.text = result_text({embed.output, embed.method, result.coordinates.count(),
                                    result.coordinates.dimension(), points.dimension()},
                                   result.summary, session);
        outcome.text += result.kept ? worst_points_text(*result.kept) : "";
    }
    outcome.code = exit_code(result.summary, !result.coordinates.empty());
    outcome.failure = outcome.code == ExitCode::Ok ? "" : failure_text(outcome.code, written, result.summary);
    outcome.warnings = result.summary.warnings;
    outcome.json = result_json(embed, points, result, written, session);
    if (!ranks.is_null()) {
        outcome.json["ranks"] = ranks;
    }
    outcome.json["model"] = model.empty() ? Json(nullptr) : Json(model);
    report.write_after_fit(inputs, result.coordinates.view(), {method.name, result.options, result.summary}, written,
                           session, outcome);
    return outcome;
}

}  // namespace

Command add_embed(CLI::App& app) {
    const auto embed = std::make_shared<Embed>();
    app.add_option("INPUT", embed->inputs, "Files of points; several are stacked in their order")->required();
    app.add_option("-o,--output", embed->output, "Where the coordinates go; the name tells the format")
        ->required()
        ->type_name("FILE");
    app.add_option("--method", embed->method, "How to embed; isogon methods lists them (default faithful)")
        ->type_name("NAME");
    embed->options = std::make_unique<OptionFlags>(app, "method", owners());
    embed->landmarks = std::make_unique<OptionFlags>(
        app, "verb", std::vector<OptionOwner>{{"embed", landmark_option_table().specs()}});
    app.add_option(
           "--neighbor-graph", embed->neighbor_graph,
           "For methods that start from neighbours, and --extension llx: those of all points, nearest first, as "
           "isogon neighbors writes them")
        ->type_name("FILE");
    add_input_flags(app, embed->reading);
    add_fit_flags(app, embed->fit);
    app.footer(
        "Examples:\n"
        "  isogon embed vectors.npy -o small.npy --dim 32\n"
        "  isogon embed train-images-idx3-ubyte.gz t10k-images-idx3-ubyte.gz -o fold0.npy --every 5 --from 0\n"
        "  isogon embed vectors.npy -o map.npy --method umap --target-weight 0.5 --labels classes.txt\n"
        "  isogon embed words.vec -o words16.vec --metric cosine --json\n"
        "  isogon embed vectors.npy -o small.npy --report small.html         (open it in a browser)\n"
        "  isogon embed vectors.npy -o small.npy --model map.safetensors     (then: isogon transform)\n"
        "  isogon embed big.npy -o small.npy --checkpoint run.safetensors    (after a crash: --resume it)\n"
        "  isogon embed million.npy -o small.npy --landmarks 20000           (the rest placed, out of core)\n"
        "  isogon embed vectors.npy -o maps.npy --method laplacian --neighbors 12 --landmarks 1000\n"
        "  mpirun -n 4 isogon embed big.npy -o small.npy                     (ranks share it: docs/mpi.md)\n"
        "  mpirun -n 4 isogon embed big.npy -o maps.npy --method laplacian   (built with PETSc: docs/mpi.md)\n"
        "\n"
        "Without --dim and --neighbors these are as large as a small table allows.\n"
        "Ctrl-C stops and writes the best result so far (exit code 130); a second one stops at once.");
    return [embed](Session& session) { return run(*embed, session); };
}

}  // namespace isogon::cli
