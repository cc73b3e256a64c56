#pragma once
#include <string>
#include <vector>

#include "input_files.hpp"
#include "row_picker.hpp"
#include "session.hpp"

namespace isogon::cli {

/// Under a memory limit: states, from the heads of the files and before their data is read, what the inputs and (if
/// rows are picked or stacked) their copy will take. Throws LimitExceeded, and InputError for a head that is wrong.
void reserve_for_inputs(const std::vector<std::string>& paths, const InputFlags& flags, const RowPicker& picker,
                        Session& session);

/// The same for inputs whose rows are read as they are asked for: only files that cannot be read so take memory.
void reserve_for_streams(const std::vector<std::string>& paths, const InputFlags& flags, Session& session);

/// The same for files that are read one after the other, none while another is held.
void reserve_for_largest(const std::vector<std::string>& paths, const InputFlags& flags, Session& session);

}  // namespace isogon::cli
