#include "embed/fit_files.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "codes/vector_codes.hpp"
#include "distributed/rank_group.hpp"
#include "files/input_files.hpp"
#include "files/matrix_files.hpp"
#include "files/output_files.hpp"
#include "graph/affinities.hpp"
#include "io/matrix_file.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/report/report.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "program/ranks.hpp"
#include "report/run_result.hpp"
#include "transform/query_map.hpp"
#include "score/score.hpp"
#include "isogon/registry/registry.hpp"

namespace isogon::cli {

namespace {

constexpr const char* query_map_only = "query-map";

Store store_of(const FitFlags& flags) {
    const std::string text = parse_choice("--store", flags.store, {"map", "all", query_map_only});
    if (text == query_map_only && flags.map.empty()) {
        throw UsageError("--store query-map: keeps the map for queries alone, which --map relu makes; add it");
    }
    return text == "all" ? Store::All : Store::Map;
}

QueryMapOptions map_options(const FitFlags& flags) {
    QueryMapOptions options;
    options.prototypes = flags.prototypes.value_or(options.prototypes);
    query_map_option_table().validate(options);
    return options;
}

CodesOptions codes_options(const FitFlags& flags) {
    if (*flags.codes < 1) {
        throw InvalidArgument("--codes", std::to_string(*flags.codes), "must be at least 1, the bytes of a point");
    }
    return {.bytes = flags.codes};
}

/// Codes have at most one byte for each number of a point. What the method chooses itself is known after the fit alone.
void require_codes(const FitFlags& flags, const OptionValues& options) {
    if (!flags.codes) {
        return;
    }
    static_cast<void>(codes_options(flags));
    if (flags.store == query_map_only) {
        throw UsageError(
            "--codes goes without --store query-map, which keeps nothing but the map: leave one of them out");
    }
    const auto dimension = options.find("dimension");
    const auto* given = dimension == options.end() ? nullptr : std::get_if<std::int64_t>(&dimension->second);
    const std::int64_t numbers = given == nullptr ? *flags.codes : *given;
    if (*flags.codes > numbers) {
        throw InvalidArgument("--codes", std::to_string(*flags.codes),
                              "must be at most " + std::to_string(numbers) + ", one byte for each number of a point");
    }
}

/// The numbers that a fit may give each point; where they are found by the fit, those of the inputs.
std::uint64_t most_numbers(const FitPlan& plan, Index input_dimension) {
    const OptionValue value = option_of(plan.method.options, plan.options, "dimension");
    const auto* number = std::get_if<std::int64_t>(&value);
    return number == nullptr ? input_dimension : static_cast<std::uint64_t>(*number);
}

void require_map(const FitFlags& flags, const std::string& method) {
    if (!flags.map.empty()) {
        static_cast<void>(parse_choice("--map", flags.map, {"relu"}));
        static_cast<void>(map_options(flags));
        if (!has_query_maps(method)) {
            throw InvalidArgument("--map", flags.map,
                                  "is for fits of tsm, and " + method + " has no map for queries; leave it out");
        }
    }
}

bool is_one_file(const std::string& a, const std::string& b) {
    std::error_code ignored;
    return !a.empty() && !b.empty() && std::filesystem::equivalent(a, b, ignored);
}

/// Throws UsageError, naming the methods that support the flags, unless this one does.
void require_ability(const Method& method, bool Method::*ability, const std::string& flags) {
    if (method.*ability) {
        return;
    }
    std::string names;
    for (const Method& other : methods()) {
        if (other.*ability) {
            names += (names.empty() ? "" : ", ") + other.name;
        }
    }
    throw UsageError("method " + method.name + " has no " + flags + "; these have: " + names);
}

/// Whether a measure describes the nearest neighbours that are kept.
bool is_of_kept(const std::string& name) {
    return name.starts_with("kept_") || name == "all_kept" || name == "certified_points";
}

/// The first few: svd has a singular value for each dimension. What was kept comes before how.
std::string numbers_text(const Summary& summary) {
    constexpr std::size_t most = 12;
    auto numbers = summary.counts;
    numbers.insert(numbers.end(), summary.measures.begin(), summary.measures.end());
    std::stable_partition(numbers.begin(), numbers.end(), [](const auto& number) { return is_of_kept(number.first); });
    const std::size_t more = numbers.size() - std::min(most, numbers.size());
    numbers.resize(numbers.size() - more);
    return number_lines(numbers) + (more == 0 ? "" : fmt::format("  and {} more in --json\n", more));
}

}  // namespace

void add_fit_flags(CLI::App& app, FitFlags& flags) {
    CLI::Option* report = add_value(app, "--report FILE", flags.report.file,
                                    "Write a page that shows the result and how far to believe it (.html)")
                              ->group("Report");
    add_report_flags(app, flags.report, report);
    const FlagGroup group(app, "Models and checkpoints");
    CLI::Option* model = add_value(app, "--model FILE", flags.model,
                                   "Keep what isogon transform needs to place new points (.safetensors)");
    add_value(app, "--store map|all|query-map", flags.store,
              "What the model keeps: map, what transform needs; all, also inputs, coordinates and trace; query-map, "
              "nothing but the map for queries of --map")
        ->needs(model);
    CLI::Option* map = add_value(app, "--map relu", flags.map,
                                 "Of tsm: the model also gets a map for queries in microseconds, which isogon "
                                 "transform --by map uses; relu: linear pieces mixed by ReLU features")
                           ->needs(model);
    add_value(app, "--prototypes N", flags.prototypes, "Linear pieces of that map (default 256); 1: a linear map")
        ->needs(map);
    add_value(app, "--queries-like FILE", flags.queries_like,
              "Rows such as will be asked, where they are unlike the fitted ones: the map learns from them too, "
              "once they are placed as isogon transform places them")
        ->needs(map);
    add_value(app, "--codes BYTES", flags.codes,
              "The model also gets product codes of the coordinates, of so many bytes a point, and their codewords, "
              "which isogon transform --codes uses")
        ->needs(model);
    CLI::Option* checkpoint =
        add_value(app, "--checkpoint FILE", flags.checkpoint,
                  "Keep, every so often, what --resume needs to go on after a crash (.safetensors)");
    add_value(app, "--checkpoint-every TIME", flags.checkpoint_every,
              "Least time between two checkpoints; 0: as often as the method can (default 60s)")
        ->needs(checkpoint);
    add_value(app, "--resume FILE", flags.resume,
              "Go on from a checkpoint of the same input and options, to the same bits");
    add_value(app, "--start-from FILE", flags.start, "Coordinates to start from, one row for each input row");
    app.add_flag("--supervised", flags.supervised,
                 "Of umap: labels (--labels, or the input's own) draw points of one label together; below 0, NaN, "
                 "NA or nothing: unknown");
    const FlagGroup graphs(app, "Neighbours and affinities");
    add_value(app, "--affinity-graph FILE", flags.affinities,
              "For tsne and umap: weights of edges, symmetric (.mtx, .npz); no neighbours are then looked for");
    add_value(app, "--save-neighbors FILE", flags.save_neighbors,
              "Of tsne and umap: keep the neighbours, for --neighbor-graph (.safetensors)");
    add_value(app, "--save-affinities FILE", flags.save_affinities,
              "Of tsne and umap: keep the weights of edges, for --affinity-graph (.mtx, .mtx.gz, .npz)");
}

FitFiles::FitFiles(const FitFlags& flags, const Embed& embed, const FitPlan& plan, Session& session)
    : flags_(flags), embed_(embed), plan_(plan), session_(session) {
    const Method& method = plan.method;
    static_cast<void>(store_of(flags));
    extras_.checkpoint_seconds = parse_seconds("--checkpoint-every", flags.checkpoint_every, true);
    if (!flags.checkpoint.empty() || !flags.resume.empty()) {
        require_ability(method, &Method::resumes, "--checkpoint and --resume");
    }
    if (!flags.start.empty()) {
        require_ability(method, &Method::accepts_init, "--start-from");
        if (plan.options.contains("start")) {
            throw UsageError("--start goes without --start-from " + flags.start + ", which is the start");
        }
    }
    require_graph_flags();
    require_label_flags();
    // A checkpoint may replace the one that the run resumes from.
    const std::string output = session.is_root() ? embed.output : "";
    const bool own = is_one_file(flags.checkpoint, flags.resume);
    require_outputs({output, record_path(output), flags.model, own ? "" : flags.checkpoint, flags.report.file,
                     flags.save_neighbors, flags.save_affinities},
                    all_of({embed.inputs,
                            {embed.neighbor_graph, flags.resume, flags.start, flags.affinities, flags.queries_like},
                            flags.report.labels,
                            flags.report.words}),
                    session);
    register_graph_outputs();
    if (!flags.model.empty()) {
        require_transform(plan.options);
        require_map(flags, method.name);
        require_codes(flags, plan.options);
        require_archive_output(flags.model, session);
        if (!flags.queries_like.empty()) {
            queries_ = read_input({flags.queries_like}, {}, Finite::Required, session);
        }
    }
    if (!flags.checkpoint.empty()) {
        require_archive_output(flags.checkpoint, session, own);
        if (own) {
            session.expect_output(flags.checkpoint);
        }
        extras_.checkpoint = [this](const Archive& archive) { write_checkpoint(archive); };
    }
    if (!flags.resume.empty()) {
        resume_ = read_archive_within(flags.resume, session);
        extras_.resume = &*resume_;
    }
    if (!flags.start.empty()) {
        start_ = read_input({flags.start}, {}, Finite::Required, session);
        extras_.start = start_.points;
    }
}

void FitFiles::require_label_flags() const {
    if (flags_.supervised) {
        require_ability(plan_.method, &Method::uses_labels, "--supervised");
        if (!flags_.affinities.empty()) {
            throw UsageError("--supervised: labels weaken edges of neighbours, and --affinity-graph gives others");
        }
    } else if (!flags_.report.labels.empty() && flags_.report.file.empty()) {
        throw UsageError("--labels goes with --report, which shows them, or --supervised, which fits by them");
    }
}

void FitFiles::take_labels(const InputFacts& facts) {
    if (!flags_.supervised) {
        return;
    }
    labels_ = read_picked_labels(flags_.report.labels, embed_.reading, facts).values;
    if (labels_.empty()) {
        throw UsageError("--supervised: the input has no labels; name their files with --labels");
    }
    extras_.labels = labels_;
}

void FitFiles::require_graph_flags() const {
    if (!flags_.affinities.empty() || !flags_.save_neighbors.empty() || !flags_.save_affinities.empty()) {
        require_ability(plan_.method, &Method::uses_affinities,
                        "--affinity-graph, --save-neighbors and --save-affinities");
    }
    if (!flags_.affinities.empty() && !flags_.save_neighbors.empty()) {
        throw UsageError("--save-neighbors: with --affinity-graph no neighbours are looked for");
    }
    if (!flags_.affinities.empty() && !flags_.model.empty()) {
        throw UsageError("--model: new rows would be weighed otherwise than --affinity-graph weighs those of the fit");
    }
}

/// Graphs are written as soon as the fit has them.
void FitFiles::register_graph_outputs() {
    if (!flags_.save_neighbors.empty()) {
        require_archive_output(flags_.save_neighbors, session_);
        const std::string metric = metric_of(plan_.method, plan_.options);
        const Metric used = metric == name(Metric::Precomputed) ? Metric::Precomputed : find_metric(metric);
        extras_.keep_neighbors = [this, used](const NeighborLists& lists) {
            write_output(session_, [&](const WriteOptions& write) {
                write_archive(flags_.save_neighbors, make_neighbor_graph(lists, used), write);
            });
        };
    }
    if (!flags_.save_affinities.empty()) {
        require_output([&] { require_writable_matrix(flags_.save_affinities, write_options(session_)); });
        extras_.keep_affinities = [this](const CsrMatrix<double>& weights) {
            write_output(session_,
                         [&](const WriteOptions& write) { write_matrix(flags_.save_affinities, weights, write); });
        };
    }
}

void FitFiles::read_affinities(Index points) {
    if (!flags_.affinities.empty()) {
        affinities_ = without_diagonal(read_matrix_within({.file = flags_.affinities, .format = {}}, session_));
        require_affinities(affinities_, points, flags_.affinities);
        extras_.affinities = &affinities_;
    }
}

/// Replaces the previous checkpoint.
void FitFiles::write_checkpoint(const Archive& archive) {
    const auto held = session_.while_writing();
    try {
        write_archive(flags_.checkpoint, archive, {.format = {}, .overwrite = true});
    } catch (const OutputError& error) {
        // A full disk must not end the run that the checkpoint is to save.
        session_.warn(std::string(error.what()) + "; the run goes on, the checkpoint before stays");
    }
}

void FitFiles::take_columns(const ColumnNames& columns) {
    columns_ = columns;
    if (!columns.empty() && !queries_.columns.empty() && columns.names != queries_.columns.names) {
        queries_ = read_input({flags_.queries_like}, with_columns({}, columns), Finite::Required, session_);
    }
}

void FitFiles::take_points(const DistributedPoints& x, const InputFacts& facts) {
    take_columns(facts.columns);
    reserve_for_model(x);
    read_neighbors(x.count());
    read_affinities(x.count());
    take_labels(facts);
}

void FitFiles::reserve_for_model(const DistributedPoints& x) {
    if (!queries_.points.empty()) {
        require_dimension(flags_.queries_like, queries_.points.dimension, x.dimension(), "the points to fit");
    }
    if (!flags_.model.empty()) {
        const std::uint64_t numbers = std::uint64_t{x.dimension()} + most_numbers(plan_, x.dimension());
        session_.reserve("the model, a copy of inputs and coordinates", x.count() * numbers * sizeof(float),
                         "raise --memory-limit, fit fewer points, or leave --model out");
    }
}

/// If the graph is distributed, only the lists of the own points are kept.
void FitFiles::read_neighbors(Index points) {
    if (embed_.neighbor_graph.empty()) {
        return;
    }
    lists_ = read_neighbor_graph(embed_.neighbor_graph, points, metric_of(plan_.method, plan_.options));
    if (extras_.ranks != nullptr) {
        lists_ = rows_of(lists_, extras_.ranks->group().own_part(lists_.count()));
    }
    extras_.neighbors = &lists_;
}

Embedding FitFiles::fit(const DistributedPoints& points) {
    return plan_.method.embed(points, plan_.options, session_.context(), extras_,
                              plan_.on_landmarks() ? &plan_.landmarks : nullptr);
}

std::string FitFiles::write_model(const PointsView& x, const Embedding& fitted) {
    if (!flags_.model.empty()) {
        Archive model = make_model(plan_.method.name, x, fitted, store_of(flags_));
        add_column_names(model, columns_.names);
        add_placement_indexes(model, session_.context());
        if (!flags_.map.empty()) {
            add_map(model);
        }
        if (flags_.codes) {
            add_codes_of(fitted, model);
        }
        write_output(session_, [&](const WriteOptions& how) { write_archive(flags_.model, model, how); });
    }
    return flags_.model;
}

/// Codes the coordinates by the metric that the fit keeps. A run that was ended keeps its model.
void FitFiles::add_codes_of(const Embedding& fitted, Archive& model) {
    ScoreOptions metrics;
    use_options_of({.method = model.method, .options = model.options}, metrics);
    CodesOptions options = codes_options(flags_);
    options.metric = metrics.output_metric == OutputMetric::InnerProduct ? Metric::InnerProduct
                     : metrics.output_metric == OutputMetric::Cosine     ? Metric::Cosine
                                                                         : Metric::Euclidean;
    const auto numbers = static_cast<int>(fitted.coordinates.dimension());
    if (numbers < *flags_.codes) {
        options.bytes = numbers;
        session_.warn(fmt::format("--codes {}: the fit has {} numbers for each point, so its codes have {} {}",
                                  *flags_.codes, numbers, numbers, numbers == 1 ? "byte" : "bytes"));
    }
    try {
        add_codes(VectorCodes(fitted.coordinates.view(), options, session_.context()), model);
    } catch (const Interruption&) {
        session_.warn("the run was ended before there were codes: the model has none for transform --codes");
    } catch (const LimitExceeded& limit) {
        session_.warn(fmt::format("the model has no codes for transform --codes: {}", limit.what()));
    }
}

/// A run that was ended keeps its model, and so does one whose memory does not suffice for a map.
void FitFiles::add_map(Archive& model) {
    try {
        Archive map = make_query_map(model, map_options(flags_), session_.context(), queries_.points);
        if (flags_.store == query_map_only) {
            model = std::move(map);
        } else {
            add_query_map(model, map);
        }
    } catch (const Interruption&) {
        session_.warn("the run was ended before there was a map: the model has none for transform --by map");
    } catch (const LimitExceeded& limit) {
        session_.warn(fmt::format("the model has no map for transform --by map: {}", limit.what()));
    }
}

std::string result_text(const Embed& embed, const FitReport& report, const Summary& summary, const Session& session) {
    std::string text = fmt::format("{}: {} points of {} numbers, from {}, by {}\n", embed.output, report.points,
                                   report.dimension, report.input_dimension, embed.method);
    text += fmt::format("{}: {}\n", name(summary.termination), summary.message);
    text += fmt::format("{}{}, {} threads, seed {}, peak memory {}\n", human_seconds(session.seconds()),
                        phases_text(summary), summary.threads, summary.seed, human_bytes(peak_memory_bytes()));
    return text + numbers_text(summary) + (report.kept ? worst_points_text(*report.kept) : "");
}

Json result_json(const std::string& output, const Embed& embed, const FitReport& report, const Summary& summary,
                 const Session& session) {
    Json json{{"verb", "embed"},
              {"version", ISOGON_VERSION},
              {"method", embed.method},
              {"options", to_json(report.options)},
              {"input", input_json(embed.inputs, embed.reading, report.input_points, report.input_dimension)},
              {"output", json_or_null(output)},
              {"shape", {{"points", report.points}, {"dimension", report.dimension}}}};
    add_summary(json, summary);
    if (report.kept) {
        json["worst_points"] = worst_points_json(*report.kept);
    }
    add_costs(json, session);
    return json;
}

}  // namespace isogon::cli
