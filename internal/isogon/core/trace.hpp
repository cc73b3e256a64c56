#pragma once
#include <limits>
#include <string>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/archive_schema.hpp"
#include "isogon/core/summary.hpp"

namespace isogon {

/// A trace as an array of float64: a row for each iteration from 1 on, of objective, change and seconds.
void add_trace(const std::string& name, const std::vector<IterationRecord>& trace, Archive& archive);

/// Adds such a trace to a schema, with a number of rows in `rows`; the named size has the name of the trace.
void add_trace(const std::string& name, ArchiveSchema& schema,
               const ArchiveRange& rows = {0, std::numeric_limits<int>::max()});

/// Throws InputError as the archive's getters do.
[[nodiscard]] std::vector<IterationRecord> trace_in(const Archive& archive, const std::string& name);

}  // namespace isogon
