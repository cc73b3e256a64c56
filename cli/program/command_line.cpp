#include "program/command_line.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "isogon/core/error.hpp"
#include "program/former_flags.hpp"

namespace isogon::cli {

namespace {

bool is_plain(char c) {
    constexpr std::string_view others = "_./=,:+-@%";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
}

std::string quoted(std::string_view word) {
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) {
        return std::string(word);
    }
    std::string text = "'";
    for (const char c : word) {
        text += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return text + "'";
}

}  // namespace

std::string command_line(int argc, const char* const* argv) {
    std::string line = "isogon";
    for (int i = 1; i < argc; ++i) {
        line += ' ' + quoted(argv[i]);
    }
    return line;
}

Arguments without_dashes(Arguments words) {
    const auto dashes = std::ranges::find(words, "--");
    if (dashes != words.end()) {
        for (auto word = words.erase(dashes); word != words.end(); ++word) {
            *word = word->starts_with('-') ? "./" + *word : *word;
        }
    }
    return words;
}

namespace {

/// Library names of options that differ from the flags; --start-from is a start that is given as a file.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> other_names{
    {{"start", "--start-from"}, {"model", "MODEL"}, {"method", "NAME"}, {"generator", "NAME"}, {"cosine", "--above"}}};

/// "label_column" and "neighbor graph" as flags: "--label-column", "--neighbor-graph".
std::string as_flag(std::string_view field) {
    std::string flag(field.starts_with("--") ? "" : "--");
    for (const char letter : field) {
        flag += letter == '_' || letter == ' ' ? '-' : letter;
    }
    return flag;
}

bool is_given(const CLI::Option* option) {
    return option != nullptr && option->count() > 0;
}

/// The option of this name, or null. Not by CLI11's get_option_no_throw(), nor by what calls it: it copies names and is
/// noexcept, so that the program aborts where memory is short.
const CLI::Option* option_named(const CLI::App& verb, const std::string& name) {
    const auto options = verb.get_options();
    const auto found =
        std::ranges::find_if(options, [&](const CLI::Option* option) { return option->check_name(name); });
    return found == options.end() ? nullptr : *found;
}

const CLI::Option* find_option(const CLI::App& verb, std::string_view field) {
    const CLI::Option* option = option_named(verb, as_flag(field));
    for (const auto& [name, flag] : other_names) {
        const CLI::Option* other = name == field ? option_named(verb, std::string(flag)) : nullptr;
        option = is_given(other) && !is_given(option) ? other : option;
    }
    return option;
}

/// Only options of an option table have defaults that can be out of bounds; other fields need not be flags at all.
bool has_a_default(const CLI::Option& option) {
    return option.get_group().starts_with("Options");
}

bool types(const std::string& word, const std::string& flag) {
    return word == flag || (word.starts_with(flag) && (!flag.starts_with("--") || word[flag.size()] == '='));
}

/// An option of a Text as the flag of that name: "--dim", "isogon convert --standardize".
std::string flag_of(const std::string& option) {
    const std::size_t blank = option.find(' ');
    if (blank != std::string::npos) {
        return "isogon " + option.substr(0, blank) + " --" + option.substr(blank + 1);
    }
    return option == "dimension" ? "--dim" : "--" + option;
}

}  // namespace

std::string spelled(const CLI::Option& option, const Arguments& words) {
    if (option.get_positional()) {
        return option.get_name(true);
    }
    for (const auto& word : words) {
        for (const auto& name : option.get_lnames()) {
            if (types(word, "--" + name)) {
                return "--" + name;
            }
        }
        for (const auto& name : option.get_snames()) {
            if (!word.starts_with("--") && types(word, "-" + name)) {
                return "-" + name;
            }
        }
    }
    return option.get_name();
}

std::vector<std::string> flags_of(const CLI::App& verb) {
    std::vector<std::string> flags;
    for (const CLI::Option* option : verb.get_options()) {
        for (const auto& name : option->get_lnames()) {
            flags.push_back("--" + name);
        }
    }
    return flags;
}

std::string in_flags(const Text& text) {
    return text.in(flag_of);
}

