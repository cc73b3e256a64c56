#include "isogon/report/report.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "core/random.hpp"
#include "isogon/core/error.hpp"
#include "pairs/row_sample.hpp"
#include "report/document.hpp"
#include "report/json_writer.hpp"
#include "report/measures.hpp"
#include "report/point_columns.hpp"

namespace isogon {

namespace {

void require_one_each(const std::string& name, std::uint64_t count, Index points) {
    if (count != points) {
        throw InvalidArgument(name, std::to_string(count),
                              "must be as many as the inputs, of which there are " + std::to_string(points));
    }
}

void require_columns(std::span<const PointColumn> columns, Index points) {
    std::set<std::string> names;
    for (const auto& [name, values] : columns) {
        if (name.empty() || !names.insert(name).second) {
            throw InvalidArgument("columns", '"' + name + '"',
                                  name.empty() ? "must not be empty: each column needs a name"
                                               : "is the name of two columns: each needs its own");
        }
        if (values.size() != points) {
            throw InvalidArgument("columns", '"' + name + "\" of " + count_text(values.size()) + " values",
                                  "must have one for each input, of which there are " + count_text(points));
        }
    }
}

void require_image_shape(const ReportSubject& subject) {
    if (!subject.images) {
        return;
    }
    const auto [width, height] = *subject.images;
    if (std::uint64_t{width} * height != subject.inputs.dimension || width == 0) {
        throw InvalidArgument(
            "images", std::to_string(width) + " x " + std::to_string(height),
            "must have as many pixels as the inputs have numbers, " + std::to_string(subject.inputs.dimension));
    }
}

void require_shapes(const ReportSubject& subject) {
    const Index count = subject.inputs.count;
    if (count < 2) {
        throw InvalidArgument("inputs", points_count_text(count),
                              "must have at least 2 points, for angles are those of pairs");
    }
    for (const auto& [name, points] : {std::pair{"inputs", &subject.inputs}, {"coordinates", &subject.coordinates}}) {
        if (points->dimension == 0) {
            throw InvalidArgument(name, "0 dimensions", "must have at least 1 dimension");
        }
    }
    require_one_each("coordinates", subject.coordinates.count, count);
    require_one_each("labels", subject.labels.empty() ? count : subject.labels.index.size(), count);
    require_one_each("words", subject.words.empty() ? count : subject.words.size(), count);
    require_columns(subject.columns, count);
    require_one_each("rows", subject.rows.empty() ? count : subject.rows.size(), count);
    require_image_shape(subject);
}

/// States the memory beside that of the measures: lists, pictures before their size is known, and the document, which
/// needs three times its size while it is written into a page. Compressed numbers grow little: base64 adds a third.
void require_report_memory(const ReportSubject& subject, const ReportOptions& options, const RunContext& context) {
    constexpr std::uint64_t copies = 3;
    const std::uint64_t count = subject.inputs.count;
    const std::uint64_t listed = count * list_size(subject.inputs.count, options) * 2;
    const std::uint64_t lists = listed * sizeof(std::uint64_t);
    const std::uint64_t shown = shown_dimensions(subject.inputs.count, subject.coordinates.dimension);
    const std::uint64_t pictures = subject.images ? count * std::min<std::uint64_t>(subject.inputs.dimension, 1024) : 0;
    const std::uint64_t facts = subject.columns.size() * sizeof(double);
    const std::uint64_t numbers = count * (shown * sizeof(std::uint16_t) + sizeof(std::uint64_t) + facts);
    require_memory(context,
                   {{"lists of neighbours", lists},
                    {"how far these are, before it is packed", listed * sizeof(double)},
                    {"pictures", pictures * 4 / 3},
                    {"the report's text", (lists + numbers) * 4 / 3 * copies}},
                   "show fewer points, or no pictures");
}

ReportOrigin origin_of(const ReportSubject& subject, const Summary& summary) {
    if (!subject.origin) {
        return {};
    }
    ReportOrigin origin = subject.origin();
    origin.phases = summary.seconds;
    return origin;
}

/// Points by their numbers in the source, as readers of the page know them.
void number_as_in_source(Score& score, const ReportSubject& subject) {
    if (!subject.rows.empty()) {
        for (Index& row : score.kept.rows) {
            row = subject.rows[row];
        }
    }
}

/// For a subject that is small enough.
void report_on(const ReportSubject& subject, const ReportOptions& options, const RunContext& context, Report& report) {
    require_report_memory(subject, options, context);
    Measures measures = take_measures(subject, options, context, report.summary);
    number_as_in_source(measures.score, subject);
    if (measures.svd) {
        number_as_in_source(*measures.svd, subject);
    }
    report.verdict = measures.verdict;
    report.warnings = report_warnings(subject, measures);
    for (const std::string_view name : empty_columns(subject.columns)) {
        report.warnings.push_back("The column \"" + std::string(name) +
                                  "\" has no value for any point; it is left out.");
    }
    report.points = subject.inputs.count;
    {
        const PhaseTimer timer(report.summary, "writing");
        const ReportOrigin origin = origin_of(subject, report.summary);
        ReportDocument document = write_document(subject, measures, origin, report.warnings);
        report.document = std::move(document.json);
        report.warnings = std::move(document.warnings);
    }
    report.score = std::move(measures.score);
    report.svd = std::move(measures.svd);
}

void report_on_sample(const ReportSubject& subject, const ReportOptions& options, const RunContext& context,
                      Report& report) {
    const std::vector<Index> rows = reported_rows(subject.inputs.count, options);
    require_memory(context, {{"the points that are shown", SampledSubject::bytes(subject, rows.size())}},
                   "show fewer points");
    const SampledSubject sample(subject, rows);
    report_on(sample.subject, options, context, report);
}

}  // namespace

const OptionTable<ReportOptions>& report_option_table() {
    static const OptionTable<ReportOptions> table = [] {
        OptionTable<ReportOptions> t;
        t.number("threshold", &ReportOptions::threshold, {.minimum = 0.0, .maximum = 1.0, .open = true},
                 "Cosine above which pairs of inputs count; auto: chosen so that 99% of pairs do not.");
        t.choice("metric", &ReportOptions::metric,
                 {{"auto", InputMetric::Auto},
                  {"cosine", InputMetric::Cosine},
                  {"euclidean", InputMetric::Euclidean},
                  {"correlation", InputMetric::Correlation}},
                 "How neighbours of inputs are found; auto: by the metric of the fit, if it is known, else as for "
                 "coordinates.");
        t.choice(
            "output-metric", &ReportOptions::output_metric,
            {{"auto", OutputMetric::Auto}, {"cosine", OutputMetric::Cosine}, {"euclidean", OutputMetric::Euclidean}},
            "How neighbours of coordinates are found; auto: by what the method keeps, if it is known, else "
            "euclidean, or cosine where metric is cosine or correlation and coordinates have more than 3 numbers.");
        t.integer("neighbors", &ReportOptions::neighbors, {.minimum = 1},
                  "Neighbours that each list shows, and of recall, trustworthiness and k-nn accuracy.");
        t.integer("points", &ReportOptions::points, {.minimum = 2},
                  "Most points that are compared and shown; of more a sample is taken. More is slower and larger.");
        t.integer("rank-rows", &ReportOptions::rank_rows, {.minimum = 1},
                  "Points whose neighbours are ranked: all up to this number, else a sample; more is slower.");
        t.integer("seed", &ReportOptions::seed, {}, "Seed of the samples.");
        return t;
    }();
    return table;
}

std::vector<Index> reported_rows(Index count, const ReportOptions& options) {
    return sample_rows(count, static_cast<Index>(options.points), options.seed, RandomStream::ReportedPoints);
}

Report make_report(const ReportSubject& subject, const ReportOptions& options, const RunContext& context) {
    report_option_table().validate(options);
    require_shapes(subject);
    require_finite(subject.inputs, "inputs");
    require_finite(subject.coordinates, "coordinates");
    Report report;
    report.summary.seed = options.seed;
    report.summary.threads = context.thread_count();
    try {
        const bool all = subject.inputs.count <= static_cast<Index>(options.points);
        (all ? report_on : report_on_sample)(subject, options, context, report);
        report.summary.message = "a report of " + points_count_text(report.points);
    } catch (const Interruption& interruption) {
        report.document.clear();
        report.summary.termination = interruption.reason;
        report.summary.message = "ended before the report was whole";
    }
    return report;
}

Classes classes_of(std::span<const std::int64_t> labels, std::span<const std::string> names) {
    const auto before = [&](std::int64_t a, std::int64_t b) {
        return names.empty() ? a < b : names[static_cast<std::size_t>(a)] < names[static_cast<std::size_t>(b)];
    };
    std::vector<std::int64_t> known;
    std::copy_if(labels.begin(), labels.end(), std::back_inserter(known),
                 [](std::int64_t label) { return label >= 0; });
    const auto count = static_cast<std::int64_t>(names.size());
    if (const auto beyond =
            std::find_if(known.begin(), known.end(), [&](std::int64_t label) { return label >= count; });
        count > 0 && beyond != known.end()) {
        throw InvalidArgument("labels", std::to_string(*beyond),
                              "must be the place of one of the " + std::to_string(count) + " names, from 0");
    }
    const bool all_known = known.size() == labels.size();
    std::sort(known.begin(), known.end(), before);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    Classes classes;
    for (const std::int64_t label : known) {
        classes.names.push_back(names.empty() ? std::to_string(label) : names[static_cast<std::size_t>(label)]);
    }
    if (!all_known) {
        classes.unknown = static_cast<std::uint32_t>(classes.names.size());
        classes.names.emplace_back("unknown");
    }
    classes.index.reserve(labels.size());
    for (const std::int64_t label : labels) {
        const auto place = label < 0 ? known.end() : std::lower_bound(known.begin(), known.end(), label, before);
        classes.index.push_back(static_cast<std::uint32_t>(place - known.begin()));
    }
    return classes;
}

std::vector<PointColumn> chosen_rows(std::span<const PointColumn> columns, std::span<const std::uint32_t> chosen) {
    std::vector<PointColumn> rows;
    for (const auto& [name, values] : columns) {
        rows.push_back({name, {}});
        rows.back().values.reserve(chosen.size());
        for (const std::uint32_t point : chosen) {
            rows.back().values.push_back(values.at(point));
        }
    }
    return rows;
}

Classes classes_of(const Classes& all, std::span<const std::uint32_t> chosen) {
    Classes classes{all.names, {}, all.unknown};
    classes.index.reserve(chosen.size());
    for (const std::uint32_t point : chosen) {
        classes.index.push_back(all.index.at(point));
    }
    return classes;
}

namespace {
// The one line of the page that changes (docs/report_data.md).
constexpr std::string_view begin_of_data = R"(<script id="isogon-data" type="application/json">)";
constexpr std::string_view no_data = "null</script>";
}  // namespace

std::string_view empty_report_page() {
    return page_bytes();
}

std::string report_page(std::string_view document) {
    if (document.empty()) {
        throw InvalidArgument("document", "no text", "must be a JSON document, see docs/report_data.md");
    }
    const std::string_view page = empty_report_page();
    const std::size_t line = page.find(std::string(begin_of_data).append(no_data));
    if (line == std::string_view::npos) {
        throw Error("the page that is built into this library has no place for data; build viewer/ again");
    }
    const std::size_t data = line + begin_of_data.size();
    constexpr std::string_view null = "null";
    const std::string escaped = escaped_for_page(document);
    std::string whole;
    whole.reserve(page.size() + escaped.size());
    whole.append(page.substr(0, data)).append(escaped).append(page.substr(data + null.size()));
    return whole;
}

}  // namespace isogon
