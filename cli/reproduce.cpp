#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <system_error>

#include "compare_plan.hpp"
#include "failure.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/atomic_file.hpp"
#include "isogon/report/line_chart.hpp"
#include "isogon/report/map_picture.hpp"
#include "isogon/report/page.hpp"
#include "output_files.hpp"
#include "quantity.hpp"
#include "report_origin.hpp"
#include "reproduce/figure.hpp"
#include "run_cache.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

struct ReproduceVerb {
    std::vector<std::string> figures;
    std::string data;
    std::string output = "reproduction";
    std::string cache;
    std::string dims;
    bool quick = false;
    bool fresh = false;
};

Outcome list_figures() {
    Outcome outcome;
    Json list = Json::array();
    for (const auto& figure : figures()) {
        list.push_back({{"name", figure.name},
                        {"title", figure.title},
                        {"source", figure.source},
                        {"needs", figure.needs},
                        {"takes", figure.takes}});
        outcome.text += fmt::format("{:<14} {}\n{:<14} {}; needs {}; takes {}\n", figure.name, figure.title, "",
                                    figure.source, figure.needs.empty() ? "no data" : figure.needs, figure.takes);
    }
    outcome.json = {{"verb", "reproduce"}, {"version", ISOGON_VERSION}, {"figures", std::move(list)}};
    return outcome;
}

std::filesystem::path folder_of(const ReproduceVerb& verb, const Figure& figure) {
    return std::filesystem::path(verb.output) / figure.name;
}

/// Throws UsageError for a name that is not one, or is there twice.
std::vector<const Figure*> wanted_figures(const ReproduceVerb& verb) {
    std::vector<const Figure*> wanted;
    for (const auto& name : verb.figures) {
        const Figure* figure = &find_figure(name);
        if (std::find(wanted.begin(), wanted.end(), figure) != wanted.end()) {
            throw UsageError(name + ": is there twice; leave one out");
        }
        if (!verb.dims.empty() && !figure->has_dimensions) {
            throw UsageError("--dims " + verb.dims + ": " + name +
                             " is not made over the dimension; leave --dims out, or make that figure by itself");
        }
        wanted.push_back(figure);
    }
    return wanted;
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        throw UsageError(folder.string() + ": cannot be made: " + error.message());
    }
}

/// An empty one may be left of an earlier try.
void require_folder(const ReproduceVerb& verb, const Figure& figure, const Session& session) {
    const std::filesystem::path folder = folder_of(verb, figure);
    std::error_code error;
    if (!std::filesystem::exists(folder, error)) {
        return;
    }
    if (!std::filesystem::is_directory(folder, error)) {
        throw UsageError(folder.string() + ": is not a folder; choose another -o");
    }
    if (!session.overwrite() && !std::filesystem::is_empty(folder, error)) {
        throw UsageError(folder.string() +
                         ": holds something; choose another -o, or replace what is in it with --overwrite");
    }
}

/// Before work starts: a figure may take hours.
void require_all(const ReproduceVerb& verb, const std::vector<const Figure*>& wanted, const Workshop& shop,
                 const Session& session) {
    for (const Figure* figure : wanted) {
        shop.require(figure->needs);
        require_folder(verb, *figure, session);
    }
    make_folder(verb.output);
}

/// The files of one figure: JSON, a page, each table as csv and each chart as SVG.
std::vector<std::string> write_figure(const ReproduceVerb& verb, const Figure& figure, const ChartDocument& document,
                                      Session& session) {
    std::vector<std::string> files;
    const auto held = session.while_writing();  // of all: a folder that holds a part would be refused
    make_folder(folder_of(verb, figure));
    const auto write = [&](const std::string& name, const std::string& text) {
        const std::filesystem::path path = folder_of(verb, figure) / name;
        AtomicFile file(path, true);
        file.write(text);
        file.commit();
        files.push_back(path.string());
    };
    const std::string json = chart_document(document);
    write("data.json", json + "\n");
    for (std::size_t i = 0; i < document.tables.size(); ++i) {
        write(fmt::format("table-{}.csv", i + 1), table_csv(document.tables[i]));
    }
    for (std::size_t i = 0; i < document.charts.size(); ++i) {
        write(fmt::format("chart-{}.svg", i + 1), line_chart(document.charts[i]));
    }
    for (std::size_t i = 0; i < document.maps.size(); ++i) {
        write(fmt::format("map-{}.svg", i + 1), map_picture(document.maps[i]));
    }
    write("report.html", report_page(json));
    return files;
}

std::string cell_text(const ChartCell& cell) {
    constexpr double most_digits = 1e9;
    if (const auto* number = std::get_if<double>(&cell)) {
        const bool whole = std::floor(*number) == *number && std::abs(*number) < most_digits;
        return whole ? fmt::format("{:.0f}", *number) : fmt::format("{:.4g}", *number);
    }
    const auto* text = std::get_if<std::string>(&cell);
    return text == nullptr ? "-" : *text;
}

