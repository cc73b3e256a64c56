#include "sweep_grid.hpp"

#include <algorithm>
#include <string_view>

#include "failure.hpp"
#include "isogon/core/text.hpp"

namespace isogon::cli {

namespace {

const OptionSpec& find(const std::vector<OptionSpec>& specs, const std::string& name, const std::string& method) {
    const auto found =
        std::find_if(specs.begin(), specs.end(), [&](const OptionSpec& spec) { return spec.name == name; });
    if (found != specs.end()) {
        return *found;
    }
    std::vector<std::string> known;
    std::string names;
    for (const auto& spec : specs) {
        known.push_back(spec.name);
        names += (names.empty() ? "" : ", ") + spec.name;
    }
    throw InvalidArgument("--grid", name,
                          "the method " + method + " has no such option; it has " + names + did_you_mean(name, known));
}

std::vector<OptionValue> parse_values(OptionSpec spec, std::string_view text) {
    spec.name = "--grid " + spec.name + "=";
    std::vector<OptionValue> values;
    while (true) {
        const std::size_t comma = text.find(',');
        values.push_back(parse_option(spec, text.substr(0, comma)));
        if (comma == std::string_view::npos) {
            return values;
        }
        text.remove_prefix(comma + 1);
    }
}

}  // namespace

std::vector<SweepAxis> parse_grid(const std::string& method, const std::vector<std::string>& texts) {
    const std::vector<OptionSpec> specs = sweep_option_specs(method);
    std::vector<SweepAxis> axes;
    for (const auto& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
            throw UsageError("--grid " + text + ": must be an option and its values, such as neighbors=10,20,40");
        }
        const std::string given = text.substr(0, equals);
        const std::string name = given == "dim" ? "dimension" : given;
        axes.push_back({name, parse_values(find(specs, name, method), std::string_view(text).substr(equals + 1))});
    }
    return axes;
}

}  // namespace isogon::cli
