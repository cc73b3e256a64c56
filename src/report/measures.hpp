#pragma once
// The measurements of a report: neighbours on both sides, angles, scores; and the warnings for its reader.

#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/quality/score.hpp"
#include "isogon/report/report.hpp"
#include "report/packed_array.hpp"

namespace isogon {

/// The index of a missing neighbour.
inline constexpr Index no_point = std::numeric_limits<Index>::max();

/// The k nearest of every point, nearest first, with their angles or distances on both sides, stored as whole numbers.
struct ComparedLists {
    std::vector<Index> index{};  ///< row i's begin at i * k; by angle no_point where i is a zero vector
    std::vector<std::uint16_t>
        in{};  ///< by the metric of that side: angle or distance in the inputs; no_number where there is no point
    std::vector<std::uint16_t> out{};  ///< the same in the coordinates
};

struct ComparedNeighbors {
    Index size = 0;                       ///< k
    SideMetrics metrics{};                ///< measures by which they are nearest
    ComparedLists input{};                ///< nearest in the inputs
    ComparedLists output{};               ///< nearest in the coordinates
    Scaling in_scaling = angle_scaling;   ///< scaling of both lists' `in`
    Scaling out_scaling = angle_scaling;  ///< scaling of both lists' `out`
    double recall = 1.0;  ///< share of the true neighbours that were found, where not all pairs were compared
};

/// Inputs x and coordinates y, row by row, and the metric of each side.
struct ComparedSides {
    PointsView x;
    PointsView y;
    SideMetrics metrics{};
};

/// The neighbours of x and of y, each by its metric. k < n. By angle a zero vector is at
/// right angles to all, and has no neighbours of its own: among equals they would be those of the smallest numbers, in
/// x and y alike. Of points that tie for the last places those of y are drawn at random, and of those of x the ones
/// that y lists come first: what both list is what is kept. Throws as find_neighbors(); Interruption. Time of two
/// searches and O(n k (D + d)).
[[nodiscard]] ComparedNeighbors compare_neighbors(const ComparedSides& sides, Index k, std::uint64_t seed,
                                                  const RunContext& context);

/// Points as they are judged on one side: by distance, or by angle.
struct MeasuredSide {
    PointsView points{};
    std::vector<double> lengths{};
    bool by_distance = false;

    MeasuredSide(const PointsView& view, Nearness nearness)
        : points(view), lengths(norms(view)), by_distance(nearness == Nearness::Euclidean) {}
    /// The distance between two points, or their angle in degrees.
    [[nodiscard]] double between(Index i, Index j) const;
};

/// The angle between a and b in degrees, from their directions: 2 atan2(|u - v|, |u + v|), good to all digits at any
/// angle (Kahan, "How futile are mindless assessments of roundoff", 2006, section 12). 90 if one of them is zero.
[[nodiscard]] double angle_between(std::span<const float> a, std::span<const float> b, double length_a,
                                   double length_b);

/// |a - b|.
[[nodiscard]] double distance_between(std::span<const float> a, std::span<const float> b);

/// Eigenvalues that indicate the number of dimensions.
struct Spectrum {
    std::string name{};
    std::vector<double> values{};
};

/// The eigenvalues that a method recorded ("eigenvalue_0", ... or "spectrum_0", ...), if it did and they descend:
/// those of methods that use the smallest ones do not measure the strength of a dimension.
[[nodiscard]] std::optional<Spectrum> measured_spectrum(const Summary& summary);

/// The eigenvalues of G, the matrix of the products of all coordinates, descending: squared singular values. O(n d^2).
[[nodiscard]] Spectrum product_spectrum(const PointsView& coordinates, const RunContext& context);

/// Variances of coordinates along their principal axes, descending. O(n d^2).
[[nodiscard]] std::vector<double> axis_variances(const PointsView& coordinates, const RunContext& context);

/// Whether a method preserves angles at the origin; all others preserve distances or separate neighbours from others.
[[nodiscard]] bool keeps_angles(const ReportRun& run);

/// A sample of a subject's points, as a subject that owns its data.
struct SampledSubject {
    Points inputs{};
    Points coordinates{};
    std::vector<std::string> words{};
    std::vector<PointColumn> columns{};
    ReportSubject subject{};  ///< views of the members above

    /// The points that `chosen` lists. O(chosen (D + d)).
    SampledSubject(const ReportSubject& all, const std::vector<Index>& chosen);
    SampledSubject(const SampledSubject&) = delete;
    SampledSubject& operator=(const SampledSubject&) = delete;
    SampledSubject(SampledSubject&&) = delete;
    SampledSubject& operator=(SampledSubject&&) = delete;
    ~SampledSubject() = default;

