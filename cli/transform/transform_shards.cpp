#include "transform/shards.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/methods/model.hpp"
#include "isogon/transform/new_point_map.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "program/session.hpp"

namespace isogon::cli {

namespace {

/// Result of a pass over the files of a shard.
struct ShardResult {
    ExitCode code = ExitCode::Ok;
    std::string reason;  ///< with a code other than Ok
    Summary summary;     ///< seconds and counts of all files together
};

namespace fs = std::filesystem;
using Named = std::vector<std::pair<std::string, double>>;

void add_to(const Named& part, Named& sum) {
    for (const auto& item : part) {
        const auto found = std::find_if(sum.begin(), sum.end(), [&](const auto& s) { return s.first == item.first; });
        if (found == sum.end()) {
            sum.push_back(item);
        } else {
            found->second += item.second;
        }
    }
}

/// Size and time, which detect that a file changes while it is read.
struct Stamp {
    std::uint64_t bytes = 0;
    fs::file_time_type written{};

    [[nodiscard]] bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const std::string& path) {
    std::error_code ignored;
    return {fs::file_size(path, ignored), fs::last_write_time(path, ignored)};
}

class ShardPass {
public:
    ShardPass(std::vector<ShardTask>& tasks, const Transformer& transformer, const ShardFolder& folder,
              const InputFlags& reading, Session& session)
        : tasks_(tasks),
          transformer_(transformer),
          folder_(folder),
          reading_(reading),
          session_(session),
          inner_(session.context()) {
        for (const ShardTask& task : tasks) {
            total_ += task.finished() ? 0 : task.points;
        }
        // Progress counts the points of all files of the shard.
        inner_.on_iteration = [this](const Progress& progress) {
            session_.context().report({"transform", done_ + progress.done, total_, 0.0});
        };
    }

    ShardResult run() {
        // Held during the whole pass: a first Ctrl-C ends it within a second, and a second one must not leave temporary
        // files.
        const auto held = session_.while_writing();
        for (ShardTask& task : tasks_) {
            if (!task.finished() && !advance(task)) {
                break;
            }
        }
        session_.end_progress();
        if (end_.code == ExitCode::Ok && std::any_of(tasks_.begin(), tasks_.end(), has_error)) {
            end_.code = ExitCode::BadInput;
            end_.reason = error_text();
        }
        end_.summary.threads = session_.context().thread_count();
        return std::move(end_);
    }

private:
    static bool has_error(const ShardTask& task) { return !task.error.empty(); }

    /// False if the pass must end.
    bool advance(ShardTask& task) {
        try {
            make(task);
        } catch (const InputError& error) {
            task.error = error.what();
            session_.warn(task.error + "; going on with the other files");
        } catch (const OutputError& error) {
            if (!finished_by_another(task)) {
                return stop(ExitCode::Unusable, error.what());
            }
        } catch (const Interruption& interruption) {
            end_.summary.termination = interruption.reason;
            return stop(exit_code(interruption.reason),
                        interruption.reason == Termination::TimeLimit ? "stopped by --time-limit" : "interrupted");
        }
        done_ += task.points;
        return true;
    }

    bool stop(ExitCode code, const std::string& reason) {
        end_.code = code;
        end_.reason = reason;
        return false;
    }

    /// If two workers make the same file, the second finds it finished when it renames its own.
    bool finished_by_another(ShardTask& task) {
        try {
            task.state = folder_.state(task.file, {});
        } catch (const InputError&) {
            return false;
        }
        return task.finished();
    }

    void make(ShardTask& task) {
        const Stamp before = stamp_of(task.file.input);
        ShardRecord record;
        record.input = timed_identity(task.file.input);
        const InputRows input = open_parts({task.file.input}, reading_);
        const FiniteRows rows(*input.rows);
        const bool replace = task.state != ShardState::Missing;
        OutputRows output(task.file.output.string(), input, transformer_.output_dimension(), replace);
        const Summary summary = transform_rows(transformer_.map(), rows, output, inner_);
        add_to(summary.seconds, end_.summary.seconds);
        add_to(summary.counts, end_.summary.counts);
        if (!summary.usable()) {
            throw InputError(task.file.input, "", summary.message);
        }
        if (summary.termination != Termination::Converged) {
            throw Interruption{summary.termination};
        }
        if (stamp_of(task.file.input) != before) {
            throw InputError(task.file.input, "", "was changed while it was read; its output was not written");
        }
        record.points = rows.count();
        place(task, record, replace, output);
    }

