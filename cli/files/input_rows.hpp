#pragma once
#include <memory>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/rows.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// States, from the heads of the files and before their data is read, what the inputs and (if rows are picked or
/// stacked) their copy will take. False, and nothing is stated, where only their end would tell and there is no memory
/// limit: then reserve_for_read() is to follow. Throws LimitExceeded, and InputError for a head that is wrong.
[[nodiscard]] bool reserve_for_inputs(const std::vector<std::string>& paths, const InputFlags& flags,
                                      const RowPicker& picker, Session& session);

/// The same for inputs whose rows are read as they are asked for: only files that cannot be read so take memory.
[[nodiscard]] bool reserve_for_streams(const std::vector<std::string>& paths, const InputFlags& flags,
                                       Session& session);

/// What so many rows have taken that could not be counted before they were read, and a copy of some of them.
void reserve_for_read(std::uint64_t rows, std::uint64_t copied, std::uint64_t dimension, Session& session);

/// Under a memory limit, or where heads tell: for files that are read one after the other, none while another is held.
void reserve_for_largest(const std::vector<std::string>& paths, const InputFlags& flags, Session& session);

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
