#pragma once
#include <string>
#include <vector>

#include "cli11_types.hpp"
#include "flag_names.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): not our name
class ParseError;
}  // namespace CLI

namespace isogon::cli {

/// What is wrong with the words of a command line that CLI11 does not take, in ours: the word, what there is instead,
/// and what was probably meant. `verb` is the one that was chosen.
[[nodiscard]] std::string parse_error_text(const CLI::ParseError& error, const CLI::App& verb, const Words& words);

/// What is wrong with words that CLI11 does take: an empty one where the name of a file belongs. "" if nothing is.
[[nodiscard]] std::string empty_word_text(const CLI::App& verb, const Words& words);

/// The same for a first word that is no verb: a flag of verbs, or nearly the name of one.
[[nodiscard]] std::string no_verb_text(const std::vector<const CLI::App*>& verbs, const Words& words);

}  // namespace isogon::cli
