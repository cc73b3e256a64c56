#include "flag_names.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <utility>

namespace isogon::cli {

namespace {

/// What the library calls otherwise than the command line does; given by its file, a start is that of --start-from.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> other_names{{{"start", "--start-from"},
                                                                                    {"model", "MODEL"},
                                                                                    {"method", "NAME"},
                                                                                    {"affinities", "--affinity-graph"},
                                                                                    {"generator", "NAME"},
                                                                                    {"cosine", "--above"}}};

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

const CLI::Option* find_option(const CLI::App& verb, std::string_view field) {
    const CLI::Option* option = verb.get_option_no_throw(as_flag(field));
    for (const auto& [name, flag] : other_names) {
        const CLI::Option* other = name == field ? verb.get_option_no_throw(std::string(flag)) : nullptr;
        option = is_given(other) && !is_given(option) ? other : option;
    }
    return option;
}

/// Only options of a table have defaults that can break a bound; of other names the field may be no flag at all.
bool has_a_default(const CLI::Option& option) {
    return option.get_group().starts_with("Options");
}

bool types(const std::string& word, const std::string& flag) {
    return word == flag || (word.starts_with(flag) && (!flag.starts_with("--") || word[flag.size()] == '='));
}

/// The value, which an empty one does not show.
std::string with_value(const std::string& flag, const std::string& rest) {
    return flag + (flag.ends_with('=') ? "" : " ") + (rest.starts_with(": ") ? "''" : "") + rest;
}

}  // namespace

std::string spelled(const CLI::Option& option, const Words& words) {
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

std::string in_flags(const InvalidArgument& error, const CLI::App& verb, const Words& words) {
    const std::string& field = error.field();
    const std::string text = error.what();
    std::string rest = text.substr(field.size() + std::string_view(" = ").size());  // "value: bound"
    const std::string name = field.substr(0, field.starts_with("--") ? field.find(' ') : std::string::npos);
    const CLI::Option* option = find_option(verb, name);
    if (option == nullptr || (!is_given(option) && !has_a_default(*option))) {
        return field.starts_with("--") ? with_value(field, rest) : text;
    }
    if (!is_given(option)) {
        rest.insert(std::min(rest.find(": "), rest.size()), " (the default)");
    }
    return with_value(spelled(*option, words) + field.substr(name.size()), rest);
}

}  // namespace isogon::cli
