#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "io/atomic_file.hpp"
#include "isogon/core/error.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/transform/new_point_map.hpp"
#include "program/failure.hpp"
#include "transform/transform.hpp"

namespace isogon::cli {

namespace {

namespace fs = std::filesystem;

/// An input and its output.
struct FolderFile {
    std::string input;
    std::string output;
    std::uint64_t points = 0;
    bool made = false;
    std::string trouble{};  ///< why it could not be made
};

void require_ending(const std::string& ending) {
    const bool plain =
        std::all_of(ending.begin(), ending.end(), [](unsigned char c) { return c == '.' || std::isalnum(c) != 0; });
    if (!plain || !written_format("x." + ending)) {
        throw InvalidArgument(
            "--output-format", ending,
            "must be the ending of a format: npy, csv, tsv, fvecs, vec, bin, or one of these and .gz");
    }
}

void require_all_rows(const InputFlags& reading) {
    const RowPicker picker = row_picker(reading);
    if (picker.every != 1 || picker.from != 0) {
        throw UsageError(
            "--every and --from pick rows of all inputs together; with a folder for output leave them out");
    }
}

/// "out/part-00.npy" for "in/part-00.csv.gz".
std::string output_of(const std::string& input, const Transform& verb) {
    const fs::path name = fs::path(input).filename();
    const fs::path stem = name.extension() == ".gz" ? name.stem().stem() : name.stem();
    return (fs::path(verb.output) / (stem.string() + "." + verb.output_format)).string();
}

std::vector<FolderFile> folder_files(const Transform& verb) {
    std::vector<FolderFile> files;
    for (const std::string& input : verb.inputs) {
        files.push_back({input, output_of(input, verb)});
    }
    return files;
}

/// Checks many files like require_outputs(), in time n log n.
void require_separate_files(const std::vector<FolderFile>& files, const std::string& model) {
    std::map<fs::path, std::string> inputs{{place_of(model), model}};
    for (const FolderFile& file : files) {
        inputs.emplace(place_of(file.input), file.input);
    }
    std::map<fs::path, std::string> taken;
    for (const FolderFile& file : files) {
        const fs::path place = place_of(file.output);
        const auto [other, fresh] = taken.emplace(place, file.input);
        if (!fresh) {
            throw UsageError(fmt::format("{}: has the output of {}, {}; leave one of them out, or rename it",
                                         file.input, other->second, file.output));
        }
        if (const auto found = inputs.find(place); found != inputs.end()) {
            throw UsageError(
                fmt::format("{}: is {}, an input of this run; choose another folder", file.output, found->second));
        }
    }
}

void require_writable_files(const std::vector<FolderFile>& files, const std::string& folder, const Session& session) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        require_output([&] { require_writable_target((fs::path(folder) / "").parent_path()); });
        return;
    }
    for (const FolderFile& file : files) {
        if (!session.overwrite() && fs::is_regular_file(file.output, ignored)) {
            throw UsageError(file.output + ": exists; choose another folder, or replace it with --overwrite");
        }
        require_output([&] { require_writable_target(file.output, session.overwrite()); });
    }
}

/// Counts the points of every input, too.
void require_inputs(std::vector<FolderFile>& files, const Transform& verb, const Transformer& transformer,
                    Session& session) {
    for (FolderFile& file : files) {
        throw_if_cancelled(session.context());
        const InputRows input = open_parts({file.input}, verb.reading);
        require_input_dimension(file.input, input.rows->dimension(), verb, transformer);
        require_words(file.output, !input.words.empty());
        warn_of(input.notes, session);
        file.points = input.rows->count();
    }
}

void make_folder(const std::string& folder, Session& session) {
    std::error_code error;
    fs::create_directory(folder, error);
    if (error) {
        throw OutputError(folder, "the folder cannot be made: " + error.message());
    }
    session.remove_leftovers(folder);
}

/// Reads, transforms and writes block by block; the file appears if all of its rows are complete.
Summary make_output(const FolderFile& file, const Transform& verb, const Transformer& transformer,
                    const RunContext& context, const WriteOptions& how) {
    const InputRows input = open_parts({file.input}, verb.reading);
    const FiniteRows rows(*input.rows);
    const ColumnNames columns = verb.inverse ? fitted_columns(verb, transformer) : ColumnNames{};
    OutputRows output(file.output, input, transformer.output_dimension(), how, columns.names);
    Summary summary = transform_rows(transformer.map(), rows, output, context).summary;
    if (!summary.usable()) {
        throw InputError(file.input, "", summary.message);
    }
    if (summary.termination != Termination::Converged) {
        throw Interruption{summary.termination};
    }
    output.commit();
    return summary;
}

using NamedNumbers = std::vector<std::pair<std::string, double>>;

