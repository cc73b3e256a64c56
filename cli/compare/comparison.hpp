#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compare/cached_runs.hpp"
#include "compare/compare_plan.hpp"
#include "compare/compare_report.hpp"
#include "files/input_files.hpp"
#include "isogon/core/summary.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Coordinates from a file, made by another program.
struct ExternalCoordinates {
    std::string name;
    std::string file;
    Input y;
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
    std::vector<std::string> warnings;  ///< of fits and scores, with the row each belongs to unless it is every row
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
