#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/quality/score.hpp"

namespace isogon {

/// The labels of a report: the names of the classes, and the class of each point.
struct Classes {
    std::vector<std::string> names{};
    std::vector<std::uint32_t> index{};      ///< one a point; empty without labels
    std::optional<std::uint32_t> unknown{};  ///< the class of points without a known label, if there are any

    [[nodiscard]] bool empty() const { return index.empty(); }
};

/// Classes of labels as io/dataset.hpp has them. By number, in ascending order, named by their digits; where there are
/// names, of which labels are the places, by name, in the order of their bytes. Labels below 0 are the class "unknown",
/// which comes last. Throws InvalidArgument for a label that has no name. O(n log n).
[[nodiscard]] Classes classes_of(std::span<const std::int64_t> labels, std::span<const std::string> names = {});

/// The classes of the chosen points, with all names.
[[nodiscard]] Classes classes_of(const Classes& all, std::span<const std::uint32_t> chosen);

/// A column of facts about points: one text a point, empty where the value is unknown.
struct PointColumn {
    std::string name{};
    std::vector<std::string> values{};
};

/// The values of the chosen points.
[[nodiscard]] std::vector<PointColumn> chosen_rows(std::span<const PointColumn> columns,
                                                   std::span<const std::uint32_t> chosen);

/// The layout of inputs that are images: row by row, from the top.
struct ImageShape {
    Index width = 0;
    Index height = 0;
};

/// The run that computed the coordinates, if it is known.
struct ReportRun {
    std::string method{};
    OptionValues options{};  ///< the options as used; a "threshold" among them is the report's, too
    Summary summary{};
};

/// Program, machine and time of the report; empty fields are omitted.
struct ReportOrigin {
    std::string program{};  ///< "isogon 0.1.0, bits 1"
    std::string date{};     ///< ISO 8601
    std::string command{};
    std::string machine{};
    std::optional<std::uint64_t> memory_bytes{};
    std::optional<double> seconds{};
    std::vector<std::pair<std::string, double>> phases{};  ///< seconds by phase; make_report() fills in its own
};

/// The subject of a report: n inputs and their coordinates, row by row in the same order, and what is known of them.
/// Views and spans are borrowed.
struct ReportSubject {
    PointsView inputs{};
    PointsView coordinates{};
    std::string title{};                     ///< empty: composed of the name and the shapes
    std::string name = "coordinates";        ///< name of the coordinates in tables
    Classes labels{};                        ///< empty, or one a point
    std::span<const std::string> words{};    ///< empty, or one a point
    std::span<const PointColumn> columns{};  ///< what else is known of the points, for colours, filters and lists
    std::optional<ImageShape> images{};      ///< shape of the inputs, if they are images
    std::vector<Index> rows{};               ///< numbers of the points in their source; empty: 0, 1, ...
    std::uint64_t points_in_all = 0;         ///< number of points that these are sampled from; 0: they are all
    std::optional<ReportRun> run{};
    /// Places of coordinates of more than 3 numbers on a plane, for the picture: as many rows of 2 numbers, made by the
    /// nearness that they are judged by. None is shown where this is empty or throws InvalidArgument, InputError or
    /// LimitExceeded.
    std::function<Points(const PointsView& coordinates, Nearness nearness, std::uint64_t seed, const RunContext&)>
        layout{};
    std::function<ReportOrigin()> origin{};  ///< called after all measurements, so that it can include their time
    std::vector<std::string> warnings{};     ///< shown before the report's own
};

/// The threshold that the fit used; empty for methods without one.
[[nodiscard]] std::optional<double> threshold_of(const ReportRun& run);

/// Sets what a score leaves open to what the fit used that made the coordinates. Its threshold, if it had one. The
/// metric of inputs: its option "metric", where that is cosine, correlation or euclidean; distances for others, which
/// for hamming have the same order. Of coordinates: angles for methods that keep angles at the origin (tsm, svd, nmf),
/// distances for all others (faithful, t-SNE, UMAP, isomap, pca, ...).
void use_options_of(const ReportRun& run, ScoreOptions& options);

struct ReportOptions {
    std::optional<double> threshold{};       ///< cosine tau; empty: the run's, else chosen for a sparsity of 99%
    InputMetric metric = InputMetric::Auto;  ///< for lists, recall and similar measures: the run's, else as
    OutputMetric output_metric = OutputMetric::Auto;  ///< metrics_of() says; not InnerProduct
    int neighbors = 10;    ///< in each list, and of recall, votes and their like, as in score(); of fewer points all
    int points = 100000;   ///< most points that are shown and compared; of more a sample is taken
    int rank_rows = 5000;  ///< points over which recall, trustworthiness and similar measures are computed
    std::uint64_t seed = 0;
};

[[nodiscard]] const OptionTable<ReportOptions>& report_option_table();

/// Judges the uses of coordinates as good, fair or poor: phrases, each with its number and what chance would give.
struct Verdict {
    std::vector<std::string> good{};
    std::vector<std::string> fair{};
    std::vector<std::string> outdone{};  ///< good or fair, but the baseline does better
    std::vector<std::string> poor{};
    std::vector<std::string> chance{};  ///< no better than chance, as far as these points show
    std::string baseline{};             ///< "PCA to 2 dimensions"; by angle the SVD. Empty where there is none

