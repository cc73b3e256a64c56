#pragma once
#include <string>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "program/cli11_types.hpp"

namespace isogon::cli {

/// "default 0.9; at least 0 and at most 1", "default auto; above 0 and below 1", "default fast; fast or paper"
[[nodiscard]] std::string describe_values(const OptionSpec& spec);

/// A table of options for people, one block each: flag, values, help.
[[nodiscard]] std::string options_text(const std::vector<OptionSpec>& specs);

/// Defaults overlaid with what was given.
[[nodiscard]] OptionValues options_as_used(const std::vector<OptionSpec>& specs, const OptionValues& given);

/// Owner of options: a method, a generator, or the verb itself.
struct OptionOwner {
    std::string name;
    std::vector<OptionSpec> specs;
};

/// Command line flags generated from option tables: --name for every option of any owner. Must stay at one address
/// until parsing is done.
class OptionFlags {
public:
    /// `noun` is what messages call an owner: "method", "generator".
    OptionFlags(CLI::App& app, std::string noun, std::vector<OptionOwner> owners);
    OptionFlags(const OptionFlags&) = delete;
    OptionFlags& operator=(const OptionFlags&) = delete;

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
