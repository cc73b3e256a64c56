#pragma once
#include <string>
#include <vector>

#include "isogon/core/error.hpp"
#include "program/cli11_types.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): not our name
class ParseError;
}  // namespace CLI

namespace isogon::cli {

/// The command line, quoted for a shell: "isogon embed 'my points.npy' -o small.npy".
[[nodiscard]] std::string command_line(int argc, const char* const* argv);

/// The arguments after the program name.
using Words = std::vector<std::string>;

/// A flag as the user typed it, "-k", else its name in messages: "--neighbors", or "INPUT" for a positional one.
[[nodiscard]] std::string spelled(const CLI::Option& option, const Words& words);

/// All flags of a verb by their long names: "--dim", "--dimension", "--json", ...
[[nodiscard]] std::vector<std::string> flags_of(const CLI::App& verb);

/// The message of an InvalidArgument in terms of flags: the library names an option "label_column", the user typed
/// --label-column. "--label-column 99: must be ..." for the option of this verb that the error names, with "(the
/// default)" if the user did not set it; other errors stay as they are.
[[nodiscard]] std::string in_flags(const InvalidArgument& error, const CLI::App& verb, const Words& words);

/// The message for a command line that CLI11 rejects: the argument, what is accepted, and what was probably meant.
/// `verb` is the chosen one.
[[nodiscard]] std::string parse_error_text(const CLI::ParseError& error, const CLI::App& verb, const Words& words);

/// The message for what CLI11 accepts but this program does not: an empty file name. "" if there is none.
[[nodiscard]] std::string empty_word_text(const CLI::App& verb, const Words& words);

/// The message for a first argument that is not a verb: a flag of verbs, or a misspelled verb.
[[nodiscard]] std::string no_verb_text(const std::vector<const CLI::App*>& verbs, const Words& words);

}  // namespace isogon::cli
