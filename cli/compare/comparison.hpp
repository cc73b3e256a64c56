#pragma once
// A comparison of methods: its plan, its rows, and their table, JSON and charts.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compare/cached_runs.hpp"
#include "files/input_files.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/quality/score.hpp"
#include "isogon/report/report.hpp"
#include "program/json.hpp"
#include "program/session.hpp"
#include "registry/fit_series.hpp"
#include "report/chart_document.hpp"

namespace isogon::cli {

/// A method and the options with which it is compared; one curve.
struct MethodVariant {
    std::string name;  ///< name as on the command line: "tsm", "tsm:solver=sphere"
    std::string method;
    OptionValues options;  ///< all but the dimension
};

/// Parses "faithful,tsm:solver=sphere,isomap:graph=tsm:components=bridge". `seed` and `threshold`, if set, are passed
/// to every method that has such an option and no value of its own for it (to isomap only with the graph of tsm, where
/// it has an effect). Throws UsageError for invalid syntax and for duplicates; InvalidArgument for an unknown method or
/// option and a value out of bounds.
[[nodiscard]] std::vector<MethodVariant> parse_variants(const std::string& text, std::optional<std::int64_t> seed,
                                                        std::optional<double> threshold);

/// Parses "4,8,16": integers, at least 1, without duplicates. Throws InvalidArgument, naming the flag.
[[nodiscard]] std::vector<std::int64_t> parse_dimensions(const std::string& flag, const std::string& text);

/// The fit of this variant with this dimension.
[[nodiscard]] FitRequest fit_of(const MethodVariant& variant, std::int64_t dimension);

/// A fit, or coordinates from a file, and their score.
struct ComparedRow {
    std::string name;  ///< name of its curve
    SeriesRole role = SeriesRole::Other;
    std::int64_t dimension = 0;
    std::optional<Score> score{};     ///< empty: refused
    std::optional<double> seconds{};  ///< time of the fit alone, when it was made; empty: not made here
    bool cached = false;              ///< from the cache, where an earlier command left it
    std::string same_as{};            ///< the name under which this command made the same run before
    std::string refused{};
    std::string termination{};
    OptionValues options{};  ///< the options as used
    std::string file{};      ///< file that coordinates come from
    Points map{};            ///< for two dimensions: coordinates of at most 3,000 points, the same ones in all rows
};

/// A measure of rows, and its names.
struct Measure {
    std::string key;    ///< in JSON
    std::string title;  ///< title of a chart
    std::string label;  ///< label of its axis: up to 40 letters are shown
    std::optional<double> (*of)(const ComparedRow&);
    Best best = Best::None;
    bool is_share = false;  ///< between 0 and 1
    std::string note{};     ///< below its chart: what is measured
};

/// The measures in the order of the columns: those of score, then the seconds. k-nn accuracy only where a row has it.
[[nodiscard]] std::vector<Measure> measures_of(const std::vector<ComparedRow>& rows);

/// Aligned columns, reasons of refused rows at the end of theirs.
[[nodiscard]] std::string table_text(const std::vector<ComparedRow>& rows);

/// [{"name": ..., "dimension": ..., "measures": {...}, "seconds": ..., "refused": null, ...}, ...]
[[nodiscard]] Json rows_json(const std::vector<ComparedRow>& rows);

/// A curve for each name over the dimension, one chart a measure, all over the same dimensions; none where there is one
/// dimension, of which the table tells all.
[[nodiscard]] std::vector<Chart> charts_of(const std::vector<ComparedRow>& rows);
/// The rows of each dimension as a table, with what chance would give. `labels`: of all points, or none.
[[nodiscard]] std::vector<ChartTable> tables_of(const std::vector<ComparedRow>& rows,
                                                const std::vector<std::int64_t>& labels);

/// The rows of two dimensions as maps, with the share of neighbours that each keeps. `labels`: of all points, or none.
[[nodiscard]] std::vector<ChartMap> maps_of(const std::vector<ComparedRow>& rows,
                                            const std::vector<std::int64_t>& labels, Index points, std::uint64_t seed);

/// The points that maps show. Ascending.
[[nodiscard]] std::vector<Index> mapped_rows(Index points, std::uint64_t seed);

/// Ours for faithful, Baseline for svd and pca, Other for the rest.
[[nodiscard]] SeriesRole role_of(const std::string& method);

/// Coordinates from a file, made by another program.
struct ExternalCoordinates {
    std::string name;
    std::string file;
    Input y;
    std::optional<ReportRun> run{};  ///< the run that made them, if it is known
};

/// Methods, dimensions and files that are compared, and how they are scored.
struct ComparisonPlan {
    std::vector<MethodVariant> variants{};
    std::vector<std::int64_t> dimensions{};
    std::vector<ExternalCoordinates> external{};
    std::vector<std::int64_t> labels{};  ///< empty: none
    ScoreOptions options{};              ///< an empty threshold is chosen once for all
};

/// Result of a comparison.
struct Comparison {
    std::vector<ComparedRow> rows;
    std::vector<std::string> warnings;  ///< from fits and scores, with the row each belongs to unless it is every row
    std::size_t wanted = 0;             ///< number of rows of a complete comparison
    std::optional<double> threshold{};  ///< empty: ended before one was chosen
    Summary summary;                    ///< termination, seconds of shared steps, counts
};

/// Fits and scores all variants, dimension by dimension, so that an interrupted comparison has all methods of the first
/// dimensions; a refusal, by a fit or its score, is a row. If the session ends the run, the rows so far are returned.
/// Throws as FitSeries and choose_threshold do, and InvalidArgument if there are not more points than neighbours,
/// before the first fit.
[[nodiscard]] Comparison compare(const PointsView& points, const ComparisonPlan& plan, RunCache& cache,
                                 Session& session);

}  // namespace isogon::cli
