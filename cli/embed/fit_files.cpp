#include "embed/fit_files.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "isogon/distributed/rank_group.hpp"
#include "isogon/io/archive_file.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/report/report.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "program/ranks.hpp"
#include "report/run_result.hpp"

namespace isogon::cli {

namespace {

void require_map(const FitFlags& flags, const std::string& method) {
    if (!flags.map.empty()) {
        static_cast<void>(parse_choice("--map", flags.map, {"relu"}));
        if (!has_query_maps(method)) {
            throw InvalidArgument("--map", flags.map,
                                  "is for fits of tsm, and " + method + " has no map for queries; leave it out");
        }
    }
}

bool same_file(const std::string& a, const std::string& b) {
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

void require_archive_name(const std::string& path, const WriteOptions& how) {
    require_output([&] { require_writable_archive(path, how); });
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
    std::string text;
    for (std::size_t i = 0; i < std::min(most, numbers.size()); ++i) {
        text += fmt::format("  {:<28} {:.6g}\n", numbers[i].first, numbers[i].second);
    }
    return numbers.size() <= most ? text : text + fmt::format("  and {} more in --json\n", numbers.size() - most);
}

}  // namespace

void add_fit_flags(CLI::App& app, FitFlags& flags) {
    app.add_option(
           "--report", flags.report.file,
           "Write a page that shows the result and how far to believe it (.html); isogon report says more of it")
        ->type_name("FILE")
        ->group("Report");
    add_labels_flag(app, flags.report);
    const std::string group = "Models and checkpoints";
    CLI::Option* model =
        app.add_option("--model", flags.model, "Keep what isogon transform needs to place new points (.safetensors)")
            ->type_name("FILE")
            ->group(group);
    app.add_option("--map", flags.map,
                   "Of tsm: the model also gets a map for queries in microseconds, which isogon transform --by map "
                   "uses; relu: linear pieces mixed by ReLU features")
        ->needs(model)
        ->type_name("relu")
        ->group(group);
    CLI::Option* checkpoint =
        app.add_option("--checkpoint", flags.checkpoint,
                       "Keep, every so often, what --resume needs to go on after a crash (.safetensors)")
            ->type_name("FILE")
            ->group(group);
    app.add_option("--checkpoint-every", flags.checkpoint_every,
                   "Least time between two checkpoints; 0: as often as the method can (default 60s)")
        ->needs(checkpoint)
        ->type_name("TIME")
        ->group(group);
    app.add_option("--resume", flags.resume, "Go on from a checkpoint of the same input and options, to the same bits")
        ->type_name("FILE")
        ->group(group);
    app.add_option("--start-from", flags.start, "Coordinates to start from, one row for each input row")
        ->type_name("FILE")
        ->group(group);
}

FitFiles::FitFiles(const FitFlags& flags, const Method& method, const OptionValues& options,
                   const std::vector<std::string>& inputs, const std::string& output, Session& session)
    : flags_(flags), session_(session), by_labels_(options.contains("target-weight")) {
    extras_.checkpoint_seconds = parse_seconds("--checkpoint-every", flags.checkpoint_every, true);
    if (!flags.checkpoint.empty() || !flags.resume.empty()) {
        require_ability(method, &Method::resumes, "--checkpoint and --resume");
    }
    if (!flags.start.empty()) {
        require_ability(method, &Method::accepts_init, "--start-from");
        if (options.contains("start")) {
            throw UsageError("--start goes without --start-from " + flags.start + ", which is the start");
        }
    }
    require_label_flags();
    // A checkpoint may replace the one that the run resumes from.
    const bool own = same_file(flags.checkpoint, flags.resume);
    require_outputs({output, record_path(output), flags.model, own ? "" : flags.checkpoint, flags.report.file},
                    all_of({inputs, {flags.resume, flags.start}, flags.report.labels}), session);
    if (!flags.model.empty()) {
        require_transform(options);
        require_map(flags, method.name);
        require_archive_name(flags.model, {.format = {}, .overwrite = session.overwrite()});
    }
    if (!flags.checkpoint.empty()) {
        require_archive_name(flags.checkpoint, {.format = {}, .overwrite = own || session.overwrite()});
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
    if (!by_labels_ && !flags_.report.labels.empty() && flags_.report.file.empty()) {
        throw UsageError("--labels goes with --report, which shows them, or --target-weight, which fits by them");
    }
}

void FitFiles::take_labels(const InputFlags& reading, const Input& input) {
    if (!by_labels_) {
        return;
    }
    const auto& files = flags_.report.labels;
    labels_ = files.empty() ? input.labels : read_picked_labels(files, reading, input.rows_in_files).values;
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

void FitFiles::reserve_for_model(const DistributedPoints& x, std::int64_t dimension) {
    if (!flags_.model.empty()) {
        const std::uint64_t numbers = std::uint64_t{x.dimension()} + static_cast<std::uint64_t>(dimension);
        session_.reserve("the model, a copy of inputs and coordinates", x.count() * numbers * sizeof(float),
                         "raise --memory-limit, fit fewer points, or leave --model out");
    }
}

void FitFiles::start_from_neighbors(NeighborLists lists) {
    lists_ = std::move(lists);
    if (extras_.ranks != nullptr) {
        lists_ = rows_of(lists_, extras_.ranks->group().own_part(lists_.count()));
    }
    extras_.neighbors = &lists_;
}

Embedding FitFiles::embed(const Method& method, const DistributedPoints& points, const OptionValues& options,
                          const LandmarkOptions& landmarks) {
    if (points.is_distributed()) {
        return method.embed_distributed(points, options, session_.context(), extras_);
    }
    const PointsView& x = points.local();
    if (landmarks.landmarks != 0) {
        return method.embed_on_landmarks(x, options, landmarks, session_.context(), extras_);
    }
    return method.embed_with ? method.embed_with(x, options, session_.context(), extras_)
                             : method.embed(x, options, session_.context());
}

std::string FitFiles::write_model(const Method& method, const PointsView& x, const Embedding& fitted) {
    if (!flags_.model.empty()) {
        Archive model = make_model(method.name, x, fitted, Store::Map);
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

std::string result_text(const FitReport& report, const Summary& summary, const Session& session) {
    std::string text = fmt::format("{}: {} points of {} numbers, from {}, by {}\n", report.output, report.points,
                                   report.dimension, report.input_dimension, report.method);
    text += fmt::format("{}: {}\n", name(summary.termination), summary.message);
    text += fmt::format("{}{}, {} threads, seed {}, peak memory {}\n", human_seconds(session.seconds()),
                        phases_text(summary), summary.threads, summary.seed, human_bytes(peak_memory_bytes()));
    text += numbers_text(summary);
    return text;
}

}  // namespace isogon::cli
