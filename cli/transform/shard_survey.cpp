#include "transform/shard_survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/types.hpp"
#include "isogon/io/atomic_file.hpp"
#include "isogon/io/file_pattern.hpp"
#include "isogon/io/format.hpp"
#include "isogon/io/row_file.hpp"
#include "program/failure.hpp"
#include "program/quantity.hpp"

namespace isogon::cli {

namespace {

namespace fs = std::filesystem;

/// "part-00" of "part-00.csv.gz".
std::string stem_of(const std::string& name) {
    const fs::path path(name);
    return (path.extension() == ".gz" ? path.stem() : path).stem().string();
}

void refuse_shared_outputs(const std::vector<ShardFile>& files, std::vector<std::string>& mistakes) {
    std::map<fs::path, std::string> taken;
    for (const ShardFile& file : files) {
        const auto [found, fresh] = taken.emplace(file.output, file.input);
        if (!fresh) {
            mistakes.push_back(file.input + ": has the output of " + found->second + ", " + file.output.string() +
                               "; rename one of them");
        }
    }
}

void refuse_overwritten_inputs(const std::vector<ShardFile>& files, std::vector<std::string>& mistakes) {
    for (const ShardFile& file : files) {
        std::error_code ignored;
        if (fs::equivalent(file.input, file.output, ignored)) {
            mistakes.push_back(file.input + ": would be replaced by its own output; choose another folder");
        }
    }
}

/// "3/16"; empty: all of it. Throws InvalidArgument.
Shard parse_shard(const std::string& text) {
    if (text.empty()) {
        return {};
    }
    constexpr std::int64_t most = 1'000'000;
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) {
        throw InvalidArgument("--shard", text, "must be a part and how many there are, like 3/16");
    }
    const std::int64_t count = parse_whole("--shard, parts", text.substr(slash + 1), 1, most);
    const std::int64_t number = parse_whole("--shard, part", text.substr(0, slash), 1, count);
    return {static_cast<std::size_t>(number), static_cast<std::size_t>(count)};
}

/// The files that these names and patterns mean (io/file_pattern.hpp), each once, in the order of their names, so that
/// every worker has the same list; an output in `folder` for each, of the same stem, ending in `ending`. What cannot be
/// (two inputs for one output, an output that is an input) is added to `mistakes`. Throws InputError for a pattern
/// without a file.
std::vector<ShardFile> list_shard_files(const std::vector<std::string>& patterns, const fs::path& folder,
                                        const std::string& ending, std::vector<std::string>& mistakes) {
    std::vector<std::string> paths;
    for (const std::string& pattern : patterns) {
        for (const std::string& path : expand_pattern(pattern)) {
            paths.push_back(fs::path(path).lexically_normal().string());
        }
    }
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    std::vector<ShardFile> files;
    for (const std::string& path : paths) {
        const std::string name = fs::path(path).filename().string();
        files.push_back({path, name, folder / (stem_of(name) + "." + ending)});
    }
    // By the name alone: the same inputs may lie in another folder on another machine.
    std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    refuse_shared_outputs(files, mistakes);
    refuse_overwritten_inputs(files, mistakes);
    return files;
}

/// Adds to `mistakes` the files that are missing between those that are there (io/file_pattern.hpp).
void find_gaps(const std::vector<ShardFile>& files, std::vector<std::string>& mistakes) {
    std::vector<std::string> names;
    names.reserve(files.size());
    for (const ShardFile& file : files) {
        names.push_back(file.name);
    }
    for (const std::string& name : missing_names(names)) {
        mistakes.push_back(name +
                           ": missing among the inputs, going by the numbers of the others; if that is as it "
                           "should be, say --allow-gaps");
    }
}

/// Those that the shard takes.
std::vector<ShardFile> part_of(const Shard& shard, const std::vector<ShardFile>& files) {
    std::vector<ShardFile> mine;
    for (std::size_t place = 0; place < files.size(); ++place) {
        if (shard.takes(place)) {
            mine.push_back(files[place]);
        }
    }
    return mine;
}

/// What the files of a shard are checked against.
struct ShardNeeds {
    std::string model;
    Index dimension = 0;  ///< of the points that the model takes
    bool words = false;   ///< the outputs need them
};

struct Head {
    std::uint64_t points = 0;
    std::uint64_t dimension = 0;
    std::string type;  ///< "float32 (npy)"
    bool words = false;
};

Head head_of(const std::string& path, const InputFlags& reading) {
    const ReadOptions options = read_options(reading, path);
    const FileInfo info = describe_file(path, options);
    Head head;
    head.type = fmt::format("{} ({})", info.scalar, name(info.format));
    head.words = info.has_words || options.word_column.has_value();
    if (is_streamed(info)) {
        // Opening it compares the head with the size of the file.
        const RowFile file = open_rows(path, options);
        head.points = file.rows->count();
        head.dimension = file.rows->dimension();
        return head;
    }
    head.points = info.shape.front();
    head.dimension = std::accumulate(info.shape.begin() + 1, info.shape.end(), std::uint64_t{1}, std::multiplies<>());
    return head;
}

/// The head of a file, or a mistake.
std::optional<Head> readable_head(const std::string& path, const InputFlags& reading,
                                  std::vector<std::string>& mistakes) {
    try {
        return head_of(path, reading);
    } catch (const InputError& error) {
        mistakes.emplace_back(error.what());
    } catch (const InvalidArgument& error) {
        mistakes.push_back(path + ": " + error.what());
    }
    return std::nullopt;
}

std::string trouble_of(const Head& head, const std::optional<Head>& first, const std::string& first_path,
                       const ShardNeeds& needs) {
    if (head.dimension != needs.dimension) {
        return fmt::format("holds points of {} numbers, and {} was fitted to points of {}", head.dimension, needs.model,
                           needs.dimension);
    }
    if (first && head.type != first->type) {
        return fmt::format(
            "holds {}, and {} holds {}; the files of one set must be alike: convert it, or transform it "
            "by itself",
            head.type, first_path, first->type);
    }
    if (needs.words && !head.words) {
        return "has no words, which word vectors need; write another --output-format, or name their column with "
               "--word-column";
    }
    return {};
}

/// Opens every file of `mine` and looks at what its head says (text is read through): that it can be read, that its
/// points have the model's dimension, and that its numbers are of the type of the first file of `all`, so that the
/// shards of one set are alike whoever looks at them. What is not so is added to `mistakes`. Returns the points of each
/// file, 0 for those with a mistake.
std::vector<std::uint64_t> check_heads(const std::vector<ShardFile>& mine, const std::vector<ShardFile>& all,
                                       const ShardNeeds& needs, const InputFlags& reading,
                                       std::vector<std::string>& mistakes) {
    std::vector<std::uint64_t> points;
    // What is wrong with the first file is told by whoever has it to transform.
    std::vector<std::string> ignored;
    const auto first = all.empty() ? std::nullopt : readable_head(all.front().input, reading, ignored);
    for (const ShardFile& file : mine) {
        const auto head = readable_head(file.input, reading, mistakes);
        const std::string trouble = head ? trouble_of(*head, first, all.front().input, needs) : std::string();
        if (!trouble.empty()) {
            mistakes.push_back(file.input + ": " + trouble);
        }
        points.push_back(head && trouble.empty() ? head->points : 0);
    }
    return points;
}

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
