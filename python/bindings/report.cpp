#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "convert.hpp"
#include "io/atomic_file.hpp"
#include "io/label_numbers.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/error.hpp"
#include "isogon/io/dataset.hpp"
#include "isogon/report/report.hpp"
#include "methods/forces.hpp"
#include "run.hpp"

namespace isogon::python {

namespace {

/// The names that users may give to points and to the report itself.
struct Naming {
    std::string title;
    std::string name;
    std::optional<std::vector<std::string>> labels;
    std::optional<std::vector<std::string>> words;
    std::vector<PointColumn> columns;
    std::optional<std::tuple<std::uint32_t, std::uint32_t>> image_shape;  ///< width, height
};

ReportOrigin origin_of(const std::string& command, const std::string& date, const std::string& machine) {
    return {.program = "isogon " ISOGON_VERSION ", bits " + std::to_string(bits_version),
            .date = date,
            .command = command,
            .machine = machine};
}

/// For the picture of coordinates that have more than three numbers.
Points plane_layout(const PointsView& coordinates, Nearness nearness, std::uint64_t seed, const RunContext& context) {
    const Metric metric = nearness == Nearness::Euclidean ? Metric::Euclidean : Metric::Cosine;
    Embedding map = umap(coordinates, {.metric = metric, .seed = seed}, context);
    throw_if_interrupted(map.summary.termination);
    return std::move(map.coordinates);
}

/// Method and options of a fit, and its summary as far as a page shows it.
std::optional<ReportRun> run_of(const std::optional<std::string>& method, const nb::dict& options,
                                const nb::dict& summary) {
    if (!method) {
        return std::nullopt;
    }
    ReportRun run{.method = *method, .options = to_options(options)};
    run.summary.message = nb::cast<std::string>(summary["message"]);
    run.summary.seed = nb::cast<std::uint64_t>(summary["seed"]);
    run.summary.threads = nb::cast<int>(summary["threads"]);
    const auto named = [&](const char* which, std::vector<std::pair<std::string, double>>& list) {
        for (const auto& [name, value] : nb::cast<nb::dict>(summary[which])) {
            list.emplace_back(nb::cast<std::string>(name), nb::cast<double>(value));
        }
    };
    named("seconds", run.summary.seconds);
    named("counts", run.summary.counts);
    named("measures", run.summary.measures);
    for (const nb::handle warning : nb::cast<nb::list>(summary["warnings"])) {
        run.summary.warn(nb::cast<std::string>(warning));
    }
    const auto trace = nb::cast<nb::dict>(summary["trace"]);
    const auto column = [&](const char* which) { return nb::cast<std::vector<double>>(trace[which]); };
    const std::vector<double> iterations = column("iteration");
    const std::vector<double> objectives = column("objective");
    const std::vector<double> changes = column("change");
    const std::vector<double> seconds = column("seconds");
    for (std::size_t k = 0; k < iterations.size(); ++k) {
        run.summary.trace.push_back({static_cast<int>(iterations[k]), objectives[k], changes[k], seconds[k]});
    }
    const auto ended = nb::cast<std::string>(summary["termination"]);
    for (const Termination reason : {Termination::Converged, Termination::IterationLimit, Termination::TimeLimit,
                                     Termination::Cancelled, Termination::Stalled, Termination::NumericalFailure}) {
        if (name(reason) == ended) {
            run.summary.termination = reason;
        }
    }
    return run;
}

/// A dictionary of lists of texts.
std::vector<PointColumn> columns_of(const nb::dict& columns) {
    std::vector<PointColumn> list;
    for (const auto& [name, values] : columns) {
        list.push_back({nb::cast<std::string>(name), nb::cast<std::vector<std::string>>(values)});
        for (std::string& value : list.back().values) {
            value = is_unknown_text(value) ? "" : value;
        }
    }
    return list;
}

/// Writes the page; gives back how many points it shows, what it warns of, and its verdict.
nb::tuple write_report(const RowArray& inputs, const RowArray& outputs, const std::string& path, bool overwrite,
                       const Naming& naming, const std::optional<ReportRun>& run, const ReportOrigin& origin,
                       const nb::dict& values, const RunSettings& settings) {
    const ReportOptions options = report_option_table().make(to_options(values));
    require_writable_target(path, overwrite);  // before minutes of work
    ReportSubject subject{.inputs = view_of(inputs, "X"),
                          .coordinates = view_of(outputs, "Y"),
                          .title = naming.title,
                          .name = naming.name,
                          .run = run,
                          .layout = plane_layout,
                          .origin = [&origin] { return origin; }};
    if (naming.labels) {
        const Labels labels = numbered_labels(*naming.labels);
        subject.labels = classes_of(labels.values, labels.names);
    }
    if (naming.words) {
        subject.words = *naming.words;
    }
    subject.columns = naming.columns;
    if (naming.image_shape) {
        subject.images = ImageShape{std::get<0>(*naming.image_shape), std::get<1>(*naming.image_shape)};
    }
    Report report;
    run_or_raise(settings, [&](const RunContext& context) {
        report = make_report(subject, options, context);
        if (report.document.empty()) {
            throw Interruption{report.summary.termination};
        }
        const std::string page = report_page(report.document);
        AtomicFile file(path, overwrite, page.size());
        file.write(page);
        file.commit();
    });
    return nb::make_tuple(report.points, report.warnings, report.verdict.text());
}

}  // namespace

void add_report(nb::module_& m) {
    m.def(
        "with_options_of_fit",
        [](const nb::dict& values, const std::string& method, const nb::dict& fit_options) {
            const OptionTable<ScoreOptions>& table = score_option_table();
            ScoreOptions options = table.make(to_options(values));
            use_options_of({.method = method, .options = to_options(fit_options)}, options);
            const OptionValues chosen = table.values(options);
            nb::dict all;
            all.update(values);
            for (const char* name : {"metric", "output-metric"}) {
                all[name] = to_text(chosen.at(name));
            }
            if (options.threshold) {
                all["threshold"] = *options.threshold;
            }
            return all;
        },
        nb::arg("options"), nb::arg("method"), nb::arg("fit_options"));
    m.def("report_options", [] { return to_python(report_option_table().specs()); });
    m.def(
        "write_report",
        [](const RowArray& x, const RowArray& y, const std::string& path, bool overwrite, const nb::dict& naming,
           const std::optional<std::string>& method, const nb::dict& fit_options, const nb::dict& summary,
           const nb::dict& origin, const nb::dict& options, const RunSettings& run) {
            const auto text = [](const nb::dict& from, const char* key) { return nb::cast<std::string>(from[key]); };
            const Naming names{
                text(naming, "title"),
                text(naming, "name"),
                nb::cast<std::optional<std::vector<std::string>>>(naming["labels"]),
                nb::cast<std::optional<std::vector<std::string>>>(naming["words"]),
                columns_of(naming["columns"]),
                nb::cast<std::optional<std::tuple<std::uint32_t, std::uint32_t>>>(naming["image_shape"])};
            return write_report(x, y, path, overwrite, names, run_of(method, fit_options, summary),
                                origin_of(text(origin, "command"), text(origin, "date"), text(origin, "machine")),
                                options, run);
        },
        nb::arg("x").noconvert(), nb::arg("y").noconvert(), nb::arg("path"), nb::arg("overwrite"), nb::arg("naming"),
        nb::arg("method").none(), nb::arg("fit_options"), nb::arg("summary"), nb::arg("origin"), nb::arg("options"),
        nb::arg("run"));
}

}  // namespace isogon::python
