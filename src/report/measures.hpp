#pragma once
#include <optional>
#include <string>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"
#include "isogon/quality/score.hpp"
#include "isogon/report/report.hpp"
#include "report/compared_neighbors.hpp"

namespace isogon {

/// Eigenvalues that indicate the number of dimensions.
struct Spectrum {
    std::string name{};
    std::vector<double> values{};
};

/// The eigenvalues that a method recorded ("eigenvalue_0", ... or "spectrum_0", ...), if it did and they descend: those
/// of methods that use the smallest ones do not measure the strength of a dimension.
[[nodiscard]] std::optional<Spectrum> measured_spectrum(const Summary& summary);

/// The eigenvalues of G, the matrix of the products of all coordinates, descending: squared singular values. O(n d^2).
[[nodiscard]] Spectrum product_spectrum(const PointsView& coordinates, const RunContext& context);

/// Variances of coordinates along their principal axes, descending. O(n d^2).
[[nodiscard]] std::vector<double> axis_variances(const PointsView& coordinates, const RunContext& context);

/// Whether a method preserves angles at the origin; all others preserve distances or separate neighbours from others.
[[nodiscard]] bool keeps_angles(const ReportRun& run);

/// Whether neighbours are nearest by distance: by the option, or by the method (ListNearness::Auto).
[[nodiscard]] bool goes_by_distance(ListNearness wanted, const std::optional<ReportRun>& run);

/// A sample of a subject's points, as a subject that owns its data.
struct SampledSubject {
    Points inputs{};
    Points coordinates{};
    std::vector<std::string> words{};
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

/// All measurements of a report.
struct Measures {
    Score score{};
    std::optional<Score> svd{};  ///< of the SVD in as many dimensions
    PointAngles points{};
    AngleDensity angles{};
    ComparedNeighbors neighbors{};
    Spectrum spectrum{};
    std::vector<double> variances{};  ///< of the principal axes, descending
    std::vector<double> lengths{};    ///< of the inputs
    Points on_axes{};  ///< coordinates on their first principal axes, where they have more numbers than are shown
    std::vector<std::string> remarks{};  ///< warnings about the measurement itself
};

/// Neighbours in each list: as the options say, or few enough that the lists of all points need some ten megabytes.
[[nodiscard]] Index list_size(Index points, const ReportOptions& options);

/// Numbers of a point that are shown, of `dimension`: at most 64, because a map shows two or three at a time, and at
/// most two million in all, which need 5 MB of the file; but at least 3.
[[nodiscard]] Index shown_dimensions(Index points, Index dimension);

/// Measures the subject, whose shapes and options must have been checked. Seconds by phase go to `summary`. Throws
/// InputError, LimitExceeded, Interruption.
[[nodiscard]] Measures take_measures(const ReportSubject& subject, const ReportOptions& options,
                                     const RunContext& context, Summary& summary);

}  // namespace isogon
