#pragma once
#include <string>
#include <vector>

#include "isogon/core/archive.hpp"
#include "isogon/core/summary.hpp"

namespace isogon {

/// A trace as an array of float64: a row for each iteration from 1 on, of objective, change and seconds.
void add_trace(const std::string& name, const std::vector<IterationRecord>& trace, Archive& archive);

/// Throws InputError as the archive's getters do.
[[nodiscard]] std::vector<IterationRecord> trace_in(const Archive& archive, const std::string& name);

}  // namespace isogon
