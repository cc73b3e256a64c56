#include "embed/fit_files.hpp"

#include <optional>

#include "files/input_files.hpp"
#include "files/output_files.hpp"
#include "isogon/neighbors/given_neighbors.hpp"
#include "isogon/transform/locally_linear_extension.hpp"
#include "program/failure.hpp"
#include "report/report_file.hpp"
#include "report/run_result.hpp"

namespace isogon::cli {

namespace {

/// Extends the fit to all points and writes them block by block; `whole`: whether the file is complete and written.
Summary extend_file(const LandmarkRequest& request, const Method& method, const LandmarkFit& fit,
                    const InputRows& input, const LandmarkOptions& landmarks, const NeighborLists* lists,
                    Session& session, bool& whole) {
    // Held during the whole extension: a first Ctrl-C ends the run within a second, and a second one must not leave a
    // temporary file.
    const auto held = session.while_writing();
    OutputRows rows(request.output, input, fit.fitted.coordinates.dimension(), session.overwrite());
    Summary summary = extend_to_all(method, fit, *input.rows, rows, landmarks, session.context(), lists);
    session.end_progress();
    whole = rows.complete();
    if (whole) {
        rows.commit();
    }
    return summary;
}

/// A fit that the user or the time limit ended is not extended: its result is in the model.
bool ended_early(const Summary& summary) {
    return summary.termination == Termination::Cancelled || summary.termination == Termination::TimeLimit;
}

OptionValues result_options(const LandmarkFit& fit, const LandmarkOptions& landmarks) {
    OptionValues options = fit.fitted.options;
    options.merge(landmark_option_table().values(landmarks));
    return options;
}

/// The coordinates are read from their file, as they are not in memory.
void write_page(const ReportFile& report, const InputRows& input, const ReportRun& run, const std::string& written,
                Session& session, Outcome& outcome) {
    if (report.wanted() && !written.empty()) {
        report.write_after_fit(*input.rows, *open_parts({written}, {}).rows, run, written, session, outcome);
    }
}

Json result_json(const LandmarkRequest& request, const Method& method, const LandmarkFit& fit, const InputRows& input,
                 const LandmarkOptions& landmarks) {
    return {{"verb", "embed"},
            {"version", ISOGON_VERSION},
            {"method", method.name},
            {"options", to_json(result_options(fit, landmarks))},
            {"input", input_json(request.inputs, request.reading, input)}};
}

std::optional<NeighborLists> read_lists(const LandmarkRequest& request, const LandmarkOptions& landmarks,
                                        Index points) {
    if (request.neighbor_graph.empty()) {
        return std::nullopt;
    }
    if (landmarks.extension != LandmarkExtension::Llx) {
        throw UsageError("--neighbor-graph goes with --extension llx, which rebuilds points from their neighbours");
    }
    NeighborLists lists = read_neighbor_graph(request.neighbor_graph, points, name(locally_linear_metric));
    require_equal_lengths(lists, request.neighbor_graph);
    return lists;
}

void refuse_start(const FitFlags& flags) {
    if (!flags.start.empty()) {
        throw UsageError(
            "--start-from has a row for each point, but with --landmarks only some are fitted; leave out "
            "one of the two");
    }
}

std::string failure_of(ExitCode code, const std::string& written, const std::string& model, const Summary& summary) {
    const std::string text = failure_text(code, written, summary);
    return model.empty() || !written.empty() ? text
                                             : text + "; " + model + " has what the fit reached: isogon transform";
}

}  // namespace

Outcome embed_landmarks(const LandmarkRequest& request, const Method& method, const OptionValues& options,
                        const LandmarkOptions& landmarks, Session& session) {
    refuse_start(request.fit);
    FitFiles files(request.fit, method, options, all_of({request.inputs, {request.neighbor_graph}}), request.output,
                   session);
    const InputRows input = open_input(request.inputs, request.reading, session);
    require_words(request.output, !input.words.empty());
    files.take_columns(input.columns);
    const ReportFile report(request.fit.report, request.inputs, request.reading, input.rows_in_files,
                            input.rows->dimension(), own_names(input.labels, input.label_names, input.words));
    const auto lists = read_lists(request, landmarks, input.rows->count());
    const LandmarkFit fit = fit_landmarks(method, *input.rows, options, landmarks, session.context(), files.extras());
    session.end_progress();

    Outcome outcome;
    std::string model;
    std::string written;
    bool whole = false;
    Summary summary = fit.fitted.summary;
    if (summary.usable() && !fit.fitted.coordinates.empty()) {
        model = files.write_model(method, fit.inputs.view(), fit.fitted);
        if (!ended_early(summary)) {
            summary = extend_file(request, method, fit, input, landmarks, lists ? &*lists : nullptr, session, whole);
            written = whole ? request.output : "";
        }
    }
    const Index dimension = fit.fitted.coordinates.dimension();
    if (!written.empty()) {
        outcome.text = result_text({written, method.name, input.rows->count(), dimension, input.rows->dimension()},
                                   summary, session);
    }
    outcome.code = exit_code(summary, !written.empty());
    outcome.failure = outcome.code == ExitCode::Ok ? "" : failure_of(outcome.code, written, model, summary);
    outcome.warnings = in_flags(summary.warnings);
    outcome.json = result_json(request, method, fit, input, landmarks);
    outcome.json["output"] = written.empty() ? Json(nullptr) : Json(written);
    outcome.json["shape"] = {{"points", written.empty() ? 0 : input.rows->count()}, {"dimension", dimension}};
    add_summary(outcome.json, summary);
    outcome.json["seconds"] = session.seconds();
    outcome.json["peak_memory_bytes"] = peak_memory_bytes();
    if (!written.empty()) {
        write_record(written, outcome.json, session);
    }
    outcome.json["model"] = model.empty() ? Json(nullptr) : Json(model);
    write_page(report, input, {method.name, result_options(fit, landmarks), summary}, written, session, outcome);
    return outcome;
}

}  // namespace isogon::cli
