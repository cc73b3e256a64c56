#include "embed/fit_files.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "distributed/rank_group.hpp"
#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/registry/registry.hpp"
#include "isogon/report/report.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "program/ranks.hpp"
#include "report/run_result.hpp"
#include "score/score.hpp"
#include "transform/query_map.hpp"

namespace isogon::cli {

namespace {

/// The numbers that a fit may give each point; where they are found by the fit, those of the inputs.
std::uint64_t most_numbers(const FitPlan& plan, Index input_dimension) {
    const OptionValue value = option_of(plan.method.options, plan.options, "dimension");
    const auto* number = std::get_if<std::int64_t>(&value);
    return number == nullptr ? input_dimension : static_cast<std::uint64_t>(*number);
}

void require_map(const FitFlags& flags, const std::string& method) {
    if (!flags.map.empty()) {
        static_cast<void>(parse_choice("--map", flags.map, {"relu"}));
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
    add_value(app, "--report FILE", flags.report.file,
              "Write a page that shows the result and how far to believe it (.html); isogon report says more of it")
        ->group("Report");
    add_labels_flag(app, flags.report);
    add_columns_flag(app, flags.report);
    const FlagGroup group(app, "Models and checkpoints");
    CLI::Option* model = add_value(app, "--model FILE", flags.model,
                                   "Keep what isogon transform needs to place new points (.safetensors)");
    add_value(app, "--map relu", flags.map,
              "Of tsm: the model also gets a map for queries in microseconds, which isogon transform --by map "
              "uses; relu: linear pieces mixed by ReLU features")
        ->needs(model);
    CLI::Option* checkpoint =
        add_value(app, "--checkpoint FILE", flags.checkpoint,
                  "Keep, every so often, what --resume needs to go on after a crash (.safetensors)");
    add_value(app, "--checkpoint-every TIME", flags.checkpoint_every,
              "Least time between two checkpoints; 0: as often as the method can (default 60s)")
        ->needs(checkpoint);
    add_value(app, "--resume FILE", flags.resume,
              "Go on from a checkpoint of the same input and options, to the same bits");
    add_value(app, "--targets FILE", flags.targets,
              "Of umap: numbers for each input row, one or several, that draw rows with near ones together; NaN where "
              "unknown");
    add_value(
        app, "--start-from FILE", flags.start,
        "Coordinates to start from: a file of them, or a model; rows belong to points by words, by equal inputs of a "
        "model, else in order; umap and tsne start further points among their neighbours, and --hold keeps the others");
}

FitFiles::FitFiles(const FitFlags& flags, const Embed& embed, const FitPlan& plan, Session& session)
    : flags_(flags),
      embed_(embed),
      plan_(plan),
      session_(session),
      by_labels_(plan.options.contains("target-weight") && flags.targets.empty()) {
    const Method& method = plan.method;
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
    if (!flags.targets.empty()) {
        require_ability(method, &Method::uses_labels, "--targets");
        targets_ = read_input({flags.targets}, {}, Finite::Any, session);
        extras_.targets = targets_.points;
    }
    require_label_flags();
    // A checkpoint may replace the one that the run resumes from.
    const std::string output = session.is_root() ? embed.output : "";
    const bool own = is_one_file(flags.checkpoint, flags.resume);
    require_outputs({output, record_path(output), flags.model, own ? "" : flags.checkpoint, flags.report.file},
                    all_of({embed.inputs,
                            {embed.neighbor_graph, flags.resume, flags.start, flags.targets},
                            flags.report.labels,
                            {flags.report.columns}}),
                    session);
    if (!flags.model.empty()) {
        require_transform(plan.options);
        require_map(flags, method.name);
        require_archive_output(flags.model, session);
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
        start_.emplace(flags.start, method, session);
    }
}

void FitFiles::require_label_flags() const {
    if (!by_labels_ && !flags_.report.labels.empty() && flags_.report.file.empty()) {
        throw UsageError("--labels goes with --report, which shows them, or --target-weight, which fits by them");
    }
    if (!flags_.report.columns.empty() && flags_.report.file.empty()) {
        throw UsageError("--columns goes with --report, whose page shows them");
    }
}

void FitFiles::take_labels(const InputFacts& facts) {
    if (!by_labels_) {
        return;
    }
    labels_ = read_picked_labels(flags_.report.labels, embed_.reading, facts).values;
    if (labels_.empty()) {
        throw UsageError("--target-weight: the input has no labels; name their files with --labels");
    }
    extras_.labels = labels_;
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

void FitFiles::take_points(const DistributedPoints& x, const InputFacts& facts) {
    take_columns(facts.columns);
    reserve_for_model(x);
    read_neighbors(x.count());
    take_labels(facts);
    if (start_) {
        extras_.start = start_->rows_for(x, facts);
    }
}

void FitFiles::reserve_for_model(const DistributedPoints& x) {
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
        Archive model = make_model(plan_.method.name, x, fitted);
        add_column_names(model, columns_.names);
        add_placement_indexes(model, session_.context());
        if (!flags_.map.empty()) {
            add_map(model);
        }
        write_output(session_, [&](const WriteOptions& how) { write_archive(flags_.model, model, how); });
    }
    return flags_.model;
}

/// A run that was ended keeps its model, and so does one whose memory does not suffice for a map.
void FitFiles::add_map(Archive& model) {
    try {
        add_query_map(model, make_query_map(model, {}, session_.context()));
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
