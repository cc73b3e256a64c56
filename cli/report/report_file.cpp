#include "report/report_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ctime>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <thread>

#include "files/output_files.hpp"
#include "io/atomic_file.hpp"
#include "io/word_lists.hpp"
#include "isogon/core/archive.hpp"
#include "isogon/core/error.hpp"
#include "isogon/report/report.hpp"
#include "methods/forces.hpp"
#include "program/failure.hpp"
#include "program/option_flags.hpp"
#include "report/columns_file.hpp"
#include "score/score.hpp"

namespace isogon::cli {

namespace {

/// One name a row, those of the picked rows.
std::vector<std::string> read_words(const std::vector<std::string>& paths, const InputFlags& reading,
                                    std::uint64_t rows_in_files) {
    std::vector<std::string> names;
    for (const std::string& path : paths) {
        const auto more = read_names(path);
        names.insert(names.end(), more.begin(), more.end());
    }
    if (names.size() != rows_in_files) {
        throw InputError(paths.front(), "",
                         fmt::format("{} words for {} points; give one a line for each row of the input files, in "
                                     "their order",
                                     names.size(), rows_in_files));
    }
    std::vector<std::string> picked;
    for (const Index row : row_picker(reading).rows(0, names.size())) {
        picked.push_back(std::move(names[row]));
    }
    return picked;
}

ImageShape parse_shape(const std::string& text) {
    const std::size_t cross = text.find('x');
    if (cross == std::string::npos) {
        throw InvalidArgument("--image-shape", text, "must be width x height in pixels, as in 28x28");
    }
    constexpr std::int64_t most = std::numeric_limits<Index>::max();
    return {static_cast<Index>(parse_whole("--image-shape", text.substr(0, cross), 1, most)),
            static_cast<Index>(parse_whole("--image-shape", text.substr(cross + 1), 1, most))};
}

/// The shape of images: that of --image-shape, else that of the file, else none.
std::optional<ImageShape> image_shape(const ReportFlags& flags, const std::vector<std::string>& inputs,
                                      const InputFlags& reading, Index dimension) {
    if (flags.no_images) {
        if (!flags.image_shape.empty()) {
            throw UsageError("--image-shape with --no-images: there is nothing to show; leave out one of the two");
        }
        return std::nullopt;
    }
    if (!flags.image_shape.empty()) {
        const ImageShape shape = parse_shape(flags.image_shape);
        if (std::uint64_t{shape.width} * shape.height != dimension) {
            throw InvalidArgument("--image-shape", flags.image_shape,
                                  fmt::format("must have as many pixels as the inputs have numbers, {}", dimension));
        }
        return shape;
    }
    const auto sides = describe_file(inputs.front(), read_options(reading)).shape;
    return sides.size() == 3 ? std::optional(ImageShape{static_cast<Index>(sides[2]), static_cast<Index>(sides[1])})
                             : std::nullopt;
}

}  // namespace

void add_labels_flag(CLI::App& app, ReportFlags& flags) {
    add_value(app, "--labels FILE", flags.labels,
              "Labels of the inputs; numbers (.npy, IDX), or text with one a line. Give it once for each file, in "
              "their order")
        ->allow_extra_args(false)
        ->group("Report");
}

void add_columns_flag(CLI::App& app, ReportFlags& flags) {
    add_value(
        app, "--columns FILE", flags.columns,
        "A table of what else is known of the inputs, to colour and filter the page by (.csv, .tsv): names of the "
        "columns in the first line, then one line for each row of the input files; numbers, dates (2026-11-30) "
        "and any text")
        ->group("Report");
}

void add_report_flags(CLI::App& app, ReportFlags& flags) {
    add_labels_flag(app, flags);
    add_columns_flag(app, flags);
    const FlagGroup group(app, "Report");
    add_value(app, "--words FILE", flags.words,
              "Names of the points, text with one a line, likewise; those of word vectors are known without it")
        ->allow_extra_args(false);
    add_value(app, "--image-shape WxH", flags.image_shape,
              "The inputs are images of this width and height; known of IDX and of .npy of rank 3");
    app.add_flag("--no-images", flags.no_images, "Show no pictures, so that the file stays small");
    add_value(app, "--title TEXT", flags.title, "What stands on top of the page");
}

namespace {

/// The processor's name in Linux; empty elsewhere.
std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return {};
}

/// The machine of a run: "2 cores, AMD EPYC 9B14"; only the number of cores if the system does not name the processor.
std::string machine_text() {
    const unsigned cores = std::thread::hardware_concurrency();
    const std::string name = processor();
    return fmt::format("{} {}{}{}", cores, cores == 1 ? "core" : "cores", name.empty() ? "" : ", ", name);
}

/// The time now, in UTC: "2026-11-22T05:00:00Z".
std::string date_text() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

/// For the picture of coordinates that have more than three numbers.
Points plane_layout(const PointsView& coordinates, Nearness nearness, std::uint64_t seed, const RunContext& context) {
    const Metric metric = nearness == Nearness::Euclidean ? Metric::Euclidean : Metric::Cosine;
    Embedding map = umap(coordinates, {.metric = metric, .seed = seed}, context);
    require_finished(map.summary);
    return std::move(map.coordinates);
}

}  // namespace