/// As Markdown has tables, so that what is printed can be kept.
std::string table_text(const ChartTable& table) {
    std::string text = fmt::format("\n{}\n\n|", table.title);
    for (const auto& column : table.columns) {
        text += fmt::format(" {} |", column);
    }
    text += "\n|";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        text += "---|";
    }
    text += "\n";
    for (const auto& row : table.rows) {
        text += "|";
        for (const auto& cell : row) {
            text += fmt::format(" {} |", cell_text(cell));
        }
        text += "\n";
    }
    return table.note.empty() ? text : fmt::format("{}\n{}\n", text, table.note);
}

void reproduce(const ReproduceVerb& verb, const Figure& figure, Workshop& shop, Outcome& outcome) {
    Session& session = shop.session();
    session.log(fmt::format("{}: {} ({})", figure.name, figure.title, figure.source));
    const double before = session.seconds();
    ChartDocument document = figure.make(shop);
    session.end_progress();
    document.title = fmt::format("{}: {}", figure.source, figure.title);
    document.made = report_origin(session);
    document.made.seconds = session.seconds() - before;
    const bool quick = verb.quick && !figure.quick.empty();
    if (quick) {
        document.warnings.push_back(
            fmt::format("A quick run: fewer {} than the source has, so its figures differ.", figure.quick));
    }
    const std::vector<std::string> files = write_figure(verb, figure, document, session);
    outcome.text += fmt::format("## {}: {}\n\n{}{}; {}; {}; {}\n", figure.name, figure.title, figure.source,
                                quick ? " (--quick)" : "", document.made.date.substr(0, 10), document.made.machine,
                                human_seconds(*document.made.seconds));
    for (const auto& warning : document.warnings) {
        outcome.text += warning + "\n";
    }
    for (const auto& note : document.notes) {
        outcome.text += note + "\n";
    }
    for (const auto& table : document.tables) {
        outcome.text += table_text(table);
    }
    outcome.text += "\n";
    outcome.json["figures"].push_back({{"name", figure.name},
                                       {"source", figure.source},
                                       {"quick", quick},
                                       {"seconds", *document.made.seconds},
                                       {"files", files}});
}

Outcome run(const ReproduceVerb& verb, Session& session) {
    if (verb.figures.size() == 1 && verb.figures.front() == "list") {
        return list_figures();
    }
    const std::vector<std::int64_t> dimensions =
        verb.dims.empty() ? std::vector<std::int64_t>() : parse_dimensions("--dims", verb.dims);
    const std::vector<const Figure*> wanted = wanted_figures(verb);
    RunCache cache(
        verb.cache.empty() ? std::filesystem::path(verb.output) / "isogon-runs" : std::filesystem::path(verb.cache),
        verb.fresh, session);
    Workshop shop(verb.data, verb.quick, dimensions, cache, session);
    require_all(verb, wanted, shop, session);
    Outcome outcome;
    outcome.json = {{"verb", "reproduce"}, {"version", ISOGON_VERSION}, {"figures", Json::array()}};
    for (const Figure* figure : wanted) {
        reproduce(verb, *figure, shop, outcome);
    }
    outcome.json["seconds"] = session.seconds();
    outcome.json["peak_memory_bytes"] = peak_memory_bytes();
    return outcome;
}

}  // namespace

Command add_reproduce(CLI::App& app) {
    const auto verb = std::make_shared<ReproduceVerb>();
    app.add_option("FIGURE", verb->figures, "Names of figures, or list, which tells what there is")->required();
    app.add_option("--data", verb->data, "The folder that holds mnist/, wordvectors/ and so on")->type_name("DIR");
    app.add_option("-o,--output", verb->output, "The folder in which each figure gets one (default reproduction)")
        ->type_name("FOLDER");
    app.add_option("--dims", verb->dims,
                   "These dimensions alone, of figures over the dimension; others refuse it (default the source's)")
        ->type_name("D,...");
    app.add_flag("--quick", verb->quick,
                 "Fewer points than the source has (or steps, or dimensions), and said so; some figures have no less");
    app.add_option("--cache", verb->cache,
                   "Where finished runs are kept, so that figures share them (default isogon-runs in the output)")
        ->type_name("FOLDER");
    app.add_flag("--fresh", verb->fresh, "Take no run that is kept; replace it");
    app.footer(
        "Each figure is a folder: report.html sets ours beside the published numbers, data.json and the\n"
        "tables (.csv) hold them, charts are .svg. What is printed is Markdown. Some take an hour.\n"
        "\n"
        "Examples:\n"
        "  isogon reproduce list\n"
        "  isogon reproduce tsm-3 tsm-4 --data data --quick\n"
        "  isogon reproduce tsm-9 --data data -o reproduction --time-limit 1h\n"
        "\n"
        "Ctrl-C stops (exit code 130). Finished runs are kept, and the same command goes on from there;\n"
        "figures that were written already are refused: leave them out, or replace them with --overwrite.\n"
        "Exit codes: 0 done, 1 not written, 2 usage, 3 bad input, 5 over a limit, 130 interrupted.");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli
