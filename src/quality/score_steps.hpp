#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/quality/score.hpp"
#include "linalg/packed_points.hpp"

namespace isogon {

/// "1 point", "7 points".
[[nodiscard]] std::string points_text(std::size_t count);

/// The given threshold, else that of choose_threshold for `points`, in a phase "threshold".
[[nodiscard]] double given_or_chosen(const std::optional<double>& given, const PointsView& points, std::uint64_t seed,
                                     const RunContext& context, Summary& summary);

/// Points without a pair above the threshold.
struct Isolation {
    Index isolated = 0;
    Index points = 0;        ///< number of points looked at
    Index zero_vectors = 0;  ///< points without a direction, which are in no pair
    double threshold = 0.0;
};

/// Warns if more than a tenth of the points with a direction are isolated. The warning says that they have `missing`
/// ("no other point") above the threshold, and gives the remedy.
void warn_of_isolated(const Isolation& isolation, const std::string& missing, const std::string& remedy,
                      Summary& summary);

/// Records in the summary of a score that the context has ended it.
void end_early(const Interruption& interruption, Summary& summary);

struct NormScore {
    double mean = 0.0;  ///< mean of | |y_i| / |x_i| - 1 |
    double max = 0.0;
};

/// Compares lengths, point by point, over the points whose length in x is not zero; without any, all is 0.
[[nodiscard]] NormScore compare_norms(std::span<const double> x_lengths, std::span<const double> y_lengths);

/// The directions of all points, packed. O(n D).
[[nodiscard]] PackedPoints pack_all_directions(const PointsView& points, std::span<const double> lengths,
                                               const RunContext& context);

/// Inputs and their outputs, row by row.
struct PointPair {
    PointsView x;
    PointsView y;
};

/// The first step of a Score or a CrossScore, in a phase "norms": the lengths of inputs and outputs, their deviation
/// and the number of zero vectors.
template <class AnyScore>
void measure_norms(const PointPair& points, std::vector<double>& x_lengths, std::vector<double>& y_lengths,
                   AnyScore& result) {
    const PhaseTimer timer(result.summary, "norms");
    x_lengths = norms(points.x);
    y_lengths = norms(points.y);
    const NormScore lengths = compare_norms(x_lengths, y_lengths);
    result.norm_deviation_mean = lengths.mean;
    result.norm_deviation_max = lengths.max;
    result.zero_vectors = static_cast<Index>(std::count(x_lengths.begin(), x_lengths.end(), 0.0));
}

/// Adds the options by which both kinds of score find neighbours on each side.
template <class Options>
void add_metrics(OptionTable<Options>& table, std::vector<std::pair<std::string, OutputMetric>> more_outputs,
                 const std::string& more_help) {
    table.choice("metric", &Options::metric,
                 {{"auto", InputMetric::Auto},
                  {"cosine", InputMetric::Cosine},
                  {"euclidean", InputMetric::Euclidean},
                  {"correlation", InputMetric::Correlation}},
                 "How neighbours of inputs are found: the metric of the fit; auto: as for coordinates.");
    std::vector<std::pair<std::string, OutputMetric>> outputs{
        {"auto", OutputMetric::Auto}, {"cosine", OutputMetric::Cosine}, {"euclidean", OutputMetric::Euclidean}};
    std::ranges::move(more_outputs, std::back_inserter(outputs));
    table.choice("output-metric", &Options::output_metric, outputs,
                 "How neighbours of coordinates are found; auto: euclidean, or cosine where metric is cosine or "
                 "correlation and coordinates have more than 3 numbers" +
                     more_help + ".");
}

/// Adds the counts and the threshold that both kinds of score report to the summary.
template <class AnyScore>
void summarise_pairs(AnyScore& result) {
    result.summary.count("isolated points", result.isolated);
    result.summary.count("zero vectors", result.zero_vectors);
    result.summary.measure("threshold", result.threshold);
}

}  // namespace isogon
