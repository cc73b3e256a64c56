#pragma once
#include <optional>
#include <string>
#include <vector>

#include "isogon/quality/angle_density.hpp"
#include "isogon/quality/point_angles.hpp"
#include "isogon/report/report.hpp"
#include "report/compared_neighbors.hpp"
#include "report/spectrum.hpp"

namespace isogon {

/// All that a report measures.
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
    std::vector<std::string> remarks{};  ///< sentences about the measuring itself
};

/// Neighbours in each list: as the options say, or few enough that the lists of all points take some ten megabytes.
[[nodiscard]] Index list_size(Index points, const ReportOptions& options);

/// Numbers of a point that are shown, of `dimension`: at most 64, for a map shows two or three at a time, and at most
/// two million in all, which take 5 MB of the file; but at least 3.
[[nodiscard]] Index shown_dimensions(Index points, Index dimension);

/// Measures the subject, whose shapes and options must have been checked. Seconds by phase go to `summary`. Throws
/// InputError, LimitExceeded, Interruption.
[[nodiscard]] Measures take_measures(const ReportSubject& subject, const ReportOptions& options,
                                     const RunContext& context, Summary& summary);

}  // namespace isogon