    void place(ShardTask& task, ShardRecord& record, bool replace, OutputRows& output) {
        output.commit([&](const fs::path& whole) {
            record.output = timed_identity(whole);
            folder_.store_record(task.file, record, replace);
        });
        task.state = ShardState::Finished;
        task.made = true;
    }

    FileIdentity timed_identity(const fs::path& path) {
        const PhaseTimer timer(end_.summary, "digest");
        return identity_of(path, session_.context());
    }

    [[nodiscard]] std::string error_text() const {
        constexpr std::size_t most = 20;
        const auto count = std::count_if(tasks_.begin(), tasks_.end(), has_error);
        std::string text = fmt::format("{} of {} files could not be transformed", count, tasks_.size());
        std::size_t named = 0;
        for (const ShardTask& task : tasks_) {
            if (has_error(task) && named++ < most) {
                text += "; " + task.error;
            }
        }
        return text;
    }

    std::vector<ShardTask>& tasks_;
    const Transformer& transformer_;
    const ShardFolder& folder_;
    const InputFlags& reading_;
    Session& session_;
    RunContext inner_;
    std::uint64_t done_ = 0;  ///< points of the files that are through
    std::uint64_t total_ = 0;
    ShardResult end_;
};

/// Makes the outputs of all unfinished tasks in order, and records the result in each task. Rows are read once for
/// their digest and once to be transformed, block by block, in the memory of transform_rows(). A file with an invalid
/// row is skipped and reported at the end; a full disk, a signal and the time limit end the pass. Finished files are
/// kept, and no file is partly written.
ShardResult transform_shard(std::vector<ShardTask>& tasks, const Transformer& transformer, const ShardFolder& folder,
                            const InputFlags& reading, Session& session) {
    return ShardPass(tasks, transformer, folder, reading, session).run();
}

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
        if (!task.error.empty()) {
            file["trouble"] = task.error;
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
              {"by", job.placement_options.at("by")},
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

/// Outcome of --check: the states of all files; nothing is written.
Outcome states_outcome(const ShardJob& job, const Transformer& transformer, const Survey& survey, Session& session) {
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

void log_remade(const Survey& survey, const ShardFolder& folder, Session& session) {
    for (const ShardTask& task : survey.tasks) {
        const std::string reason = is_refused(task.state) ? "" : describe(task.state, task.file);
        if (!reason.empty()) {
            session.log(reason);
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
    log_remade(survey, folder, session);
    folder.begin(session.overwrite());
    if (const std::size_t left = folder.remove_temporaries(); left > 0) {
        session.log(fmt::format("{} temporary files of runs that were killed are removed", left));
    }
    const ShardResult end = transform_shard(survey.tasks, transformer, folder, job.reading, session);
    const std::size_t finished = count_finished(survey.tasks);
    Outcome outcome;
    outcome.code = end.code;
    outcome.json = result_json(job, transformer, survey, end.summary, session);
    const std::string reach =
        fmt::format("{} of {} files{} are finished", finished, survey.tasks.size(), part_text(survey));
    if (end.code != ExitCode::Ok) {
        outcome.failure = fmt::format("{}; {} and kept; the same command goes on with the rest", end.reason, reach);
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
    if (!all.empty() && survey.valid()) {
        require_table(all, job.reading);
    }
    ShardFolder folder(job.folder, plan_of(job, survey, session.context()));
    survey_outputs(job, folder, survey, session);
    if (!survey.valid()) {
        return refuse(survey);
    }
    if (job.flags.check) {
        return states_outcome(job, transformer, survey, session);
    }
    std::vector<std::string> paths;
    for (const ShardTask& task : survey.tasks) {
        paths.push_back(task.file.input);
    }
    reserve_for_largest(paths, job.reading, session);
    return work(job, transformer, survey, folder, session);
}

}  // namespace isogon::cli
