#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "isogon/core/error.hpp"
#include "isogon/report/report.hpp"
#include "program/failure.hpp"
#include "program/json.hpp"
#include "program/option_flags.hpp"
#include "report/report_file.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

constexpr std::array terminations{Termination::Converged, Termination::IterationLimit, Termination::TimeLimit,
                                  Termination::Cancelled, Termination::Stalled,        Termination::NumericalFailure};

Termination find_termination(const std::string& word) {
    const auto found = std::find_if(terminations.begin(), terminations.end(),
                                    [&](Termination reason) { return name(reason) == word; });
    if (found == terminations.end()) {
        throw std::invalid_argument("its termination is none that a run has");
    }
    return *found;
}

OptionValue option_of(const Json& value) {
    if (value.is_boolean()) {
        return value.get<bool>();
    }
    if (value.is_number_integer()) {
        return value.get<std::int64_t>();
    }
    if (value.is_number()) {
        return value.get<double>();
    }
    const auto text = value.get<std::string>();
    return text == "auto" ? OptionValue{} : OptionValue{text};
}

std::vector<std::pair<std::string, double>> named_numbers(const Json& object) {
    std::vector<std::pair<std::string, double>> named;
    for (const auto& [key, value] : object.items()) {
        // JSON has no infinity: such values are null.
        named.emplace_back(key, value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
    }
    return named;
}

double number_of(const Json& record, const char* key) {
    return record.at(key).is_null() ? std::numeric_limits<double>::quiet_NaN() : record.at(key).get<double>();
}

ReportRun run_of(const Json& json) {
    ReportRun run{.method = json.at("method").get<std::string>()};
    for (const auto& [key, value] : json.at("options").items()) {
        run.options[key] = option_of(value);
    }
    Summary& summary = run.summary;
    summary.termination = find_termination(json.at("termination").get<std::string>());
    summary.message = json.at("message").get<std::string>();
    summary.seconds = named_numbers(json.at("seconds_by_phase"));
    summary.counts = named_numbers(json.at("counts"));
    summary.measures = named_numbers(json.at("measures"));
    summary.warnings = json.at("warnings").get<std::vector<std::string>>();
    summary.seed = json.at("seed").get<std::uint64_t>();
    summary.threads = json.at("threads").get<int>();
    for (const Json& record : json.at("trace")) {
        summary.trace.push_back({record.at("iteration").get<int>(), number_of(record, "objective"),
                                 number_of(record, "change"), number_of(record, "seconds")});
    }
    return run;
}

/// Removes the prefix of the library: "[json.exception.out_of_range.403] key 'method' not found".
std::string without_code(const std::string& message) {
    const std::size_t end = message.starts_with('[') ? message.find("] ") : std::string::npos;
    return end == std::string::npos ? message : message.substr(end + 2);
}

/// Reads the run from a result of `isogon embed --json`. Throws InputError for any other file.
ReportRun read_result(const std::string& path) {
    std::ifstream file(path);
    if (!file) {
        throw InputError(path, "", "cannot be opened");
    }
    try {
        return run_of(Json::parse(file));
    } catch (const Json::parse_error& error) {  // its own message would show the file's bytes
        throw InputError(path, fmt::format("byte {}", error.byte), "is no JSON; give what isogon embed --json printed");
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {  // of the JSON library, whose own types are its business
        throw InputError(path, "", fmt::format("is no result of isogon embed --json: {}", without_code(error.what())));
    }
}

struct ReportVerb {
    std::vector<std::string> files;  ///< those of x, then the one of y, as cp has its target last
    std::string result;              ///< of embed --json
    ReportFlags report;
    InputFlags reading;
    std::unique_ptr<OptionFlags> options;
};

/// The name of the coordinates with another extension: small.npy gives small.html.
std::string default_output(const std::string& coordinates) {
    std::filesystem::path path = coordinates;
    if (path.extension() == ".gz") {
        path.replace_extension();
    }
    return path.replace_extension(".html").string();
}

void require_same_count(const InputRows& x, const InputRows& y, const std::string& y_file) {
    if (x.rows->count() != y.rows->count()) {
        throw InputError(y_file, "",
                         fmt::format("{} points, where the inputs have {} (after --every and --from); the last file "
                                     "must hold the coordinates of exactly those rows",
                                     y.rows->count(), x.rows->count()));
    }
}

Outcome run(ReportVerb& verb, Session& session) {
    if (verb.files.size() < 2) {
        throw UsageError("only one file given; name the files of the inputs, then the one of the coordinates");
    }
    const std::vector<std::string> x_files(verb.files.begin(), verb.files.end() - 1);
    const std::string& y_file = verb.files.back();
    if (verb.report.file.empty()) {
        verb.report.file = default_output(y_file);
    }
    const ReportOptions options = report_option_table().make(verb.options->values("report"));
    require_outputs({verb.report.file}, all_of({verb.files, {verb.result}, verb.report.labels, verb.report.words}),
                    session);
    const auto result = verb.result.empty() ? std::nullopt : std::optional(read_result(verb.result));
    const InputRows x = open_input(x_files, verb.reading, session);
    const InputRows y = open_input({y_file}, {}, session);
    require_same_count(x, y, y_file);
    const auto& words = x.words.empty() ? y.words : x.words;
    const ReportFile file(verb.report, x_files, verb.reading, x.rows_in_files, x.rows->dimension(),
                          own_names(x.labels, x.label_names, words));
    const std::string name = result ? result->method : std::filesystem::path(y_file).filename().string();
    const Report report = file.write(*x.rows, *y.rows, name, result, options, session);

    Outcome outcome;
    outcome.text = described(report, verb.report.file) +
                   fmt::format("{}{}, peak memory {}\n", human_seconds(session.seconds()), phases_text(report.summary),
                               human_bytes(peak_memory_bytes()));
    outcome.json = to_json(report, verb.report.file);
    outcome.json["verb"] = "report";
    outcome.json["output"] = verb.report.file;
    outcome.json["options"] = to_json(report_option_table().values(options));
    outcome.json["input"] = input_json(x_files, verb.reading, x);
    outcome.json["coordinates"] = input_json({y_file}, {}, y);
    outcome.json["seconds_by_phase"] = to_json(report.summary.seconds);
    outcome.json["seconds"] = session.seconds();
    outcome.json["peak_memory_bytes"] = peak_memory_bytes();
    outcome.json["version"] = ISOGON_VERSION;
    return outcome;
}

}  // namespace

Command add_report(CLI::App& app) {
    const auto verb = std::make_shared<ReportVerb>();
    app.add_option("X... Y", verb->files,
                   "Files of the inputs, stacked in their order, and last the file of their coordinates, whatever made "
                   "them")
        ->required();
    app.add_option("-o,--output", verb->report.file, "Where the page goes; default: beside Y, with the ending .html")
        ->type_name("FILE");
    app.add_option("--result", verb->result,
                   "What isogon embed --json printed when it made Y: the page then tells of that run")
        ->type_name("FILE");
    verb->options = std::make_unique<OptionFlags>(app, "command",
                                                  std::vector<OptionOwner>{{"report", report_option_table().specs()}});
    add_report_flags(app, verb->report, nullptr);
    add_input_flags(app, verb->reading);
    app.footer(
        "The page is one file that needs no network: the map, each point's neighbours in X and in Y side\n"
        "by side with their angles, how far to believe it (beside the SVD in as many dimensions), and\n"
        "warnings in plain words. isogon embed --report writes the same with what the run knows of itself.\n"
        "--every and --from pick rows of X, of the labels and of the words, as embed did; Y is taken whole.\n"
        "\n"
        "Examples:\n"
        "  isogon report vectors.npy small.npy\n"
        "  isogon report vectors.npy umap.csv -o umap.html --labels classes.txt --title 'UMAP of our vectors'\n"
        "  isogon report train-images-idx3-ubyte.gz map.npy --labels train-labels-idx1-ubyte.gz\n"
        "  isogon report words.vec.gz small.npy -o words.html --threshold 0.5");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli
