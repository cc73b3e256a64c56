#include "embed/fit_files.hpp"

#include <optional>

#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "neighbors/given_neighbors.hpp"
#include "program/failure.hpp"
#include "report/report_file.hpp"
#include "report/run_result.hpp"
#include "transform/locally_linear_extension.hpp"

namespace isogon::cli {

namespace {

std::optional<NeighborLists> read_lists(const Embed& embed, const FitPlan& plan, Index points) {
    if (embed.neighbor_graph.empty()) {
        return std::nullopt;
    }
    if (plan.landmarks.extension != LandmarkExtension::Llx) {
        throw UsageError("--neighbor-graph goes with --extension llx, which rebuilds points from their neighbours");
    }
    NeighborLists lists = read_neighbor_graph(embed.neighbor_graph, points, name(locally_linear_metric));
    require_equal_lengths(lists, embed.neighbor_graph);
    return lists;
}

}  // namespace

Outcome embed_landmarks(const Embed& embed, const FitPlan& plan, Session& session) {
    if (!embed.fit.start.empty()) {
        throw UsageError(
            "--start-from has a row for each point, but with --landmarks only some are fitted; leave out "
            "one of the two");
    }
    FitFiles files(embed.fit, embed, plan, session);
    const InputRows input = open_input(embed.inputs, embed.reading, session);
    require_words(embed.output, !input.words.empty());
    files.take_columns(input.columns);
    ReportFile report(embed.fit.report, embed.inputs, embed.reading, input, input.rows->dimension());
    report.take_columns(embed.reading, input, session);
    const auto lists = read_lists(embed, plan, input.rows->count());
    const auto& [method, values, landmarks] = plan;
    const LandmarkRun run{method, *input.rows, landmarks, session.context()};
    const LandmarkFit fit = fit_landmarks(run, values, files.extras());
    session.end_progress();

    Outcome outcome;
    std::string model;
    Summary summary = fit.fitted.summary;
    if (summary.usable() && !fit.fitted.coordinates.empty()) {
        model = files.write_model(fit.inputs.view(), fit.fitted);
        if (exit_code(summary.termination) == ExitCode::Ok) {  // one that was ended early is not extended
            // Held during the whole extension: a first Ctrl-C ends the run within a second, and a second one must not
            // leave a temporary file.
            const auto held = session.while_writing();
            OutputRows rows(embed.output, input, fit.fitted.coordinates.dimension(), write_options(session));
            summary = extend_to_all(run, fit, rows, lists ? &*lists : nullptr);
            session.end_progress();
            if (rows.complete()) {
                rows.commit();
                outcome.written = embed.output;
            }
        }
    }

    OptionValues options = fit.fitted.options;
    options.merge(landmark_option_table().values(landmarks));
    const bool whole = !outcome.written.empty();
    const FitReport told{.points = whole ? input.rows->count() : 0,
                         .dimension = fit.fitted.coordinates.dimension(),
                         .input_points = input.rows->count(),
                         .input_dimension = input.rows->dimension(),
                         .options = options};
    set_end(outcome, summary, whole);
    if (!outcome.failure.empty() && !whole && !model.empty()) {
        outcome.failure += "; " + model + " has what the fit reached: isogon transform";
    }
    outcome.json = result_json(outcome.written, embed, told, summary, session);
    if (whole) {
        outcome.text = result_text(embed, told, summary, session);
        write_record(embed.output, outcome.json, session);
    }
    outcome.json["model"] = json_or_null(model);
    if (report.wanted() && whole) {  // of the file, as the coordinates are not in memory
        report.write_after_fit(*input.rows, *open_parts({embed.output}, {}).rows, {method.name, options, summary},
                               session, outcome);
    }
    return outcome;
}

}  // namespace isogon::cli
