#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"

namespace isogon {

/// Per-point results of the pass over all pairs: how reliable each point's position is.
struct PointAngles {
    /// Mean of |angle in y - angle in x| over the point's pairs above the threshold in x, itself not counted; 0 without
    /// any.
    std::vector<double> deviation_degrees{};
    std::vector<std::uint64_t> pairs{};  ///< how many those are; 0: a zero vector or isolated
};

/// The measure by which two points are near: a small distance or a large cosine.
enum class Nearness { Euclidean, Cosine };

/// How neighbours of inputs are found; Auto: as metrics_of() says. Correlation: by cosine among rows less their means.
enum class InputMetric { Auto, Cosine, Euclidean, Correlation };

/// The same of coordinates. InnerProduct: recall finds them by inner product, where the last coordinate of the query
/// point is negated: rows [y, s] that rank j for i by y_i.y_j - s_i s_j. All other measures then use y alone, by
/// cosine.
enum class OutputMetric { Auto, Cosine, Euclidean, InnerProduct };

/// The measure by which neighbours are nearest, on each side.
struct SideMetrics {
    Nearness input = Nearness::Cosine;
    Nearness output = Nearness::Cosine;
    bool inner_product = false;  ///< coordinates have a last number that only recall uses
    bool correlation = false;    ///< inputs are compared as rows less their means; input is Cosine then

    /// Names as in the options: "cosine", "correlation" or "euclidean", and "cosine", "euclidean" or "inner-product".
    [[nodiscard]] std::string_view input_name() const;
    [[nodiscard]] std::string_view output_name() const;

