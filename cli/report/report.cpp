#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "isogon/core/error.hpp"
#include "isogon/report/report.hpp"
#include "program/failure.hpp"
#include "program/json.hpp"
#include "program/option_flags.hpp"
#include "report/report_file.hpp"
#include "report/run_result.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

struct ReportVerb {
    std::vector<std::string> files;  ///< files of x, then the one of y, as cp has its target last
    std::string result;              ///< result of embed --json
    ReportFlags report;
    InputFlags reading;
    OptionFlags options;
};

/// The name of the coordinates with another extension: small.npy gives small.html.
std::string default_output(const std::string& coordinates) {
    std::filesystem::path path = coordinates;
    if (path.extension() == ".gz") {
        path.replace_extension();
    }
    return path.replace_extension(".html").string();
}

Outcome run(ReportVerb& verb, Session& session) {
    const std::vector<std::string> x_files = files_of_inputs(verb.files);
    const std::string& y_file = verb.files.back();
    if (verb.report.file.empty()) {
        verb.report.file = default_output(y_file);
    }
    verb.report.options = report_option_table().make(verb.options.values("report"));
    require_outputs({verb.report.file},
                    all_of({verb.files, {verb.result}, verb.report.labels, verb.report.words, {verb.report.columns}}),
                    session);
    require_result(verb.result);
    InputRows x = open_input(x_files, verb.reading, session);
    const InputRows y = open_input({y_file}, {}, session);
    require_same_count(x.rows->count(), y.rows->count(), y_file);
    const auto result = run_that_made(y_file, y.rows->count(), y.rows->dimension(), verb.result, session);
    if (x.words.empty()) {
        x.words = y.words;
    }
    ReportFile file(verb.report, x_files, verb.reading, x, x.rows->dimension());
    file.take_columns(verb.reading, x, session);
    const std::string name = result ? result->method : std::filesystem::path(y_file).filename().string();
    const Report report = file.write(*x.rows, *y.rows, name, result, session);

    Outcome outcome;
    outcome.text = described(report, verb.report.file) +
                   fmt::format("{}{}, peak memory {}\n", human_seconds(session.seconds()), phases_text(report.summary),
                               human_bytes(peak_memory_bytes()));
    outcome.json = to_json(report, verb.report.file);
    outcome.json["verb"] = "report";
    outcome.json["output"] = verb.report.file;
    outcome.json["options"] = to_json(report_option_table().values(verb.report.options));
    outcome.json["input"] = input_json(x_files, verb.reading, x);
    outcome.json["coordinates"] = input_json({y_file}, {}, y);
    outcome.json["seconds_by_phase"] = to_json(report.summary.seconds);
    add_costs(outcome.json, session);
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
    add_value(app, "-o,--output FILE", verb->report.file,
              "Where the page goes; default: beside Y, with the ending .html");
    add_value(app, "--result FILE", verb->result,
              "What isogon embed --json printed when it made Y: the page then tells of that run. Not needed where "
              "Y.json, as embed leaves it, stands beside Y");
    verb->options.add(app, "command", {{"report", report_option_table().specs()}});
    add_report_flags(app, verb->report);
    add_input_flags(app, verb->reading);
    app.footer(
        "The page is one file that needs no network: the map, each point's neighbours in X and in Y side\n"
        "by side with their angles, how far to believe it (beside the SVD in as many dimensions), and\n"
        "warnings in plain words. isogon embed --report writes the same with what the run knows of itself.\n"
        "--every and --from pick rows of X, of labels, words and columns, as embed did; Y is taken whole.\n"
        "\n"
        "Examples:\n"
        "  isogon report vectors.npy small.npy\n"
        "  isogon report vectors.npy umap.csv -o umap.html --labels classes.txt --title 'UMAP of our vectors'\n"
        "  isogon report train-images-idx3-ubyte.gz map.npy --labels train-labels-idx1-ubyte.gz\n"
        "  isogon report cells.npy map.npy --columns cells.csv     (cluster, age, date of each cell)\n"
        "  isogon report words.vec.gz small.npy -o words.html --threshold 0.5");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli
