#include "help_layout.hpp"

#include <sstream>
#include <string>

namespace isogon::cli {

namespace {

constexpr std::size_t name_columns = 34;
constexpr std::size_t text_columns = 100 - name_columns;

std::string wrapped(const std::string& text) {
    std::istringstream words(text);
    std::string word;
    std::string lines;
    std::size_t length = 0;
    while (words >> word) {
        const bool fits = length + 1 + word.size() <= text_columns;
        lines += (lines.empty() ? "" : fits ? " " : "\n") + word;
        length = fits && !lines.empty() ? length + 1 + word.size() : word.size();
    }
    return lines;
}

}  // namespace

void lay_out_help(CLI::App& app) {
    app.get_formatter()->column_width(name_columns);
    for (CLI::Option* option : app.get_options()) {
        option->description(wrapped(option->get_description()));
    }
    for (CLI::App* verb : app.get_subcommands(nullptr)) {
        lay_out_help(*verb);
    }
}

}  // namespace isogon::cli