std::vector<std::string> in_flags(const std::vector<Text>& texts) {
    std::vector<std::string> sentences;
    sentences.reserve(texts.size());
    for (const Text& text : texts) {
        sentences.push_back(in_flags(text));
    }
    return sentences;
}

std::string in_flags(const InvalidArgument& error, const CLI::App& verb, const Arguments& words) {
    const std::string& field = error.field();
    const std::string name = field.substr(0, field.starts_with("--") ? field.find(' ') : std::string::npos);
    const std::string requirement = error.requirement().in([&](const std::string& other) {
        const CLI::Option* option = find_option(verb, other);
        return is_given(option) ? spelled(*option, words) : flag_of(other);
    });
    const CLI::Option* option = find_option(verb, name);
    const bool is_option = option != nullptr && (is_given(option) || has_a_default(*option));
    if (!is_option && !field.starts_with("--")) {
        return fmt::format("{} = {}: {}", field, error.value(), requirement);
    }
    const std::string flag = is_option ? spelled(*option, words) + field.substr(name.size()) : field;
    return fmt::format("{}{}{}{}: {}", flag, flag.ends_with('=') ? "" : " ",
                       error.value().empty() ? "''" : error.value(),
                       is_option && !is_given(option) ? " (the default)" : "", requirement);
}

namespace {

std::string flag_part(const std::string& word) {
    return word.substr(0, word.find('='));
}

/// "--dim N", "INPUT".
std::string with_type(const CLI::Option& option, const Arguments& words) {
    const std::string type = option.get_positional() || option.get_type_size() == 0 ? "" : option.get_type_name();
    return spelled(option, words) + (type.empty() ? "" : " " + type);
}

/// Messages of CLI11 begin with the name of the option.
const CLI::Option* option_of(const CLI::ParseError& error, const CLI::App& verb) {
    const std::string text = error.what();
    const CLI::Option* found = nullptr;
    std::size_t longest = 0;
    for (const CLI::Option* option : verb.get_options()) {
        const std::string name = option->get_name();
        if (name.size() > longest && text.starts_with(name)) {
            found = option;
            longest = name.size();
        }
    }
    return found;
}

/// An unknown flag, which may also be the reason why something else is missing.
std::optional<std::string> unknown_flag(const CLI::App& verb) {
    const std::vector<std::string> left = verb.remaining();
    const auto found = std::ranges::find_if(left, [](const auto& word) { return word.size() > 1 && word[0] == '-'; });
    if (found == left.end()) {
        return std::nullopt;
    }
    const std::string flag = flag_part(*found);
    std::string text = flag + ": isogon " + verb.get_name() + " has no such flag";
    if (const std::string_view instead = in_place_of(verb.get_name(), flag); !instead.empty()) {
        return text + " any more; " + std::string(instead);
    }
    const auto known = flags_of(verb);
    if (!flag.starts_with("--") && std::ranges::find(known, "-" + flag) != known.end()) {
        return text + "; did you mean -" + flag + "?";
    }
    return text + did_you_mean(flag, known);
}

std::string too_many(const CLI::App& verb, const std::string& word) {
    std::string places;
    for (const CLI::Option* option : verb.get_options()) {
        if (option->get_positional()) {
            places += (places.empty() ? "" : " ") + option->get_name(true);
        }
    }
    return "'" + word + "': one word too many; isogon " + verb.get_name() +
           (places.empty() ? " takes flags alone" : " takes " + places + " and flags");
}

std::string missing_part(const CLI::App& verb, const Arguments& words) {
    for (const CLI::Option* option : verb.get_options()) {
        if (option->get_required() && option->count() == 0) {
            return with_type(*option, words) + " is missing: " + option->get_description();
        }
        for (const CLI::Option* needed : option->get_needs()) {
            if (option->count() > 0 && needed->count() == 0) {
                return spelled(*option, words) + " has an effect only with " + with_type(*needed, words) +
                       ": give that too, or leave it out";
            }
        }
    }
    return {};
}

/// For an option that was given without its value, or more than once.
std::string mismatch(const CLI::Option& option, const Arguments& words) {
    const auto given = option.count();
    if (given > static_cast<std::size_t>(std::max(1, option.get_items_expected_max()))) {
        return spelled(option, words) + " is there " + std::to_string(given) + " times; give it once";
    }
    return spelled(option, words) + ": " + option.get_type_name() + " is missing after it";
}

}  // namespace

