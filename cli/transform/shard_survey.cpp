#include "transform/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "isogon/io/atomic_file.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/io/file_set.hpp"
#include "isogon/io/row_file.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"

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

/// The files that match these names and patterns (io/file_set.hpp), each once, ordered by name, so that every
/// worker has the same list; each with an output in `folder` of the same stem and the extension `ending`. Conflicts
/// (two inputs with one output, an output that is an input) are added to `mistakes`. Throws InputError for a pattern
/// without files.
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
    // By name without folder: another machine may have the inputs in another folder.
    std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    refuse_shared_outputs(files, mistakes);
    refuse_overwritten_inputs(files, mistakes);
    return files;
}

/// Adds gaps in the numbering of files to `mistakes` (io/file_set.hpp).
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

/// The files of the shard.
std::vector<ShardFile> part_of(const Shard& shard, const std::vector<ShardFile>& files) {
    std::vector<ShardFile> own_files;
    for (std::size_t place = 0; place < files.size(); ++place) {
        if (shard.takes(place)) {
            own_files.push_back(files[place]);
        }
    }
    return own_files;
}

/// Requirements on the files of a shard.
struct ShardNeeds {
    std::string model;
    Index dimension = 0;  ///< of the points that the model takes
    bool words = false;   ///< the outputs need them
};

struct FileHeader {
    std::uint64_t points = 0;
    std::uint64_t dimension = 0;
    std::string type;  ///< "float32 (npy)"
    bool words = false;
};

FileHeader read_header(const std::string& path, const InputFlags& reading) {
    const ReadOptions options = read_options(reading);
    const FileInfo info = describe_file(path, options);
    FileHeader header;
    header.type = fmt::format("{} ({})", info.scalar, name(info.format));
    header.words = info.has_words || options.word_column.has_value();
    if (is_streamed(info)) {
        // open_rows() compares the header with the size of the file.
        const RowFile file = open_rows(path, options);
        header.points = file.rows->count();
        header.dimension = file.rows->dimension();
        return header;
    }
    header.points = info.shape.front();
    header.dimension = std::accumulate(info.shape.begin() + 1, info.shape.end(), std::uint64_t{1}, std::multiplies<>());
    return header;
}

/// The header of a file, or nothing and an entry in `mistakes`.
std::optional<FileHeader> readable_header(const std::string& path, const InputFlags& reading,
                                          std::vector<std::string>& mistakes) {
    try {
        return read_header(path, reading);
    } catch (const InputError& error) {
        mistakes.emplace_back(error.what());
    } catch (const InvalidArgument& error) {
        mistakes.push_back(path + ": " + error.what());
    }
    return std::nullopt;
}

std::string header_error(const FileHeader& header, const std::optional<FileHeader>& first,
                         const std::string& first_path, const ShardNeeds& needs) {
    if (header.dimension != needs.dimension) {
        return fmt::format("holds points of {} numbers, and {} was fitted to points of {}", header.dimension,
                           needs.model, needs.dimension);
    }
    if (first && header.type != first->type) {
        return fmt::format(
            "holds {}, and {} holds {}; the files of one set must be alike: convert it, or transform it "
            "by itself",
            header.type, first_path, first->type);
    }
    if (needs.words && !header.words) {
        return "has no words, which word vectors need; write another --output-format, or name their column with "
               "--word-column";
    }
    return {};
}

/// Checks the headers of all files of `own_files` (text is read completely): the file can be read, its points have the
/// dimension of the model, and its numbers have the type of the first file of `all`, so that all shards are alike for
/// every worker. Other files are added to `mistakes`. Returns the points of each file, 0 for those with an error.
std::vector<std::uint64_t> check_headers(const std::vector<ShardFile>& own_files, const std::vector<ShardFile>& all,
                                         const ShardNeeds& needs, const InputFlags& reading,
                                         std::vector<std::string>& mistakes) {
    std::vector<std::uint64_t> points;
    // Errors of the first file are reported by the worker that transforms it.
    std::vector<std::string> ignored;
    const auto first = all.empty() ? std::nullopt : readable_header(all.front().input, reading, ignored);
    for (const ShardFile& file : own_files) {
        const auto header = readable_header(file.input, reading, mistakes);
        const std::string error = header ? header_error(*header, first, all.front().input, needs) : std::string();
        if (!error.empty()) {
            mistakes.push_back(file.input + ": " + error);
        }
        points.push_back(header && error.empty() ? header->points : 0);
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

/// Checks that the folder can be created or written.
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
    const auto own_files = part_of(survey.shard, survey.all);
    const auto points = check_headers(own_files, survey.all, needs, job.reading, survey.input_mistakes);
    for (std::size_t i = 0; i < own_files.size(); ++i) {
        survey.tasks.push_back({.file = own_files[i], .points = points[i]});
    }
    return survey;
}

ShardPlan plan_of(const ShardJob& job, const Survey& survey, const RunContext& context) {
    ShardPlan plan{ISOGON_VERSION, identity_of(job.model, context).sha256, job.placement_options, {}};
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
    // --check lists files that are not from this run instead of refusing them.
    const bool refused = !job.flags.check && !session.overwrite();
    std::uint64_t done = 0;
    for (ShardTask& task : survey.tasks) {
        throw_if_cancelled(session.context());
        ++done;
        if (task.points == 0) {
            continue;  // already in the list of errors
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
