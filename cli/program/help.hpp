#pragma once
#include <string>

#include "program/cli11_types.hpp"

namespace isogon::cli {

/// Sets the layout of the help: lines of 100 columns. Call it before verbs are added; they inherit it.
void lay_out_help(CLI::App& app);

/// The help that --help asked for.
[[nodiscard]] std::string help_text(const CLI::App& app);

}  // namespace isogon::cli