std::string parse_error_text(const CLI::ParseError& error, const CLI::App& verb, const Arguments& words) {
    if (const auto unknown = unknown_flag(verb)) {
        return *unknown;
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
        if (const CLI::Option* option = option_of(error, verb)) {
            return mismatch(*option, words);
        }
    }
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !verb.remaining().empty()) {
        return too_many(verb, verb.remaining().front());
    }
    std::string missing = missing_part(verb, words);
    if (!missing.empty()) {
        return missing;
    }
    for (const auto& word : words) {  // --json=3
        const CLI::Option* flag = word.starts_with("--") ? option_named(verb, flag_part(word)) : nullptr;
        if (flag != nullptr && flag->get_items_expected_max() == 0 && word.find('=') != std::string::npos) {
            return word + ": " + flag_part(word) + " takes no value";
        }
    }
    return error.what();
}

std::string empty_word_text(const CLI::App& verb, const Arguments& words) {
    for (const CLI::Option* option : verb.get_options()) {
        const std::string type = option->get_type_name();
        const bool names_file = option->get_positional() || type.starts_with("FILE") || type.starts_with("FOLDER") ||
                                type.starts_with("DIR");
        const auto& results = option->results();
        if (names_file && std::ranges::find(results, "") != results.end()) {
            return spelled(*option, words) + " '': is no name; leave it out, or name a file";
        }
    }
    return {};
}

std::string no_verb_text(const std::vector<const CLI::App*>& verbs, const Arguments& words) {
    std::string all;
    std::vector<std::string> names;
    for (const CLI::App* verb : verbs) {
        names.push_back(verb->get_name());
        all += (all.empty() ? "" : ", ") + verb->get_name();
    }
    if (words.empty()) {
        return "no verb given; the verbs are " + all;
    }
    const std::string flag = flag_part(words.front());
    if (const std::string_view instead = in_place_of_verb(words.front()); !instead.empty()) {
        return fmt::format("{}: no verb any more: {}; the verbs are {}", words.front(), instead, all);
    }
    if (!flag.starts_with('-')) {
        return words.front() + ": no such verb; the verbs are " + all + did_you_mean(words.front(), names);
    }
    for (const CLI::App* verb : verbs) {
        if (option_named(*verb, flag) != nullptr) {
            return fmt::format("{0}: a flag of a verb comes after it, as in isogon {1} ... {0}; the verbs are {2}",
                               flag, verb->get_name(), all);
        }
    }
    return flag + ": isogon has no such flag; a verb comes first, one of " + all +
           did_you_mean(flag, {"--help", "--version"});
}

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

/// "how many (default 3)" of "how many; more take longer (default 3; at least 1)".
std::string first_clause(const std::string& text) {
    constexpr std::string_view usual = " (default)";
    std::size_t bracket = text.find(" (");
    if (text.substr(std::min(bracket, text.size())).starts_with(usual)) {
        bracket = text.find(" (", bracket + 1);
    }
    const std::string clause = text.substr(0, std::min({text.find("; "), text.find(". "), bracket}));
    const std::size_t begin = text.rfind(" (default ");
    return begin == std::string::npos ? clause
                                      : clause + text.substr(begin, text.find_first_of(";)", begin) - begin) + ')';
}

class Layout : public CLI::Formatter {
public:
    Layout() {
        column_width(name_columns);
        label("SUBCOMMAND", "VERB");
    }

    void show(HelpLength length) { length_ = length; }

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
        const std::string& text = option->get_description();
        return wrapped(length_ == HelpLength::Short ? first_clause(text) : text);
    }

private:
    HelpLength length_ = HelpLength::Short;
};

}  // namespace

void lay_out_help(CLI::App& app) {
    app.formatter(std::make_shared<Layout>());
}

std::string help_text(const CLI::App& app, HelpLength length) {
    dynamic_cast<Layout&>(*app.get_formatter()).show(length);
    std::string text = app.help();
    replace_all(text, "\n\n\n", "\n\n");
    return text;
}

}  // namespace isogon::cli
