#pragma once
#include <string>

#include "isogon/core/archive.hpp"
#include "session.hpp"

namespace isogon::cli {

/// Reads a model or an index. Its memory is stated from the file's head before it is taken: InputError, LimitExceeded.
[[nodiscard]] Archive read_archive_within(const std::string& path, Session& session);

}  // namespace isogon::cli