ReportOrigin report_origin(const Session& session) {
    return {.program = "isogon " ISOGON_VERSION ", bits " + std::to_string(bits_version),
            .date = date_text(),
            .command = session.command(),
            .machine = machine_text(),
            .memory_bytes = peak_memory_bytes(),
            .seconds = session.seconds()};
}

ReportFile::ReportFile(const ReportFlags& flags, const std::vector<std::string>& inputs, const InputFlags& reading,
                       const InputFacts& facts, Index dimension)
    : flags_(flags) {
    if (!wanted()) {
        return;
    }
    if (!flags.file.ends_with(".html")) {
        throw UsageError(flags.file + ": a report is a page; give it a name that ends in .html");
    }
    if (reading.every != "1" || reading.from != "0") {
        picked_ = row_picker(reading).rows(0, facts.rows_in_files);
    }
    const Labels labels = read_picked_labels(flags.labels, reading, facts);
    labels_ = classes_of(labels.values, labels.names);
    words_ = flags.words.empty() ? facts.words : read_words(flags.words, reading, facts.rows_in_files);
    images_ = image_shape(flags, inputs, reading, dimension);
}

void ReportFile::take_columns(const InputFlags& reading, const InputFacts& facts, const Session& session) {
    if (wanted() && !flags_.columns.empty()) {
        columns_ = read_columns(flags_.columns, reading, facts.rows_in_files, session);
    }
}

/// Replaces positions among selected rows by row numbers of the files.
void ReportFile::number_by_file(ReportSubject& subject) const {
    if (picked_.empty()) {
        return;
    }
    if (subject.rows.empty()) {
        subject.rows = picked_;
        return;
    }
    for (Index& row : subject.rows) {
        row = picked_[row];
    }
}

Report ReportFile::make(ReportSubject subject, Session& session) const {
    subject.title = flags_.title;
    subject.images = images_;
    subject.layout = plane_layout;
    subject.origin = [&session] { return report_origin(session); };
    if (subject.run) {
        const std::vector<std::string> warnings = in_flags(subject.run->summary.warnings);
        subject.run->summary.warnings.assign(warnings.begin(), warnings.end());
    }
    number_by_file(subject);
    Report report = make_report(subject, flags_.options, session.context());
    session.end_progress();
    if (report.document.empty()) {
        throw Interruption{report.summary.termination};
    }
    write_text(flags_.file, report_page(report.document), session);
    return report;
}

Report ReportFile::write(const PointsView& inputs, const PointsView& coordinates, const std::string& name,
                         const std::optional<ReportRun>& run, Session& session) const {
    return make({.inputs = inputs,
                 .coordinates = coordinates,
                 .name = name,
                 .labels = labels_,
                 .words = words_,
                 .columns = columns_,
                 .run = run},
                session);
}

