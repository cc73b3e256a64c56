#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/error.hpp"
#include "program/cli11_types.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): not our name
class ParseError;
}  // namespace CLI

namespace isogon::cli {

/// The command as it could be typed into a shell again: "isogon embed 'my points.npy' -o small.npy".
[[nodiscard]] std::string command_line(int argc, const char* const* argv);

/// The words of the command line after the program's name.
using Words = std::vector<std::string>;

/// A flag as the user has typed it, "-k", else as messages call it: "--neighbors", or "INPUT" for one without dashes.
[[nodiscard]] std::string spelled(const CLI::Option& option, const Words& words);

/// All flags of a verb by their long names: "--dim", "--dimension", "--json", ...
[[nodiscard]] std::vector<std::string> flags_of(const CLI::App& verb);

/// A caller's mistake in the words of the command line: the library calls an option "label_column" and the user typed
/// --label-column. "--label-column 99: must be ..." for the option of this verb that the error names, with "(the
/// default)" where the user gave none; other errors stay as they are.
[[nodiscard]] std::string in_flags(const InvalidArgument& error, const CLI::App& verb, const Words& words);

/// What is wrong with the words of a command line that CLI11 does not take, in ours: the word, what there is instead,
/// and what was probably meant. `verb` is the one that was chosen.
[[nodiscard]] std::string parse_error_text(const CLI::ParseError& error, const CLI::App& verb, const Words& words);

/// What is wrong with words that CLI11 does take: an empty one where the name of a file belongs. "" if nothing is.
[[nodiscard]] std::string empty_word_text(const CLI::App& verb, const Words& words);

/// The same for a first word that is no verb: a flag of verbs, or nearly the name of one.
[[nodiscard]] std::string no_verb_text(const std::vector<const CLI::App*>& verbs, const Words& words);

}  // namespace isogon::cli