    [[nodiscard]] static std::uint64_t bytes(const ReportSubject& all, std::size_t chosen);
};

/// Coordinates of more than 3 numbers on a plane, and what this keeps of nearest neighbours, as many as lists hold.
struct PlaneLayout {
    Points places{};
    double kept = 0.0;         ///< share of those in the coordinates that are nearest on the plane too
    double kept_inputs = 0.0;  ///< share of those in the inputs
};

/// The measures if the coordinates of the points were exchanged at random: values are read against these.
struct Chance {
    struct Level {
        double mean = 0.0;
        double limit = 0.0;  ///< passed in fewer than 1 of 200 such maps
    };
    Level recall{};
    Level trustworthiness{};  ///< for continuity, too
    Level pair_correlation{};
    std::optional<Level> deviation_degrees{};  ///< mean over different points; none without near pairs
    double jaccard = 0.0;                      ///< the same over different points
    std::optional<Level> knn_accuracy{};       ///< the mean: of always the most frequent label
};

/// All measurements of a report.
struct Measures {
    Score score{};
    std::optional<Score> svd{};  ///< the SVD's in as many dimensions; the PCA's where coordinates are by distance
    PointAngles points{};
    AngleDensity angles{};
    double pair_correlation = 0.0;                 ///< pair_correlation()
    std::optional<double> svd_pair_correlation{};  ///< the same of the SVD, or the PCA
    Chance chance{};
    Verdict verdict{};
    ComparedNeighbors neighbors{};
    Spectrum spectrum{};
    std::optional<PlaneLayout> layout{};
    std::vector<double> variances{};  ///< variances of the principal axes, descending
    std::vector<double> lengths{};    ///< lengths of the inputs
    Points on_axes{};  ///< coordinates on their first principal axes, where they have more numbers than are shown
    std::vector<std::string> remarks{};  ///< warnings about the measurement itself
};

/// Neighbours in each list, and of recall, votes and their like: as the options say, or all others.
[[nodiscard]] Index list_size(Index points, const ReportOptions& options);

/// Numbers of a point that are shown, of `dimension`: at most 64, because a map shows two or three at a time, and at
/// most 1.2 million in all, which need 3 MB of the file; but at least 3.
[[nodiscard]] Index shown_dimensions(Index points, Index dimension);

/// Measures the subject, whose shapes and options must have been checked. Seconds by phase go to `summary`. Throws
/// InputError, LimitExceeded, Interruption.
[[nodiscard]] Measures take_measures(const ReportSubject& subject, const ReportOptions& options,
                                     const RunContext& context, Summary& summary);

/// Spearman's rank correlation between how far pairs of points lie in x and in y, each by its metric: over all pairs,
/// or 20,000 drawn at random where there are more. 1 where far stays far; 0 by chance, and where all are equally far.
/// O(D + d) a pair.
[[nodiscard]] double pair_correlation(const ComparedSides& sides, std::uint64_t seed);

/// Needs score, points, angles and neighbors. Limits are bounds of a normal distribution, in which only a quarter of
/// the rows count as independent; for the accuracy of votes also the largest of 199 shuffles of the labels, by `seed`.
/// Where there are labels O(n + rows k^2) a shuffle.
[[nodiscard]] Chance chance_of(const ReportSubject& subject, const Measures& measures, std::uint64_t seed);

/// How many standard errors a normal distribution exceeds by chance in 1 of 200.
inline constexpr double standard_errors = 2.58;

/// Of a mean over `count` rows. Rows share neighbours, and a point may be the neighbour of many: they are counted as if
/// a quarter were independent.
[[nodiscard]] double standard_error(double variance, double count);

/// Needs score, svd, both pair correlations and chance.
[[nodiscard]] Verdict verdict_of(const ReportSubject& subject, const Measures& measures);

/// "70,000": digits in groups of three, as people read large numbers.
[[nodiscard]] std::string count_text(std::uint64_t count);

/// "1 point", "70,000 points"
[[nodiscard]] std::string points_count_text(std::uint64_t count);

/// Text as std::printf makes it, of at most 511 bytes.
template <class... Values>
std::string printed(const char* format, Values... values) {
    std::array<char, 512> text{};
    std::snprintf(text.data(), text.size(), format,
                  values...);  // NOLINT(*-vararg): formats are literals, checked by the compiler
    return text.data();
}

/// Warnings for the reader of a report, as sentences, the most serious first: the run's own warnings, points without
/// coordinates, errors of angles, neighbours and lengths, thresholds with too many or too few pairs.
[[nodiscard]] std::vector<std::string> report_warnings(const ReportSubject& subject, const Measures& measures);

}  // namespace isogon
