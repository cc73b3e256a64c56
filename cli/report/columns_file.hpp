#pragma once
// The table of --columns.

#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/report/report.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// Reads a table of text by commas, or by tabs where it is named .tsv, plain or gzip: names of columns in the first
/// line, then one line for each row of the input files, of which those are kept that `reading` picks. A column without
/// a name is called by its number; what tables write for missing values is unknown. Throws InputError: for no regular
/// file, for two columns of one name, for lines of other lengths, for another number of rows; LimitExceeded.
[[nodiscard]] std::vector<PointColumn> read_columns(const std::string& path, const InputFlags& reading,
                                                    std::uint64_t rows_in_files, const Session& session);

}  // namespace isogon::cli
