#pragma once
#include <CLI/CLI.hpp>

namespace isogon::cli {

/// Breaks the help texts of `app` and of its verbs into lines that fit a terminal of 100 columns.
void lay_out_help(CLI::App& app);

}  // namespace isogon::cli
