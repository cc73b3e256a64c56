#include "shard_survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "failure.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/atomic_file.hpp"
#include "isogon/io/format.hpp"
#include "shard_heads.hpp"

namespace isogon::cli {

namespace {

namespace fs = std::filesystem;

bool needs_words(const std::string& ending) {
    const auto format = format_from_name("x." + ending);
    const bool plain =
        std::all_of(ending.begin(), ending.end(), [](char c) { return c == '.' || std::isalnum(c) != 0; });
    if (!format || !plain) {
        throw InvalidArgument(
            "--output-format", ending,
            "must be the ending of a format: npy, csv, tsv, fvecs, vec, bin, or one of these and .gz");
    }
    return *format == Format::WordText || *format == Format::WordBinary;
}

/// That the folder can be made, or written into.
void check_folder(const std::string& folder, std::vector<std::string>& mistakes) {
    std::error_code ignored;
    const fs::path within = fs::path(folder) / "isogon-shards";
    const fs::path made_first = fs::is_directory(folder, ignored) ? within : within.parent_path();
    try {
        if (!fs::is_directory(made_first, ignored)) {
            require_writable_target(made_first);
        }
    } catch (const OutputError& error) {
        mistakes.emplace_back(error.what());
    }
}

}  // namespace

Survey survey_inputs(const ShardJob& job, const Transformer& transformer) {
    Survey survey;
    survey.shard = parse_shard(job.flags.shard);
    const ShardNeeds needs{job.model, transformer.input_dimension(), needs_words(job.flags.output_format)};
    survey.all = list_shard_files(job.inputs, job.folder, job.flags.output_format, survey.input_mistakes);
    if (!job.flags.allow_gaps) {
        find_gaps(survey.all, survey.input_mistakes);
    }
    const auto mine = part_of(survey.shard, survey.all);
    const auto points = check_heads(mine, survey.all, needs, job.reading, survey.input_mistakes);
    for (std::size_t i = 0; i < mine.size(); ++i) {
        survey.tasks.push_back({.file = mine[i], .points = points[i]});
    }
    return survey;
}

ShardPlan plan_of(const ShardJob& job, const Survey& survey, const RunContext& context) {
    ShardPlan plan{ISOGON_VERSION, mark_of(job.model, context).sha256, job.way, {}};
    plan.options["output-format"] = job.flags.output_format;
    plan.options["format"] = job.reading.format;
    plan.options["header"] = job.reading.header;
    plan.options["label-column"] = job.reading.label_column;
    plan.options["word-column"] = job.reading.word_column;
    for (const ShardFile& file : survey.all) {
        plan.inputs.push_back(file.name);
    }
    return plan;
}

void survey_outputs(const ShardJob& job, const ShardFolder& folder, Survey& survey, Session& session) {
    for (auto& mistake : folder.mistakes(session.overwrite(), job.flags.allow_gaps)) {
        survey.input_mistakes.push_back(std::move(mistake));
    }
    if (!job.flags.check) {
        check_folder(job.folder, survey.output_mistakes);
    }
    // To check is to be told of outputs that somebody else has put there, not to be refused.
    const bool refused = !job.flags.check && !session.overwrite();
    std::uint64_t done = 0;
    for (ShardTask& task : survey.tasks) {
        throw_if_cancelled(session.context());
        ++done;
        if (task.points == 0) {
            continue;  // its mistake is told
        }
        task.state = folder.state(task.file, session.context());
        if (task.state != ShardState::Missing) {
            session.context().report({"checking", done, survey.tasks.size(), 0.0});
        }
        if (is_refused(task.state) && refused) {
            survey.output_mistakes.push_back(describe(task.state, task.file));
        }
    }
    session.end_progress();
}

Outcome refuse(const Survey& survey) {
    const auto& inputs = survey.input_mistakes;
    std::vector<std::string> all = inputs;
    all.insert(all.end(), survey.output_mistakes.begin(), survey.output_mistakes.end());
    const std::string sum =
        fmt::format("{} {}; nothing was begun", all.size(), all.size() == 1 ? "mistake" : "mistakes");
    std::string message;
    for (const std::string& mistake : all) {
        message += mistake + "\nisogon: ";
    }
    const Failure failure{inputs.empty() ? ExitCode::Usage : ExitCode::BadInput, inputs.empty() ? "usage" : "input",
                          message + sum};
    Outcome outcome;
    outcome.code = failure.code;
    outcome.mistakes = all;
    outcome.failure = sum;
    outcome.json = to_json(failure);
    outcome.json["error"]["mistakes"] = all;
    return outcome;
}

}  // namespace isogon::cli
