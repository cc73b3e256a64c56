#include "program/help.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <sstream>

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

void replace_all(std::string& text, const std::string& what, const std::string& by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
        text.replace(at, what.size(), by);
    }
}

class Layout : public CLI::Formatter {
public:
    Layout() {
        column_width(name_columns);
        label("SUBCOMMAND", "VERB");
    }

    /// CLI11 appends the value of a negated flag, as in --no-color{false}; users do not type that.
    std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
        std::string name = Formatter::make_option_name(option, is_positional);
        replace_all(name, "{false}", "");
        return name;
    }

    std::string make_option_opts(const CLI::Option* option) const override {
        if (option->get_positional()) {
            return "";
        }
        const std::string type = option->get_type_size() == 0 ? "" : " " + option->get_type_name();
        return type + (option->get_required() ? " (required)" : "");
    }

    std::string make_option_desc(const CLI::Option* option) const override {
        return wrapped(option->get_description());
    }
};

}  // namespace

void lay_out_help(CLI::App& app) {
    app.formatter(std::make_shared<Layout>());
}

std::string help_text(const CLI::App& app) {
    std::string text = app.help();
    replace_all(text, "\n\n\n", "\n\n");
    return text;
}

}  // namespace isogon::cli
