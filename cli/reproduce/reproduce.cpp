#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "compare/cached_runs.hpp"
#include "compare/comparison.hpp"
#include "isogon/core/error.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "report/report_file.hpp"
#include "reproduce/figures.hpp"
#include "verbs.hpp"

namespace isogon::cli {

namespace {

std::string cell_text(const ChartCell& cell) {
    constexpr double most_digits = 1e9;
    if (const auto* number = std::get_if<double>(&cell)) {
        const bool whole = std::floor(*number) == *number && std::abs(*number) < most_digits;
        return whole ? fmt::format("{:.0f}", *number) : fmt::format("{:.4g}", *number);
    }
    const auto* text = std::get_if<std::string>(&cell);
    return text == nullptr ? "-" : *text;
}

/// A table in Markdown.
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

/// A figure in Markdown: heading, origin, warnings, notes and tables.
std::string figure_text(const Figure& figure, const ChartDocument& document, bool quick) {
    std::string text = fmt::format("## {}: {}\n\n{}{}; {}; {}; {}\n", figure.name, figure.title, figure.source,
                                   quick ? " (--quick)" : "", document.made.date.substr(0, 10), document.made.machine,
                                   human_seconds(document.made.seconds.value_or(0.0)));
    for (const auto& warning : document.warnings) {
        text += warning + "\n";
    }
    for (const auto& note : document.notes) {
        text += note + "\n";
    }
    for (const auto& table : document.tables) {
        text += table_text(table);
    }
    return text + "\n";
}

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
                        {"needs", data_files::folders_of(figure.needs)},
                        {"files", figure.needs},
                        {"takes", figure.takes}});
        outcome.text +=
            fmt::format("{:<14} {}\n{:<14} {}; needs {}; takes {}\n", figure.name, figure.title, "", figure.source,
                        figure.needs.empty() ? "no data" : data_files::folders_of(figure.needs), figure.takes);
    }
    outcome.json = {{"verb", "reproduce"}, {"version", ISOGON_VERSION}, {"figures", std::move(list)}};
    return outcome;
}

std::filesystem::path folder_of(const ReproduceVerb& verb, const Figure& figure) {
    return std::filesystem::path(verb.output) / figure.name;
}

/// Throws UsageError for unknown names and duplicates.
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

/// Checked before work starts, as a figure may take hours.
void require_all(const ReproduceVerb& verb, const std::vector<const Figure*>& wanted, const FigureContext& context,
                 const Session& session) {
    for (const Figure* figure : wanted) {
        context.require(figure->name, figure->needs);
    }
    std::error_code ignored;
    const bool existed = std::filesystem::exists(verb.output, ignored);
    for (const Figure* figure : wanted) {
        if (existed) {
            require_figure_folder(folder_of(verb, *figure), session);
        }
    }
    make_folder(verb.output);
}

void reproduce(const ReproduceVerb& verb, const Figure& figure, FigureContext& context, Outcome& outcome) {
    Session& session = context.session();
    session.log(fmt::format("{}: {} ({})", figure.name, figure.title, figure.source));
    const double before = session.seconds();
    ChartDocument document = figure.make(context);
    session.end_progress();
    document.title = fmt::format("{}: {}", figure.source, figure.title);
    document.made = report_origin(session);
    document.made.seconds = session.seconds() - before;
    const bool quick = verb.quick && !figure.quick.empty();
    if (quick) {
        document.warnings.push_back(
            fmt::format("A quick run: fewer {} than the source has, so its figures differ.", figure.quick));
    }
    document.notes.insert(document.notes.begin(), citation_of(figure.source));
    const std::vector<std::string> files = write_figure_folder(folder_of(verb, figure), document, session);
    outcome.text += figure_text(figure, document, quick);
    outcome.json["figures"].push_back({{"name", figure.name},
                                       {"source", figure.source},
                                       {"quick", quick},
                                       {"seconds", *document.made.seconds},
                                       {"files", files}});
}

/// Keeps the results of finished figures if a later one ends early: "stopped in tsm-5; written: tsm-1; finished runs
/// are kept: isogon reproduce tsm-5 tsm-9 with the same flags goes on".
void end_early(const std::vector<const Figure*>& wanted, std::size_t done, const std::string& why, Outcome& outcome) {
    std::string written;
    std::string rest;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        std::string& names = i < done ? written : rest;
        names += (i < done && !written.empty() ? ", " : i < done ? "" : " ") + wanted[i]->name;
    }
    outcome.json["stopped_in"] = wanted[done]->name;
    outcome.failure =
        fmt::format("{}; written: {}; finished runs are kept: {}", why, written.empty() ? "no figure" : written,
                    written.empty() ? std::string("the same command goes on")
                                    : "isogon reproduce" + rest + " with the same flags goes on");
}

void reproduce_all(const ReproduceVerb& verb, const std::vector<const Figure*>& wanted, FigureContext& context,
                   Outcome& outcome) {
    for (std::size_t done = 0; done < wanted.size(); ++done) {
        const std::string& name = wanted[done]->name;
        try {
            reproduce(verb, *wanted[done], context, outcome);
        } catch (const Interruption& interruption) {
            outcome.code = exit_code(interruption.reason);
            const bool limit = outcome.code == ExitCode::OverLimit;
            end_early(wanted, done, (limit ? "stopped by --time-limit in " : "interrupted in ") + name, outcome);
            return;
        } catch (const std::exception&) {
            if (done == 0) {
                throw;
            }
            const Failure failure = describe_current_exception();
            outcome.code = failure.code;
            end_early(wanted, done, fmt::format("stopped in {}: {}", name, failure.message), outcome);
            return;
        }
    }
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
    FigureContext context(verb.data, verb.quick, dimensions, cache, session);
    require_all(verb, wanted, context, session);
    Outcome outcome;
    outcome.json = {{"verb", "reproduce"}, {"version", ISOGON_VERSION}, {"figures", Json::array()}};
    outcome.json["stopped_in"] = nullptr;
    reproduce_all(verb, wanted, context, outcome);
    session.end_progress();
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
        "Each figure is a folder: report.html sets ours beside the published numbers, data.json and .csv\n"
        "files hold them, charts and maps are .svg. What is printed is Markdown. Some take half an hour.\n"
        "\n"
        "Examples:\n"
        "  isogon reproduce list\n"
        "  isogon reproduce tsm-3 tsm-4 --data data --quick\n"
        "  isogon reproduce tsm-9 --data data -o reproduction --time-limit 1h\n"
        "\n"
        "Ctrl-C stops (exit code 130). Finished runs are kept, and so are the figures that were written:\n"
        "the command with those that are left goes on from there, and the last line names it.");
    return [verb](Session& session) { return run(*verb, session); };
}

}  // namespace isogon::cli
