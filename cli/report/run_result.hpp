#pragma once
// The record that isogon embed and transform leave of a run: the output of --json, in a file of the user's, or beside
// the coordinates.

#include <optional>
#include <string>

#include "isogon/core/points.hpp"
#include "isogon/report/report.hpp"
#include "program/json.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// The run that a result of `isogon embed --json` tells of. Throws InputError for any other file.
[[nodiscard]] ReportRun read_result(const std::string& path);

/// For the start of a run: throws InputError for a file that is no result; an empty name is none.
void require_result(const std::string& path);

/// Where the record of coordinates stands: "small.npy.json" of small.npy; empty of an empty name, and of one to which
/// nothing can be added (255 bytes).
[[nodiscard]] std::string record_path(const std::string& coordinates);

/// Writes the record of coordinates that have been written: `result`, what --json prints of the run, and the SHA-256 of
/// their file. What goes wrong is a warning, as the coordinates are whole.
void write_record(const std::string& coordinates, Json result, Session& session);

/// The run that made coordinates of this shape: that of `result`, a file of the user's, where one is named, else
/// that of their record; none without one, or where it is of other coordinates. Throws InputError for a bad
/// `result`; Interruption. One pass over the coordinates' file where there is a record of their shape.
[[nodiscard]] std::optional<ReportRun> run_that_made(const std::string& coordinates, std::uint64_t points,
                                                     Index dimension, const std::string& result, Session& session);

}  // namespace isogon::cli
