#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "isogon/core/error.hpp"

namespace isogon {

/// A value of an option. std::monostate stands for "auto": chosen from the data.
using OptionValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// Options by name, as in a command line, a Python call or a model file.
using OptionValues = std::map<std::string, OptionValue, std::less<>>;

enum class OptionKind { Flag, Integer, Number, Choice };

/// A condition on another option: unless it is fulfilled, the first option has no effect.
struct OptionNeed {
    std::string option;
    std::vector<std::string>
        values{};  ///< values that satisfy the condition, possibly "auto"; none: any but its default
};

/// The description of one option, except for the member that stores it: used for flags, keywords, JSON and docs.
struct OptionSpec {
    std::string name;  ///< lower case words joined by hyphens, the same everywhere
    std::string help;  ///< one sentence: what it does, and the effect of a larger value
    OptionKind kind = OptionKind::Flag;
    OptionValue default_value;
    bool automatic = false;  ///< may be "auto"
    std::optional<double> minimum;
    std::optional<double> maximum;
    bool open = false;  ///< the bounds themselves are excluded
    std::vector<std::string> choices;
    std::vector<OptionNeed> needs{};                                   ///< all of them
    std::int64_t smallest = std::numeric_limits<std::int64_t>::min();  ///< whole numbers that its field can hold
    std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    bool fits_data = false;  ///< its default is less, or another, where the data allow no more
};

/// The option of that name; null if there is none.
[[nodiscard]] inline const OptionSpec* find_option(const std::vector<OptionSpec>& specs, std::string_view name) {
    const auto found =
        std::find_if(specs.begin(), specs.end(), [&](const OptionSpec& spec) { return spec.name == name; });
    return found == specs.end() ? nullptr : &*found;
}

/// An option as given, else its default; `automatic` if there is none of that name.
[[nodiscard]] inline OptionValue option_of(const std::vector<OptionSpec>& specs, const OptionValues& given,
                                           std::string_view name) {
    if (const auto value = given.find(name); value != given.end()) {
        return value->second;
    }
    const OptionSpec* spec = find_option(specs, name);
    return spec == nullptr ? OptionValue() : spec->default_value;
}

/// "0.75", "auto", "true", "fast": a value as a command line spells it.
[[nodiscard]] std::string to_text(const OptionValue& value);

/// Reads a value as a command line spells it; throws InvalidArgument naming the option, the text and the valid values.
[[nodiscard]] OptionValue parse_option(const OptionSpec& spec, std::string_view text);

/// Throws InvalidArgument if the value is of the wrong kind or violates a bound. Whole numbers are valid numbers.
void check_option(const OptionSpec& spec, const OptionValue& value);

/// Throws InvalidArgument for the first of the options `given` that would have no effect, because another option, given
/// or by default, does not have the required value. Options in `varied` are assumed to have the required value.
void require_effect(const std::vector<OptionSpec>& specs, const OptionValues& given,
                    const std::vector<std::string>& varied = {});

/// "with repulsion barnes-hut or auto", or "" for an option that needs no other.
[[nodiscard]] std::string describe_needs(const OptionSpec& spec);

/// Bounds of a numeric option.
struct Bounds {
    std::optional<double> minimum{};
    std::optional<double> maximum{};
    bool open = false;
};

/// The one place where the fields of an options struct are listed: validation, command line flags, Python keywords,
/// JSON and the tables in docs/ all follow from it. Field types: bool, int, std::uint64_t (seeds), double,
/// optional ones ("auto" when empty), and enums as choices.
template <class Options>
class OptionTable {
public:
    struct Field {
        OptionSpec spec;
        std::function<OptionValue(const Options&)> get;
        std::function<void(Options&, const OptionValue&)> set;
    };

    OptionTable& flag(std::string name, bool Options::*member, std::string help) {
        return add(
            {std::move(name), std::move(help), OptionKind::Flag, {}, false, {}, {}, false, {}},
            [member](const Options& o) { return OptionValue{o.*member}; },
            [member](Options& o, const OptionValue& v) { o.*member = std::get<bool>(v); });
    }

    template <class Integer>
    OptionTable& integer(std::string name, Integer Options::*member, Bounds bounds, std::string help) {
        return add(
            whole_number<Integer>(std::move(name), bounds, std::move(help)),
            [member](const Options& o) { return OptionValue{static_cast<std::int64_t>(o.*member)}; },
            [member](Options& o, const OptionValue& v) {
                o.*member = static_cast<Integer>(std::get<std::int64_t>(v));
            });
    }

    template <class Integer>
    OptionTable& integer(std::string name, std::optional<Integer> Options::*member, Bounds bounds, std::string help) {
        OptionSpec spec = whole_number<Integer>(std::move(name), bounds, std::move(help));
        spec.automatic = true;
        return add(
            std::move(spec),
            [member](const Options& o) {
                return o.*member ? OptionValue{static_cast<std::int64_t>(*(o.*member))} : OptionValue{};
            },
            [member](Options& o, const OptionValue& v) {
                const auto* whole = std::get_if<std::int64_t>(&v);
                o.*member = whole == nullptr ? std::nullopt : std::optional<Integer>(static_cast<Integer>(*whole));
            });
    }

