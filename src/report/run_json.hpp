#pragma once
#include "isogon/report/report.hpp"
#include "report/json_writer.hpp"

namespace isogon {

/// Writes "made": program, machine and time of the report; unknown fields are omitted.
void write_origin(JsonWriter& json, const ReportOrigin& origin);

/// Writes "run": method, options, how it ended, and its trace, thinned to some two thousand lines.
void write_run(JsonWriter& json, const ReportRun& run);

/// Writes the measures of a score, by the names that `isogon score` has for them. Where no two points are near in the
/// input, those of near pairs are of points with themselves alone, and null here.
void write_score(JsonWriter& json, const Score& score);

}  // namespace isogon