    /// "Good for: finding similar items (80% of the 10 nearest kept; chance 0.2%). Not for: ..."
    [[nodiscard]] std::string text() const;
};

struct Report {
    std::string document{};  ///< JSON, docs/report_data.md; for report_page(). Empty where the context ended the run
    Score score{};           ///< score of the coordinates; points in `kept` by their numbers in the source
    std::optional<Score> svd{};  ///< score of the inputs' SVD in as many dimensions, or of their PCA where coordinates
                                 ///< are judged by distance; none where the inputs have fewer
    Verdict verdict{};
    std::vector<std::string> warnings{};  ///< shown at the top of the page
    Index points = 0;                     ///< number of points that the report shows
    Summary summary{};
};

/// The points that a report of `count` points shows: all, or a sample. Ascending. O(count).
[[nodiscard]] std::vector<Index> reported_rows(Index count, const ReportOptions& options);

/// Compares coordinates with their inputs and writes one document with all data of the report's page. Angles and scores
/// are those of score(), for the coordinates and for the SVD; neighbours are nearest by angle or by distance, by the
/// options. Images are shown as thumbnails of at most 32 x 32 pixels, unless they take more than 14 MB: then a
/// warning of the report states it. Of coordinates of more than 64 numbers, or of more than 1.2 million in all, the
/// principal axes of largest variance are shown.
///
/// The document does not depend on the number of threads, except for threads and seconds of the run and the origin.
/// After an interruption summary.termination gives the reason, and there is no document. Throws InvalidArgument for
/// options out of bounds, fewer than 2 points, other counts of points, labels, words, values of a column or rows, a
/// column's name that is empty or another's, and an image shape that is not that of the inputs; InputError for values
/// that are not finite; LimitExceeded. Time O(n^2 (D + d)): 70,000 images of 784 numbers take some minutes on two
/// cores; memory that of score(), n d floats, and the document.
[[nodiscard]] Report make_report(const ReportSubject& subject, const ReportOptions& options = {},
                                 const RunContext& context = {});

/// The report's page without data: one self-contained HTML file (viewer/), built into the library.
[[nodiscard]] std::string_view empty_report_page();

/// The page with a document in it (docs/report_data.md), as UTF-8: the content of a report's file. '<', U+2028 and
/// U+2029 are escaped, so that no text of the document can end the element that contains it; all else is copied
/// unchanged. Throws InvalidArgument for an empty one.
[[nodiscard]] std::string report_page(std::string_view document);

}  // namespace isogon
