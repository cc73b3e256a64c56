#pragma once
// The words of the command line: how the program's help is laid out, and what it says of words that it cannot take.

#include <string>
#include <vector>

#include "isogon/core/error.hpp"

/// Forward declarations for headers. CLI11 takes longer to compile than most files of the project: only a source that
/// declares flags includes it.
namespace CLI {  // NOLINT(readability-identifier-naming): not our name
class App;
class Option;
class ParseError;
}  // namespace CLI

namespace isogon::cli {

/// Sets the layout of the help: lines of 100 columns. Call it before verbs are added; they inherit it.
void lay_out_help(CLI::App& app);

/// The help that --help asked for, of each flag the first clause and the default; or that of --help-all, all they say.
enum class HelpLength { Short, Whole };
[[nodiscard]] std::string help_text(const CLI::App& app, HelpLength length);

/// The command line, quoted for a shell: "isogon embed 'my points.npy' -o small.npy".
[[nodiscard]] std::string command_line(int argc, const char* const* argv);

/// The arguments after the program name.
using Arguments = std::vector<std::string>;

/// The arguments without the first "--": names of files that follow it and begin with a dash are given as in
/// "./--x.npy", so that they are no flags.
[[nodiscard]] Arguments without_dashes(Arguments words);

/// A flag as the user typed it, "-k", else its name in messages: "--neighbors", or "INPUT" for a positional one.
[[nodiscard]] std::string spelled(const CLI::Option& option, const Arguments& words);

/// All flags of a verb by their long names: "--dim", "--dimension", "--json", ...
[[nodiscard]] std::vector<std::string> flags_of(const CLI::App& verb);

/// A sentence of the library with the flags of its options: "raise --neighbors or lower --dim".
[[nodiscard]] std::string in_flags(const Text& text);
[[nodiscard]] std::vector<std::string> in_flags(const std::vector<Text>& texts);

/// The message of an InvalidArgument in terms of flags: the library names an option "label_column", the user typed
/// --label-column. "--label-column 99: must be ..." for the option of this verb that the error names, with "(the
/// default)" if the user did not set it; fields that are no flags keep their names.
[[nodiscard]] std::string in_flags(const InvalidArgument& error, const CLI::App& verb, const Arguments& words);

/// The message for a command line that CLI11 rejects: the argument, what is accepted, and what was probably meant.
/// `verb` is the chosen one.
[[nodiscard]] std::string parse_error_text(const CLI::ParseError& error, const CLI::App& verb, const Arguments& words);

/// The message for what CLI11 accepts but this program does not: an empty file name. "" if there is none.
[[nodiscard]] std::string empty_word_text(const CLI::App& verb, const Arguments& words);

/// The message for a first argument that is not a verb: a flag of verbs, or a misspelled verb.
[[nodiscard]] std::string no_verb_text(const std::vector<const CLI::App*>& verbs, const Arguments& words);

}  // namespace isogon::cli
