#pragma once
#include <memory>
#include <string>
#include <vector>

#include "input_files.hpp"
#include "isogon/core/rows.hpp"

namespace isogon::cli {

/// Points of one or several files, stacked in order, rows picked, read as they are asked for: what read_input() gives,
/// without the memory, where the files allow it (io/row_file.hpp).
struct InputRows {
    std::unique_ptr<const RowSource> rows;
    std::vector<std::int64_t> labels;  ///< empty, or one a point
    std::vector<std::string> words;    ///< empty, or one a point
    std::uint64_t rows_in_files = 0;   ///< before picking
};

/// Opens and stacks `paths`; no row is looked at, and no need stated. Throws as read_input().
[[nodiscard]] InputRows open_parts(const std::vector<std::string>& paths, const InputFlags& flags);

/// Opens and stacks `paths`. Under a memory limit the need of files that must be read whole is stated first. Checks
/// every row for NaN and infinity, a pass over files of floats. Throws as read_input() does; Interruption.
[[nodiscard]] InputRows open_input(const std::vector<std::string>& paths, const InputFlags& flags, Session& session);

/// As for Input.
[[nodiscard]] Json input_json(const std::vector<std::string>& paths, const InputFlags& flags, const InputRows& input);

}  // namespace isogon::cli
