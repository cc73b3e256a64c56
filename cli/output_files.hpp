#pragma once
#include <functional>
#include <string>
#include <vector>

#include "isogon/io/output.hpp"
#include "session.hpp"

namespace isogon::cli {

/// Called before work starts. Throws UsageError if one of the files could not be written, exists without --overwrite,
/// or is named twice. Empty names (outputs not asked for) are passed over.
void require_outputs(const std::vector<std::string>& paths, Session& session);

/// Runs `write`, which must leave its file whole or not at all. A second Ctrl-C waits for it.
void write_output(Session& session, const std::function<void(const WriteOptions&)>& write);

/// The format a name asks for. Throws UsageError when it asks for none.
[[nodiscard]] Format output_format(const std::string& path);

/// Word vectors cannot be written without words: throws UsageError before work starts.
void require_words(const std::string& path, bool has_words);

}  // namespace isogon::cli
