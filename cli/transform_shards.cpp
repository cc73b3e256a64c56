#include "transform_shards.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "failure.hpp"
#include "input_need.hpp"
#include "quantity.hpp"
#include "shard_survey.hpp"

namespace isogon::cli {

namespace {

namespace fs = std::filesystem;

Json shard_json(const Shard& shard) {
    return {{"number", shard.number}, {"count", shard.count}};
}

std::size_t count_finished(const std::vector<ShardTask>& tasks) {
    return static_cast<std::size_t>(
        std::count_if(tasks.begin(), tasks.end(), [](const ShardTask& task) { return task.finished(); }));
}

std::uint64_t points_made(const std::vector<ShardTask>& tasks) {
    return std::accumulate(tasks.begin(), tasks.end(), std::uint64_t{0}, [](std::uint64_t sum, const ShardTask& task) {
        return sum + (task.made ? task.points : 0);
    });
}

Json files_json(const std::vector<ShardTask>& tasks) {
    Json list = Json::array();
    for (const ShardTask& task : tasks) {
        Json file{{"input", task.file.input},
                  {"output", task.file.output.string()},
                  {"points", task.points},
                  {"state", name(task.state)},
                  {"made", task.made}};
        if (!task.trouble.empty()) {
            file["trouble"] = task.trouble;
        }
        list.push_back(file);
    }
    return list;
}

Json result_json(const ShardJob& job, const Transformer& transformer, const Survey& survey, const Summary& summary,
                 const Session& session) {
    Json json{{"verb", "transform"},
              {"version", ISOGON_VERSION},
              {"model", job.model},
              {"method", transformer.model().method},
              {"by", job.way.at("by")},
              {"shard", shard_json(survey.shard)},
              {"check", job.flags.check},
              {"output", job.folder},
              {"finished", count_finished(survey.tasks)},
              {"files", files_json(survey.tasks)},
              {"shape", {{"points", points_made(survey.tasks)}, {"dimension", transformer.output_dimension()}}}};
    add_summary(json, summary);
    json["seconds"] = session.seconds();
    json["peak_memory_bytes"] = peak_memory_bytes();
    return json;
}

std::string part_text(const Survey& survey) {
    return survey.shard.count == 1 ? std::string()
                                   : fmt::format(" of shard {}/{}", survey.shard.number, survey.shard.count);
}

/// What --check says: nothing is written.
Outcome tell_states(const ShardJob& job, const Transformer& transformer, const Survey& survey, Session& session) {
    Outcome outcome;
    const std::size_t finished = count_finished(survey.tasks);
    outcome.text = fmt::format("{}: {} of {} files{} are finished\n", job.folder, finished, survey.tasks.size(),
                               part_text(survey));
    for (const ShardTask& task : survey.tasks) {
        if (!task.finished()) {
            outcome.text += fmt::format("  {:<14} {}\n", name(task.state), task.file.output.string());
        }
    }
    outcome.json = result_json(job, transformer, survey, {}, session);
    if (finished < survey.tasks.size()) {
        outcome.code = ExitCode::Unusable;
        outcome.failure =
            fmt::format("{} of {} files are not finished", survey.tasks.size() - finished, survey.tasks.size());
    }
    return outcome;
}

void tell_redone(const Survey& survey, const ShardFolder& folder, Session& session) {
    for (const ShardTask& task : survey.tasks) {
        const std::string why = is_refused(task.state) ? "" : describe(task.state, task.file);
        if (!why.empty()) {
            session.log(why);
        }
    }
    if (const std::size_t more = folder.new_files(); more > 0) {
        session.log(
            fmt::format("{} files have come since the folder was begun; shards that run already do not know of "
                        "them: see to all at the end with --check",
                        more));
    }
}

Outcome work(const ShardJob& job, const Transformer& transformer, Survey& survey, ShardFolder& folder,
             Session& session) {
    tell_redone(survey, folder, session);
    folder.begin(session.overwrite());
    if (const std::size_t left = folder.clear(); left > 0) {
        session.log(fmt::format("{} temporary files of runs that were killed are removed", left));
    }
    const ShardEnd end = transform_shard(survey.tasks, transformer, folder, job.reading, session);
    const std::size_t finished = count_finished(survey.tasks);
    Outcome outcome;
    outcome.code = end.code;
    outcome.json = result_json(job, transformer, survey, end.summary, session);
    const std::string reach =
        fmt::format("{} of {} files{} are finished", finished, survey.tasks.size(), part_text(survey));
    if (end.code != ExitCode::Ok) {
        outcome.failure = fmt::format("{}; {} and kept; the same command goes on with the rest", end.why, reach);
        return outcome;
    }
    const std::uint64_t made = points_made(survey.tasks);
    outcome.text = fmt::format(
        "{}: {}; {} points of {} numbers made now, from {}, by {} ({})\n{}, {} threads, peak "
        "memory {}\n",
        job.folder, reach, made, transformer.output_dimension(), transformer.input_dimension(), job.model,
        transformer.model().method, human_seconds(session.seconds()), end.summary.threads,
        human_bytes(peak_memory_bytes()));
    return outcome;
}

}  // namespace

void add_shard_flags(CLI::App& app, ShardFlags& flags) {
    const std::string group = "A folder for output";
    app.add_option("--shard", flags.shard,
                   "Take part I of N of the input files, in the order of their names: 3/16; default: all of them")
        ->type_name("I/N")
        ->group(group);
    app.add_option("--output-format", flags.output_format, "Ending of the outputs, which tells their format (npy)")
        ->type_name("ENDING")
        ->group(group);
    app.add_flag("--check", flags.check, "Say which outputs are finished, and write nothing; exit code 0 if all are")
        ->group(group);
    app.add_flag("--allow-gaps", flags.allow_gaps,
                 "Inputs may be missing: numbers left out, files gone since the start")
        ->group(group);
}

bool wants_folder(const std::string& output, const ShardFlags& flags) {
    std::error_code ignored;
    const bool folder = output.ends_with('/') || fs::is_directory(output, ignored);
    const ShardFlags none;
    if (!folder &&
        (!flags.shard.empty() || flags.check || flags.allow_gaps || flags.output_format != none.output_format)) {
        throw UsageError(output +
                         ": --shard, --check, --allow-gaps and --output-format are for an output of its own for each "
                         "input; end it in / to make it a folder");
    }
    return folder;
}

Outcome transform_shards(const ShardJob& job, const Transformer& transformer, Session& session) {
    const RowPicker picker = row_picker(job.reading);
    if (picker.every != 1 || picker.from != 0) {
        throw UsageError(
            "--every and --from pick rows of all inputs together; with a folder for output leave them out");
    }
    Survey survey = survey_inputs(job, transformer);
    std::vector<std::string> all;
    for (const ShardFile& file : survey.all) {
        all.push_back(file.input);
    }
    if (!all.empty() && survey.good()) {
        require_table(all, job.reading);
    }
    ShardFolder folder(job.folder, plan_of(job, survey, session.context()));
    survey_outputs(job, folder, survey, session);
    if (!survey.good()) {
        return refuse(survey);
    }
    if (job.flags.check) {
        return tell_states(job, transformer, survey, session);
    }
    std::vector<std::string> paths;
    for (const ShardTask& task : survey.tasks) {
        paths.push_back(task.file.input);
    }
    reserve_for_largest(paths, job.reading, session);
    return work(job, transformer, survey, folder, session);
}

}  // namespace isogon::cli
