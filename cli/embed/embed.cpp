#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <span>

#include "distributed/communicator.hpp"
#include "distributed/rank_group.hpp"
#include "embed/fit_files.hpp"
#include "embed/fit_input.hpp"
#include "files/extended_table.hpp"
#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "isogon/registry/registry.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "program/ranks.hpp"
#include "report/report_file.hpp"
#include "report/run_result.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

/// The ranks among which the graph of a sparse method is distributed; null for other methods, without mpirun or without
/// PETSc.
const SpectralRanks* ranks_of_graph(const Method& method, const Session& session) {
    return method.distributes_graph ? session.sparse_ranks() : nullptr;
}

/// Ranks share only fits of all points, by methods that support it.
void require_shareable(const FitPlan& plan, const Session& session) {
    const Method& method = plan.method;
    if (!session.ranks().is_shared() || (method.distributes_pairs && !plan.on_landmarks()) ||
        ranks_of_graph(method, session) != nullptr) {
        return;
    }
    if (method.distributes_graph) {
        throw UsageError("method " + method.name +
                         ": ranks of mpirun share its work only in a program built with -DISOGON_PETSC=ON "
                         "(docs/mpi.md); start it without mpirun (it uses all cores)");
    }
    if (plan.on_landmarks()) {
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

FitPlan plan_of(const Embed& embed) {
    const Method& method = find_method(embed.method);
    return {method, embed.options.values(method.name), landmark_option_table().make(embed.landmarks.values("embed"))};
}

/// A flag without effect is an error.
void require_flags(const Embed& embed, const FitPlan& plan) {
    if (plan.on_landmarks() && (plan.options.contains("target-weight") || !embed.fit.targets.empty())) {
        throw UsageError(
            "--target-weight and --targets: labels and targets are of all points, not of landmarks; leave one of the "
            "two out");
    }
}

void require_use_of_neighbors(const Embed& embed, const FitPlan& plan) {
    if (!plan.on_landmarks() && !embed.neighbor_graph.empty() && !plan.method.uses_neighbors) {
        throw UsageError(
            "--neighbor-graph goes with methods that start from neighbours, and with --landmarks and "
            "--extension llx");
    }
}

/// What is placed or measured among the inputs needs dense ones.
void require_sparse_use(const Embed& embed, const FitPlan& plan) {
    if (!embed.fit.report.file.empty()) {
        throw UsageError("--report compares coordinates with dense inputs, and " + embed.inputs.front() +
                         " is a sparse matrix: isogon convert makes it dense");
    }
    if (!embed.fit.model.empty() && plan.method.accepts_precomputed) {
        throw UsageError("--model: new rows are placed among dense inputs, and " + embed.inputs.front() +
                         " is a sparse matrix: pca and svd have models of such, or isogon convert makes it dense");
    }
}

TablesToExtend kept_tables(const Embed& embed) {
    return {embed.inputs, embed.reading, embed.method};
}

void require_kept_columns(const Embed& embed, const FitPlan& plan) {
    if (embed.keep_columns && plan.on_landmarks()) {
        throw UsageError("--keep-columns and --landmarks: leave one of the two out");
    }
    if (embed.keep_columns) {
        require_extendable(kept_tables(embed), embed.output);
    }
}

/// All or nothing.
void write_coordinates(const Embed& embed, const Input& input, const PointsView& coordinates, const WriteOptions& how) {
    if (!embed.keep_columns) {
        return write_points(embed.output, coordinates, {input.labels, input.words, input.label_names}, how);
    }
    const auto table = extended_table(kept_tables(embed), embed.output, how);
    table->write(coordinates);
    table->commit();
}

/// Numbers of the inputs are compared as they are read.
void require_same_inputs(const Embed& embed, const FitFlags& own, const RankGroup& ranks) {
    if (ranks.is_shared()) {
        require_same_files(ranks, embed.inputs);
        require_same_bytes(ranks, {own.resume, own.start, own.targets, embed.neighbor_graph});
    }
}

/// Points are numbered as in the files.
Embedding fit(const Embed& embed, const FitPlan& plan, const DistributedPoints& points, FitFiles& files,
              Session& session) {
    Embedding result = files.fit(points);
    if (plan.on_landmarks()) {
        result.options.merge(landmark_option_table().values(plan.landmarks));
    }
    session.end_progress();
    if (result.kept) {
        const RowPicker picker = row_picker(embed.reading);
        for (Index& row : result.kept->rows) {
            row = static_cast<Index>(picker.from + row * picker.every);
        }
    }
    return result;
}

Outcome run(const Embed& embed, Session& session) {
    const FitPlan plan = plan_of(embed);
    require_flags(embed, plan);
    require_shareable(plan, session);
    require_kept_columns(embed, plan);
    if (plan.on_landmarks() && !plan.method.fits_on_landmarks) {
        return embed_landmarks(embed, plan, session);
    }
    require_use_of_neighbors(embed, plan);
    const FitFlags own = own_files(embed.fit, session);
    require_same_inputs(embed, own, session.ranks());
    FitFiles files(own, embed, plan, session);
    const SpectralRanks* graph_ranks = ranks_of_graph(plan.method, session);
    files.set_graph_ranks(graph_ranks);
    const RankGroup group = graph_ranks != nullptr ? graph_ranks->group() : session.ranks();

    FitInput read(embed.inputs, embed.reading, plan.method, session);
    const DistributedPoints& points = read.points();
    const Input& input = read.input();
    if (read.sparse() != nullptr) {
        require_sparse_use(embed, plan);
        files.take_sparse(*read.sparse());
    }
    if (!embed.keep_columns) {
        require_words(embed.output, !input.words.empty());
    }
    ReportFile report(own.report, embed.inputs, embed.reading, input, read.dimension());
    report.take_columns(embed.reading, input, session);
    // Only these need all inputs; ranks agree on it, as they have the same command.
    const bool needs_all_inputs = !(embed.fit.model.empty() && embed.fit.report.file.empty());
    if (needs_all_inputs) {
        read.reserve_for_all(session);
    }
    files.take_points(points, input);

    const CommunicatorTraffic before = group.traffic();
    const Embedding result = fit(embed, plan, points, files, session);
    const Json ranks = group.is_shared() ? ranks_json(group, before) : Json(nullptr);

    Outcome outcome;
    std::string model;
    const FitReport told{.points = result.coordinates.count(),
                         .dimension = result.coordinates.dimension(),
                         .input_points = points.count(),
                         .input_dimension = read.dimension(),
                         .options = result.options,
                         .kept = result.kept ? &*result.kept : nullptr};
    const bool usable = result.summary.usable() && !result.coordinates.empty();
    const PointsView inputs = usable && needs_all_inputs ? read.gather_all(session) : input.points;
    if (session.is_root() && usable) {
        write_output(session,
                     [&](const WriteOptions& how) { write_coordinates(embed, input, result.coordinates.view(), how); });
        outcome.written = embed.output;
        write_record(embed.output, result_json(embed.output, embed, told, result.summary, session), session);
        model = files.write_model(inputs, result);
        outcome.text = result_text(embed, told, result.summary, session);
    }

    set_end(outcome, result.summary, !result.coordinates.empty());
    outcome.json = result_json(outcome.written, embed, told, result.summary, session);
    if (!ranks.is_null()) {
        outcome.json["ranks"] = ranks;
    }
    outcome.json["model"] = json_or_null(model);
    report.write_after_fit(inputs, result.coordinates.view(), {embed.method, result.options, result.summary}, session,
                           outcome);
    return outcome;
}

}  // namespace

Command add_embed(CLI::App& app) {
    const auto embed = std::make_shared<Embed>();
    app.add_option("INPUT", embed->inputs, "Files of points; several are stacked in their order")->required();
    add_value(app, "-o,--output FILE", embed->output, "Where the coordinates go; the name tells the format")
        ->required();
    add_value(app, "--method NAME", embed->method,
              "How to embed; --help after it has its options, isogon methods all methods (default faithful)")
        ->each([embed](const std::string& name) { embed->options.show_options_of(name); });
    embed->options.add(app, "method", owners_of(methods()));
    embed->options.show_options_of(embed->method);
    embed->landmarks.add(app, "verb", {{"embed", landmark_option_table().specs()}});
    add_value(app, "--neighbor-graph FILE", embed->neighbor_graph,
              "For methods that start from neighbours, and --extension llx: those of all points, nearest first, as "
              "isogon neighbors writes them");
    add_input_flags(app, embed->reading);
    add_keep_columns(app, embed->keep_columns);
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
