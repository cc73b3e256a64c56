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

/// Coordinates that were made elsewhere.
struct Elsewhere {
    std::string name;
    std::string file;
    Input y;
};

/// What is compared, and by what.
struct ComparisonPlan {
    std::vector<Contender> contenders{};
    std::vector<std::int64_t> dimensions{};
    std::vector<Elsewhere> elsewhere{};
    std::vector<std::int64_t> labels{};  ///< empty: none
    ScoreOptions options{};              ///< an empty threshold is chosen once for all
};

/// What a comparison came to.
struct Comparison {
    std::vector<ComparedRow> rows;
    std::vector<std::string> warnings;  ///< of fits and scores, with the row each belongs to unless it is every row
    std::size_t wanted = 0;             ///< rows, were it not ended early
    std::optional<double> threshold{};  ///< empty: ended before one was chosen
    Summary summary;                    ///< why it ended, seconds of shared steps, counts
};

/// Fits and judges all, dimension by dimension, so that an interrupted comparison has all methods of the first ones; a
/// refusal, by a fit or its score, is a row. When the session ends the run, the rows so far are returned. Throws as
/// FitSeries and choose_threshold do, and InvalidArgument for as many neighbours as points, before the first fit.
[[nodiscard]] Comparison compare(const PointsView& points, const ComparisonPlan& plan, RunCache& cache,
                                 Session& session);

}  // namespace isogon::cli
