#pragma once
#include <string>
#include <vector>

#include "input_files.hpp"
#include "row_picker.hpp"
#include "session.hpp"

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

}  // namespace isogon::cli