    OptionTable& number(std::string name, double Options::*member, Bounds bounds, std::string help) {
        return add(
            {std::move(name),
             std::move(help),
             OptionKind::Number,
             {},
             false,
             bounds.minimum,
             bounds.maximum,
             bounds.open,
             {}},
            [member](const Options& o) { return OptionValue{o.*member}; },
            [member](Options& o, const OptionValue& v) { o.*member = as_number(v); });
    }

    OptionTable& number(std::string name, std::optional<double> Options::*member, Bounds bounds, std::string help) {
        return add(
            {std::move(name),
             std::move(help),
             OptionKind::Number,
             {},
             true,
             bounds.minimum,
             bounds.maximum,
             bounds.open,
             {}},
            [member](const Options& o) { return o.*member ? OptionValue{*(o.*member)} : OptionValue{}; },
            [member](Options& o, const OptionValue& v) {
                o.*member =
                    std::holds_alternative<std::monostate>(v) ? std::nullopt : std::optional<double>(as_number(v));
            });
    }

    template <class Enum>
    OptionTable& choice(std::string name, Enum Options::*member, std::vector<std::pair<std::string, Enum>> choices,
                        std::string help) {
        OptionSpec spec{std::move(name), std::move(help), OptionKind::Choice, {}, false, {}, {}, false, {}};
        for (const auto& item : choices) {
            spec.choices.push_back(item.first);
        }
        return add(
            std::move(spec),
            [member, choices](const Options& o) {
                for (const auto& [text, value] : choices) {
                    if (value == o.*member) {
                        return OptionValue{text};
                    }
                }
                return OptionValue{};
            },
            [member, choices](Options& o, const OptionValue& v) {
                for (const auto& [text, value] : choices) {
                    if (text == std::get<std::string>(v)) {
                        o.*member = value;
                    }
                }
            });
    }

    /// The option added last has an effect only where `option` has one of `values` ("auto", if what may be chosen is
    /// among them); without values, where it is not at its default.
    OptionTable& only_with(std::string option, std::vector<std::string> values = {}) {
        fields_.back().spec.needs.push_back({std::move(option), std::move(values)});
        return *this;
    }

    [[nodiscard]] std::vector<OptionSpec> specs() const {
        std::vector<OptionSpec> list;
        for (const auto& field : fields_) {
            list.push_back(field.spec);
        }
        return list;
    }

    /// Throws InvalidArgument for the first field that breaks its bounds, else for the first that is not at its default
    /// and would change nothing.
    void validate(const Options& options) const {
        OptionValues changed;
        for (const auto& field : fields_) {
            const OptionValue value = field.get(options);
            check_option(field.spec, value);
            if (value != field.spec.default_value) {
                changed.emplace(field.spec.name, value);
            }
        }
        require_effect(specs(), changed);
    }

    /// Defaults overlaid with `values`. Throws InvalidArgument for a name that is not in the table or a bad value.
    [[nodiscard]] Options make(const OptionValues& values) const {
        Options options;
        for (const auto& [name, value] : values) {
            const Field& field = find(name);
            check_option(field.spec, value);
            field.set(options, value);
        }
        return options;
    }

    /// Every field of `options` by name.
    [[nodiscard]] OptionValues values(const Options& options) const {
        OptionValues list;
        for (const auto& field : fields_) {
            list.emplace(field.spec.name, field.get(options));
        }
        return list;
    }

private:
    template <class Integer>
    static OptionSpec whole_number(std::string name, Bounds bounds, std::string help) {
        using Limits = std::numeric_limits<Integer>;
        OptionSpec spec{std::move(name), std::move(help), OptionKind::Integer, {}, false,
                        bounds.minimum,  bounds.maximum,  bounds.open,         {}};
        if constexpr (std::in_range<std::int64_t>(Limits::max())) {
            spec.largest = Limits::max();
        }
        spec.smallest = static_cast<std::int64_t>(Limits::min());
        return spec;
    }

    static double as_number(const OptionValue& value) {
        const auto* whole = std::get_if<std::int64_t>(&value);
        return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
    }

    OptionTable& add(OptionSpec spec, std::function<OptionValue(const Options&)> get,
                     std::function<void(Options&, const OptionValue&)> set) {
        spec.default_value = get(Options{});
        fields_.push_back({std::move(spec), std::move(get), std::move(set)});
        return *this;
    }

    [[nodiscard]] const Field& find(std::string_view name) const {
        for (const auto& field : fields_) {
            if (field.spec.name == name) {
                return field;
            }
        }
        throw_unknown(name);
    }

    [[noreturn]] void throw_unknown(std::string_view name) const {
        std::vector<std::string> names;
        for (const auto& field : fields_) {
            names.push_back(field.spec.name);
        }
        throw InvalidArgument("option", std::string(name), "there is none of this name" + did_you_mean(name, names));
    }

    std::vector<Field> fields_;
};

}  // namespace isogon
