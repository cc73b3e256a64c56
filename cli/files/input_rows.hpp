#pragma once
#include <memory>
#include <string>
#include <vector>

#include "files/input_files.hpp"
#include "isogon/core/points.hpp"
#include "program/session.hpp"

namespace isogon::cli {

/// States the memory of the inputs and, if rows are selected or stacked, of their copy, from the headers of the files
/// before their data are read. Returns false, and states nothing, if the headers do not give the number of rows and
/// there is no memory limit: then reserve_for_read() must follow. Throws LimitExceeded, and InputError for an invalid
/// header.
[[nodiscard]] bool reserve_for_inputs(const std::vector<std::string>& paths, const InputFlags& flags,
                                      const RowPicker& picker, Session& session);

/// The same for inputs that are streamed: only files that cannot be streamed take memory.
[[nodiscard]] bool reserve_for_streams(const std::vector<std::string>& paths, const InputFlags& flags,
                                       Session& session);

/// The memory of `rows` rows that could not be counted before they were read, and of a copy of `copied` of them.
void reserve_for_read(std::uint64_t rows, std::uint64_t copied, std::uint64_t dimension, Session& session);

/// Under a memory limit, or if headers give the sizes: the largest of files that are read one after the other.
void reserve_for_largest(const std::vector<std::string>& paths, const InputFlags& flags, Session& session);

/// Points of one or several files, stacked in order, selected rows only, read block by block: like Input, but not in
/// memory where the formats allow it (io/row_file.hpp).
struct InputRows {
    std::unique_ptr<const RowSource> rows;
    std::vector<std::int64_t> labels;  ///< empty, or one a point
    std::vector<std::string> words;    ///< empty, or one a point
    std::uint64_t rows_in_files = 0;   ///< before selection
};

/// Opens and stacks `paths` without reading rows or stating memory. Throws as read_input().
[[nodiscard]] InputRows open_parts(const std::vector<std::string>& paths, const InputFlags& flags);

/// Opens and stacks `paths`. Under a memory limit, the memory of files that must be read whole is stated first. Checks
/// every row for NaN and infinity, which is a pass over files of floats. Throws as read_input() does; Interruption.
[[nodiscard]] InputRows open_input(const std::vector<std::string>& paths, const InputFlags& flags, Session& session);

/// As for Input.
[[nodiscard]] Json input_json(const std::vector<std::string>& paths, const InputFlags& flags, const InputRows& input);

}  // namespace isogon::cli