    bool operator==(const SideMetrics&) const = default;
};

struct ScoreOptions {
    std::optional<double> threshold{};  ///< cosine tau; empty: chosen for a sparsity of 99% from a sample
    int neighbors = 10;                 ///< k of recall@k, trustworthiness, continuity, k-nn accuracy; below n
    InputMetric metric = InputMetric::Auto;
    OutputMetric output_metric = OutputMetric::Auto;
    int angle_rows = 20000;  ///< rows whose angles with all other points are compared: all up to this number, else a
                             ///< sample: O(n^2) of all, and the measures of a sample have its chance error
    int rank_rows = 20000;   ///< rows over which the rank measures are computed: all up to this number, else a sample
    std::uint64_t seed = 0;
};

[[nodiscard]] const OptionTable<ScoreOptions>& score_option_table();

/// The metrics that options choose for coordinates of `dimension` numbers. Where neither side is given: distances on
/// both, for the origin of coordinates that nothing is known of seldom means anything. A side that is not given follows
/// the one that is; but a map (at most 3 numbers) goes by distances also where its inputs go by cosine or correlation.
[[nodiscard]] SideMetrics metrics_of(const ScoreOptions& options, Index dimension);

/// How faithful coordinates y are to inputs x.
struct Score {
    double mean_angular_deviation_degrees = 0.0;  ///< over pairs with cos(x_i, x_j) > tau, the diagonal counted
    double jaccard = 0.0;  ///< Jaccard index of the pairs above tau in x and in y, the diagonal counted
    double deviation_without_self_degrees =
        0.0;                            ///< the same two without the diagonal, over pairs of different points:
    double jaccard_without_self = 0.0;  ///< 0 and 1 without any
    double norm_deviation_mean = 0.0;   ///< mean of | |y|/|x| - 1 | over points that are not zero
    double norm_deviation_max = 0.0;
    double recall = 0.0;  ///< share of the k nearest in x that are among the k nearest in y, each by its metric; by
                          ///< cosine over points that are no zero vectors in x (1 without any)
    double chance_recall = 0.0;  ///< recall of a y with all points at one place: k / (n - 1), more where x ties
    double all_kept = 0.0;       ///< share of the same points of which all k are
    double kept_in_order = 0.0;  ///< share of the same points whose k are kept in the same order
    KeptNeighbors kept{};        ///< the same, point by point
    double trustworthiness =
        0.0;                  ///< 1 - the ranks in x by which neighbours in y are none in x, over the most possible
    double continuity = 0.0;  ///< the same with x and y exchanged; both as Venna and Kaski (2001), for any k
    std::optional<double> knn_accuracy;         ///< leave-one-out in y, with labels only
    std::optional<double> knn_accuracy_inputs;  ///< the same in x: what y can be expected to reach
    Index points = 0;
    double threshold = 0.0;
    double sparsity = 0.0;   ///< share of ordered pairs i != j of x at or below tau
    Index isolated = 0;      ///< of the angle_rows, not zero vectors, those with no other point above tau in x
    Index zero_vectors = 0;  ///< zero vectors in x: they are in no pair, and have no neighbours by angle
    Index angle_rows = 0;  ///< rows i of the pairs (i, j) over which deviation, Jaccard indices, sparsity and isolated
                           ///< points were computed; j is any point
    Index rank_rows = 0;   ///< rows over which recall, trustworthiness, continuity and accuracy were computed
    int neighbors = 0;
    SideMetrics metrics{};  ///< metrics for recall, trustworthiness, continuity and accuracy
    Summary summary;
};

/// Compares y with x: n >= 2 rows each, in the same order, of any dimensions. `labels` is empty or holds n class
/// numbers; a point whose label is below 0, that is, unknown, neither counts in the accuracy nor votes, and one without
/// a neighbour of known label does not count. `points`, if not null, receives the per-point results of the pass over
/// pairs, which then is over all of them whatever options.angle_rows; it is empty where the context ends the run before
/// that.
///
/// Where points are equally near, the order of rows decides nothing. Points that tie for the last of the k places in x
/// are all as good, and the choice is the one that is best for y: distances tie where no more than the rounding of
/// coordinates to float32 parts them. Points that tie in y are each as likely as the others, and a measure is
/// its mean over their orders. So a copy of x, moved or turned, is perfect, and y with all points at one place is
/// chance. A rank is 1 and the number of nearer points. Points that tie for the last places share these in votes;
/// labels that are as frequent share a vote.
///
/// Cosines and distances are float32; angles of pairs closer than 18 degrees are taken from distances, to all digits.
/// The numbers do not depend on the count of threads. The summary holds seconds by phase ("threshold" when it is
/// chosen, "angles", "norms", "ranks"), and a warning when more than a tenth of the points are isolated by a threshold
/// that was given and leaves less than 0.5% of the pairs. After an interruption summary.termination gives the reason;
/// measures that were computed before keep their values, all others are 0.
///
/// Throws InvalidArgument for options out of bounds, neighbors >= n, fewer than 2 points, no dimensions, other
/// counts of points or labels; InputError for values that are not finite, and as choose_threshold when it chooses;
/// LimitExceeded. Time O((angle_rows + rank_rows) n (D + d)), memory O(n (D + d)); nothing n x n is ever held.
[[nodiscard]] Score score(const PointsView& x, const PointsView& y, std::span<const std::int64_t> labels,
                          const ScoreOptions& options = {}, const RunContext& context = {},
                          PointAngles* points = nullptr);

struct CrossScoreOptions {
    std::optional<double> threshold{};       ///< cosine tau; empty: chosen for a sparsity of 99% of the fitted inputs
    int neighbors = 10;                      ///< k of recall@k; at most the number of fitted points
    InputMetric metric = InputMetric::Auto;  ///< metric for recall, with Auto as in score()
    OutputMetric output_metric = OutputMetric::Auto;  ///< not InnerProduct
    std::uint64_t seed = 0;                           ///< seed for the sample that the threshold is chosen from
};

[[nodiscard]] const OptionTable<CrossScoreOptions>& cross_score_option_table();

/// Measures of the placement of new points among fitted ones: pairs are (placed, fitted), m n of them.
struct CrossScore {
    double mean_angular_deviation_degrees = 0.0;  ///< over pairs with cos(x_i, f_j) > tau; 0 without any
    double jaccard = 0.0;              ///< Jaccard index of the pairs above tau in inputs and outputs; 1 without any
    double norm_deviation_mean = 0.0;  ///< mean of | |y|/|x| - 1 | over placed points that are not zero
    double norm_deviation_max = 0.0;
    double recall = 0.0;  ///< share of the k fitted points nearest to x that are among the k nearest to y, each by its
                          ///< metric; by cosine over placed points that are not zero (1 without any)
    Index points = 0;     ///< m, placed
    Index fitted = 0;     ///< n
    double threshold = 0.0;
    Index isolated = 0;      ///< placed points, not zero vectors, with no fitted point above tau
    Index zero_vectors = 0;  ///< zero vectors in x: they are in no pair, and have no neighbours by angle
    int neighbors = 0;
    SideMetrics metrics{};  ///< metrics for recall
    Summary summary;
};

/// Compares outputs y (m x d) of inputs x (m x D) that were not fitted with the fitted inputs (n x D) and their outputs
/// (n x d), row by row in the same order. The measures are those of score() over another set of pairs: there is no
/// diagonal, and fitted points are not compared with each other, nor placed ones. If the fitted points themselves are
/// placed at their own outputs, deviation and Jaccard index are those of score(). Ties count as in score().
///
/// Cosines are float32; angles of pairs closer than 18 degrees are taken from distances, to all digits. The numbers do
/// not depend on the count of threads. The summary holds seconds by phase ("norms", "threshold" when it is chosen,
/// "pairs", "neighbors"), and a warning when more than a tenth of the placed points are isolated by a threshold that
/// was given. After an interruption summary.termination gives the reason; measures that were computed before keep their
/// values, all others are 0.
///
/// Throws InvalidArgument for options out of bounds, neighbors > n, no points, no dimensions, other counts or
/// dimensions; InputError for values that are not finite, and as choose_threshold when it chooses; LimitExceeded.
/// Time O(m n (D + d)), memory O((m + n) (D + d) + m k) and 200 n bytes a thread, stated first; nothing m x n is held.
[[nodiscard]] CrossScore cross_score(const PointsView& x, const PointsView& y, const PointsView& fitted_x,
                                     const PointsView& fitted_y, const CrossScoreOptions& options = {},
                                     const RunContext& context = {});

struct AngleDensityOptions {
    Index points = 3000;     ///< all pairs among so many: 4.5 million angles, of which 1% are still 45,000
    std::uint64_t seed = 0;  ///< seed for the choice of points
};

/// Angles of pairs before and after, as counts.
struct AngleDensity {
    static constexpr Index angles = 180;        ///< bins of the histograms, of one degree; the last holds 180 itself
    static constexpr Index squares = 90;        ///< bins along a side of the density
    static constexpr double square_side = 2.0;  ///< degrees

    std::vector<std::uint64_t> in{};   ///< pairs by their angle in x
    std::vector<std::uint64_t> out{};  ///< pairs by their angle in y
    std::vector<std::uint64_t>
        density{};  ///< squares x squares, row-major: rows by the angle in x, columns by that in y
    std::uint64_t pairs = 0;
    Index points = 0;  ///< among which all pairs were counted
};

/// Counts the angles of x (n x D) and of y (n x d, row by row in the same order) over all pairs among a sample of the
/// points that are no zero vectors in x. A zero vector of y is at right angles to all. Angles below 18 degrees are
/// taken from distances, to all digits. The same counts for any number of threads.
///
/// Throws InvalidArgument for other counts of points, options.points < 2 or no dimensions; InputError for values that
/// are not finite; LimitExceeded; Interruption. Time O(s^2 (D + d)) for s sampled points; memory O(s (D + d)) and 0.7
/// KB a sampled point.
[[nodiscard]] AngleDensity count_angles(const PointsView& x, const PointsView& y,
                                        const AngleDensityOptions& options = {}, const RunContext& context = {});

}  // namespace isogon