void add_numbers(const NamedNumbers& part, NamedNumbers& sum) {
    for (const auto& [name, number] : part) {
        const auto found = std::ranges::find(sum, name, &NamedNumbers::value_type::first);
        if (found == sum.end()) {
            sum.emplace_back(name, number);
        } else {
            found->second += number;
        }
    }
}

void add_file(const Summary& part, const std::string& input, Summary& sum) {
    add_numbers(part.seconds, sum.seconds);
    add_numbers(part.counts, sum.counts);
    for (const Text& warning : part.warnings) {
        sum.warn({input + ": ", warning});
    }
}

std::uint64_t points_of(const std::vector<FolderFile>& files, bool made_only) {
    std::uint64_t points = 0;
    for (const FolderFile& file : files) {
        points += file.made || !made_only ? file.points : 0;
    }
    return points;
}

/// A file that cannot be transformed is left out; a signal, the time limit and a full disk end the run.
Summary make_outputs(std::vector<FolderFile>& files, const Transform& verb, const Transformer& transformer,
                     Session& session) {
    // Held during the whole run: a first Ctrl-C ends it within a second, and a second one must not leave a temporary
    // file.
    const auto held = session.while_writing();
    std::uint64_t done = 0;
    RunContext context = session.context();
    context.on_iteration = [&, total = points_of(files, false)](const Progress& progress) {
        session.context().report({"transform", done + progress.done, total, 0.0});
    };
    Summary sum;
    sum.threads = context.thread_count();
    for (FolderFile& file : files) {
        try {
            add_file(make_output(file, verb, transformer, context, write_options(session)), file.input, sum);
            file.made = true;
        } catch (const InputError& error) {
            file.trouble = in_flags(error.text());
            session.warn(file.trouble + "; going on with the other files");
        } catch (const Interruption& interruption) {
            sum.termination = interruption.reason;
            break;
        }
        done += file.points;
    }
    session.end_progress();
    return sum;
}

Json folder_json(const std::vector<FolderFile>& files, const Transform& verb, const Transformer& transformer,
                 const Summary& summary, const Session& session) {
    Json json = model_json(verb, transformer);
    json["output"] = verb.output;
    json["files"] = Json::array();
    for (const FolderFile& file : files) {
        Json entry{
            {"input", file.input}, {"output", file.made ? Json(file.output) : Json(nullptr)}, {"points", file.points}};
        if (!file.trouble.empty()) {
            entry["trouble"] = file.trouble;
        }
        json["files"].push_back(std::move(entry));
    }
    json["shape"] = {{"points", points_of(files, true)}, {"dimension", transformer.output_dimension()}};
    add_run(json, summary, session);
    return json;
}

std::string folder_text(const std::vector<FolderFile>& files, const Transform& verb, const Transformer& transformer,
                        const Summary& summary, const Session& session) {
    return fmt::format("{}: {} files, {} points of {} numbers, from {}, by {} ({})\n", verb.output, files.size(),
                       points_of(files, true), transformer.output_dimension(), transformer.input_dimension(),
                       verb.model, transformer.model().method) +
           costs_text(summary, session) + number_lines(summary.counts);
}

/// Sets code and message of a run that has not made all outputs.
void add_failure(const std::vector<FolderFile>& files, const Summary& summary, Outcome& outcome) {
    const auto made = std::ranges::count_if(files, &FolderFile::made);
    const std::string reach = fmt::format("{} of {} outputs are written", made, files.size());
    if (summary.termination != Termination::Converged) {
        outcome.code = exit_code(summary.termination);
        outcome.failure = (outcome.code == ExitCode::OverLimit ? "stopped by --time-limit; " : "interrupted; ") + reach;
        return;
    }
    const auto first = std::ranges::find_if(files, [](const FolderFile& file) { return !file.made; });
    if (first != files.end()) {
        outcome.code = ExitCode::BadInput;
        outcome.failure = fmt::format("{}; the first that could not be made: {}", reach, first->trouble);
    }
}

}  // namespace

void require_output_folder(const Transform& verb, const Session& session) {
    require_ending(verb.output_format);
    require_all_rows(verb.reading);
    const std::vector<FolderFile> files = folder_files(verb);
    require_separate_files(files, verb.model);
    require_writable_files(files, verb.output, session);
}

Outcome transform_into_folder(const Transform& verb, const Transformer& transformer, Session& session) {
    std::vector<FolderFile> files = folder_files(verb);
    reserve_for_largest(verb.inputs, verb.reading, session);
    require_inputs(files, verb, transformer, session);
    make_folder(verb.output, session);
    const Summary summary = make_outputs(files, verb, transformer, session);

    Outcome outcome;
    outcome.json = folder_json(files, verb, transformer, summary, session);
    outcome.warnings = in_flags(summary.warnings);
    add_failure(files, summary, outcome);
    if (outcome.code == ExitCode::Ok) {
        outcome.text = folder_text(files, verb, transformer, summary, session);
    }
    return outcome;
}

}  // namespace isogon::cli