Report ReportFile::write(const RowSource& inputs, const RowSource& coordinates, const std::string& name,
                         const std::optional<ReportRun>& run, Session& session) const {
    const std::vector<Index> rows = reported_rows(inputs.count(), flags_.options);
    const std::uint64_t numbers = std::uint64_t{inputs.dimension()} + coordinates.dimension();
    session.reserve("the points of the report", rows.size() * numbers * sizeof(float),
                    "raise --memory-limit, or report fewer points");
    const Points x = read_rows(inputs, rows);
    const Points y = read_rows(coordinates, rows);
    const bool sampled = rows.size() < inputs.count();
    const std::vector<PointColumn> columns = chosen_rows(columns_, rows);
    std::vector<std::string> words;
    for (const Index row : rows) {
        if (!words_.empty()) {
            words.push_back(words_[row]);
        }
    }
    return make({.inputs = x.view(),
                 .coordinates = y.view(),
                 .name = name,
                 .labels = labels_.empty() ? Classes{} : classes_of(labels_, rows),
                 .words = words,
                 .columns = columns,
                 .rows = sampled ? rows : std::vector<Index>{},
                 .points_in_all = inputs.count(),
                 .run = run},
                session);
}

void ReportFile::add_to(Outcome& outcome, const std::function<Report()>& write) const {
    if (!wanted()) {
        return;
    }
    outcome.json["report"] = nullptr;
    if (outcome.written.empty() || outcome.code != ExitCode::Ok) {
        if (!outcome.failure.empty()) {
            outcome.failure += "; no report was made";
        }
        return;
    }
    const std::string standing =
        "; the coordinates are in " + outcome.written + ", the report was not made: isogon report makes it";
    try {
        const Report report = write();
        outcome.json["report"] = to_json(report, flags_.file);
        outcome.text += described(report, flags_.file);
    } catch (const Interruption& interruption) {
        outcome.code = exit_code(interruption.reason);
        outcome.failure = (outcome.code == ExitCode::OverLimit ? "stopped by --time-limit" : "interrupted") + standing;
    } catch (const Error&) {
        const Failure failure = describe_current_exception();
        outcome.code = failure.code;
        outcome.failure = failure.message + standing;
    }
}

Json to_json(const Report& report, const std::string& file) {
    return {{"file", file},
            {"points", report.points},
            {"verdict",
             {{"good", report.verdict.good},
              {"fair", report.verdict.fair},
              {"outdone", report.verdict.outdone},
              {"poor", report.verdict.poor},
              {"chance", report.verdict.chance},
              {"baseline", report.verdict.baseline}}},
            {"quality", to_json(report.score)},
            {"svd", report.svd ? to_json(*report.svd) : Json(nullptr)},
            {"warnings", report.warnings}};
}

std::string described(const Report& report, const std::string& file) {
    const bool by_angle = report.score.metrics.output == Nearness::Cosine;
    const auto beside = [&](double Score::*measure, int digits) {
        return report.svd ? fmt::format(" ({}: {:.{}f})", by_angle ? "SVD" : "PCA", (*report.svd).*measure, digits)
                          : std::string();
    };
    std::string text = fmt::format("{}: a report of {} points, to be opened in a browser\n", file, report.points);
    text += report.verdict.text() + "\n";
    text += fmt::format("recall at {} {:.3f}{}, of the {}", report.score.neighbors, report.score.recall,
                        beside(&Score::recall, 3), nearest_text(report.score.metrics));
    if (by_angle) {
        text += fmt::format("; angles off by {:.2f} degrees{}", report.score.deviation_without_self_degrees,
                            beside(&Score::deviation_without_self_degrees, 2));
    }
    text += "\n";
    for (const std::string& warning : report.warnings) {
        text += fmt::format("  - {}\n", warning);
    }
    return text;
}

}  // namespace isogon::cli
