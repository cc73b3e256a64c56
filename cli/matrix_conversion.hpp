#pragma once
#include <string>
#include <vector>

#include "input_files.hpp"
#include "outcome.hpp"
#include "session.hpp"

namespace isogon::cli {

/// Whether the files are of a sparse matrix: the one to read by its name, first bytes or --format, or the one to write
/// by its name.
[[nodiscard]] bool is_matrix_conversion(const std::vector<std::string>& inputs, const std::string& output,
                                        const InputFlags& flags);

/// Copies a matrix from one format into another: sparse ones with all digits; those of points in float32, zeros
/// included. Throws UsageError for several inputs and for flags of points.
[[nodiscard]] Outcome convert_matrix(const std::vector<std::string>& inputs, const std::string& output,
                                     const InputFlags& flags, Session& session);

}  // namespace isogon::cli
