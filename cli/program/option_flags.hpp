#pragma once
// Flags and their values: what the words after a flag mean, and the flags that come of option tables.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/run_context.hpp"
#include "program/command_line.hpp"

namespace isogon::cli {

/// "8G", "1.5GiB", "500000": bytes. k, M, G and T are powers of 1000, KiB, MiB, GiB and TiB powers of 1024. Throws
/// InvalidArgument naming `option`, the text and valid values.
[[nodiscard]] std::uint64_t parse_bytes(const std::string& option, std::string_view text);

/// "90", "90s", "5m", "1.5h": seconds, above 0 and at most 10,000 h, or "0" where that has a meaning. Throws
/// InvalidArgument likewise.
[[nodiscard]] double parse_seconds(const std::string& option, std::string_view text, bool or_zero = false);

/// A whole number of at least `least` and at most `most`. Throws InvalidArgument likewise.
[[nodiscard]] std::int64_t parse_whole(const std::string& option, std::string_view text, std::int64_t least,
                                       std::int64_t most);

/// A number above 0 and below 1. Throws InvalidArgument likewise.
[[nodiscard]] double parse_cosine(const std::string& option, std::string_view text);

/// One of `choices`, as it stands. Throws InvalidArgument likewise.
std::string parse_choice(const std::string& option, std::string_view text, const std::vector<std::string>& choices);

/// "0.42 s", "12.3 s", "4:05 min", "1:02:03 h"
[[nodiscard]] std::string human_seconds(double seconds);

/// " (weights 3.1 s, solution 0.5 s)", or nothing.
[[nodiscard]] std::string phases_text(const Summary& summary);

/// Numbers by name, a line each.
[[nodiscard]] std::string number_lines(const std::vector<std::pair<std::string, double>>& numbers);

/// The lines of a table, without line ends: cells are aligned to the right, `between` them.
[[nodiscard]] std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& table,
                                               std::string_view between);

/// "default 0.9; at least 0 and at most 1", "default auto; above 0 and below 1", "default fast; fast or paper"
[[nodiscard]] std::string describe_values(const OptionSpec& spec);

/// A table of options for people, one block each: flag, values, help.
[[nodiscard]] std::string options_text(const std::vector<OptionSpec>& specs);

/// Defaults overlaid with what was given.
[[nodiscard]] OptionValues options_as_used(const std::vector<OptionSpec>& specs, const OptionValues& given);

/// Adds a flag that takes a value: its names, then what the value is ("-o,--output FILE"). `Value`: std::string, a
/// vector of them, or an optional std::string or int.
template <class Value>
CLI::Option* add_value(CLI::App& app, const std::string& flag, Value& value, const std::string& help);

/// The group of the help for flags that are added while this lives.
class FlagGroup {
public:
    FlagGroup(CLI::App& app, const std::string& name);
    ~FlagGroup();
    FlagGroup(const FlagGroup&) = delete;
    FlagGroup& operator=(const FlagGroup&) = delete;

private:
    CLI::App& app_;
};

/// Owner of options: a method, a generator, or the verb itself.
struct OptionOwner {
    std::string name;
    std::vector<OptionSpec> specs;
};

/// Methods or generators with their options.
template <class List>
[[nodiscard]] std::vector<OptionOwner> owners_of(const List& list) {
    std::vector<OptionOwner> owners;
    owners.reserve(list.size());
    for (const auto& one : list) {
        owners.push_back({one.name, one.options});
    }
    return owners;
}

/// Command line flags generated from option tables: --name for every option of any owner. Must stay at one address
/// until parsing is done.
class OptionFlags {
public:
    OptionFlags() = default;
    OptionFlags(const OptionFlags&) = delete;
    OptionFlags& operator=(const OptionFlags&) = delete;

    /// Call it once. `noun` is what messages call an owner: "method", "generator".
    void add(CLI::App& app, std::string noun, std::vector<OptionOwner> owners);

    /// From now on the help shows the options of this owner alone, as it has them. No change for an unknown one.
    void show_options_of(const std::string& owner);

    /// The flags that were set, as options of `owner`. Throws InvalidArgument for an invalid value, for a flag that
    /// this owner does not have (naming those that do), and for one without effect beside the others; options in
    /// `varied` are assumed to take values that let it have one.
    [[nodiscard]] OptionValues values(const std::string& owner, const std::vector<std::string>& varied = {}) const;

    /// Whether any flag was set.
    [[nodiscard]] bool any() const;

private:
    struct Flag {
        std::string name;
        std::string text;
        CLI::Option* option = nullptr;
    };

    void add_flag(CLI::App& app, Flag& flag, const OptionSpec& spec);
    [[nodiscard]] std::string help_of(const std::string& option) const;
    [[nodiscard]] std::string owners_of(const std::string& option) const;
    [[nodiscard]] std::string group_of(const std::string& option) const;

    std::string noun_;
    std::vector<OptionOwner> owners_;
    std::vector<Flag> flags_;
};

}  // namespace isogon::cli
