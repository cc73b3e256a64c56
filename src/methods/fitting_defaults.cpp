#include "methods/fitting_defaults.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "methods/method_frame.hpp"
#include "neighbors/given_neighbors.hpp"

namespace isogon {

namespace {

bool fits_data(const Method& method, const OptionSpec& spec) {
    if (spec.name == "start") {  // distances have no directions
        return method.accepts_precomputed && spec.default_value == OptionValue{std::string("pca")};
    }
    return (spec.name == "dimension" || spec.name == "neighbors") &&
           std::holds_alternative<std::int64_t>(spec.default_value);
}

bool has_table(const OptionValues& given) {
    const auto metric = given.find("metric");
    return metric != given.end() && to_text(metric->second) == "precomputed";
}

FitSizes sizes_of(const Method& method, const DistributedPoints& x, const FitExtras& extras) {
    FitSizes sizes{.points = x.count(), .features = x.dimension()};
    if (const NeighborLists* lists = extras.neighbors) {
        // Methods that take a graph alone keep the lengths of its lists; others need so many neighbours of each point.
        sizes.listed = method.accepts_precomputed ? lists->size : shortest_list(*lists);
    }
    return sizes;
}

/// The fit, whose options say of what was left to it what the summary has under the same name: sigma, threshold, price.
Embedding with_chosen_options(Embedding fit) {
    for (auto& [name, value] : fit.options) {
        const double chosen = fit.summary.value(name);
        if (std::holds_alternative<std::monostate>(value) && chosen > 0.0) {
            value = chosen;
        }
    }
    return fit;
}

}  // namespace

OptionValues with_fitting_defaults(const Method& method, OptionValues given, const FitSizes& sizes) {
    const std::int64_t others = std::max<std::int64_t>(1, std::int64_t{sizes.points} - 1);
    const std::int64_t listed = sizes.listed ? std::max<std::int64_t>(1, *sizes.listed) : others;
    const auto left_open = [&](std::string_view name) {
        const OptionSpec* spec = find_option(method.options, name);
        return spec != nullptr && spec->fits_data && !given.contains(name) ? spec : nullptr;
    };
    if (const OptionSpec* spec = left_open("neighbors")) {
        given.emplace("neighbors", std::min({std::get<std::int64_t>(spec->default_value), others, listed}));
    }
    if (const OptionSpec* spec = left_open("dimension")) {
        std::int64_t most = std::min({std::get<std::int64_t>(spec->default_value), others,
                                      sizes.features > 0 ? std::int64_t{sizes.features} : others});
        if (sizes.landmarks) {
            // In spectral methods a point is a mixture of one landmark more than it has numbers.
            const bool mixes = method.fits_on_landmarks && method.name != "lsde";
            most = std::min(most, *sizes.landmarks - (mixes ? 2 : 1));
        }
        if (method.name == "lle") {  // neighbours that rebuild a point span one number fewer
            most = std::min(most, static_cast<std::int64_t>(positive_number(given.at("neighbors"))) - 1);
        }
        given.emplace("dimension", std::max<std::int64_t>(1, most));
    }
    if (left_open("start") != nullptr && (sizes.features == 0 || has_table(given))) {
        given.emplace("start", std::string("random"));
    }
    return given;
}

Method with_fitting_defaults(const Method& plain) {
    Method method = plain;
    for (OptionSpec& spec : method.options) {
        spec.fits_data = fits_data(method, spec);
    }
    return {
        method.description(), [method](const FitArguments& given) {
            FitSizes sizes = sizes_of(method, given.points, given.extras);
            if (given.landmarks != nullptr) {
                sizes.landmarks = given.landmarks->landmarks;
            }
            return with_chosen_options(method.embed(given.points, with_fitting_defaults(method, given.options, sizes),
                                                    given.context, given.extras, given.landmarks));
        }};
}

}  // namespace isogon
