#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli11_types.hpp"
#include "isogon/core/error.hpp"

namespace isogon::cli {

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

}  // namespace isogon::cli
