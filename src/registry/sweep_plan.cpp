#include "registry/sweep_plan.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "isogon/core/error.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/neighbors/neighbor_lists.hpp"
#include "isogon/registry/registry.hpp"
#include "methods/method_frame.hpp"

namespace isogon {

namespace {

constexpr std::size_t most_combinations = 100000;

const std::vector<OptionSpec>& landmark_specs() {
    static const std::vector<OptionSpec> specs = landmark_option_table().specs();
    return specs;
}

const OptionSpec& spec_of(const Method& method, const std::string& name) {
    if (const OptionSpec* spec = find_option(method.options, name)) {
        return *spec;
    }
    if (const OptionSpec* spec = find_option(landmark_specs(), name)) {
        return *spec;
    }
    std::string names;
    for (const auto& spec : sweep_option_specs(method.name)) {
        names += (names.empty() ? "" : ", ") + spec.name;
    }
    throw InvalidArgument("option", name, "the method " + method.name + " has no such option; it has " + names);
}

void require_axis(const Method& method, const SweepPlan& plan, const SweepAxis& axis) {
    const OptionSpec& spec = spec_of(method, axis.option);
    const auto same = [&](const SweepAxis& other) { return other.option == axis.option; };
    if (std::count_if(plan.axes.begin(), plan.axes.end(), same) > 1) {
        throw InvalidArgument("grid", axis.option, "is there twice; give all its values at once");
    }
    if (plan.options.contains(axis.option)) {
        throw InvalidArgument("grid", axis.option, "has a fixed value as well; leave out one of the two");
    }
    if (axis.values.empty()) {
        throw InvalidArgument("grid", axis.option, "has no values; give at least one");
    }
    for (const auto& value : axis.values) {
        check_option(spec, value);
    }
}

bool is_positive(const OptionValue& value) {
    return positive_number(value) > 0;
}

bool any_landmarks(const SweepPlan& plan) {
    const auto fixed = plan.options.find("landmarks");
    return (fixed != plan.options.end() && is_positive(fixed->second)) ||
           std::any_of(plan.axes.begin(), plan.axes.end(), [](const SweepAxis& axis) {
               return axis.option == "landmarks" && std::any_of(axis.values.begin(), axis.values.end(), is_positive);
           });
}

/// Options that would change nothing are a mistake.
void require_landmarks_for(const std::string& name, const SweepPlan& plan) {
    if (name != "landmarks" && find_option(landmark_specs(), name) != nullptr && !any_landmarks(plan)) {
        throw InvalidArgument("option", name, "goes with landmarks, of which there are none; give their number");
    }
}

/// Axes of the method first, then those of landmarks.
std::vector<SweepAxis> in_order(const Method& method, std::vector<SweepAxis> axes) {
    std::stable_partition(axes.begin(), axes.end(),
                          [&](const SweepAxis& axis) { return find_option(method.options, axis.option) != nullptr; });
    return axes;
}

SweepPoint point_of(const Method& method, const OptionValues& fixed, OptionValues values) {
    SweepPoint point;
    const auto sort_in = [&](const OptionValues& list) {
        for (const auto& [name, value] : list) {
            (find_option(method.options, name) != nullptr ? point.method : point.landmarks)[name] = value;
        }
    };
    sort_in(fixed);
    sort_in(values);
    point.values = std::move(values);
    return point;
}

}  // namespace

std::vector<OptionSpec> sweep_option_specs(std::string_view method_name) {
    const Method& method = find_method(method_name);
    if (!method.fits_on_landmarks) {
        std::string names;
        for (const auto& other : methods()) {
            names += !other.fits_on_landmarks ? "" : (names.empty() ? "" : ", ") + other.name;
        }
        throw InvalidArgument("method", method.name, "has no sweep; it must be one of " + names);
    }
    std::vector<OptionSpec> specs = method.options;
    specs.insert(specs.end(), landmark_specs().begin(), landmark_specs().end());
    return specs;
}

void require_plan(const Method& method, const SweepPlan& plan) {
    for (const auto& [name, value] : plan.options) {
        check_option(spec_of(method, name), value);
        require_landmarks_for(name, plan);
    }
    if (plan.axes.empty()) {
        throw InvalidArgument("grid", "nothing", "name at least one option and its values");
    }
    std::size_t count = 1;
    for (const auto& axis : plan.axes) {
        require_axis(method, plan, axis);
        require_landmarks_for(axis.option, plan);
        if (axis.values.size() > most_combinations / count) {
            throw InvalidArgument("grid", "too many combinations",
                                  "must be at most " + std::to_string(most_combinations) + "; leave out some values");
        }
        count *= axis.values.size();
    }
}

std::vector<SweepPoint> combinations(const Method& method, const SweepPlan& plan) {
    std::vector<OptionValues> grid{{}};
    for (const auto& axis : in_order(method, plan.axes)) {
        std::vector<OptionValues> longer;
        for (const auto& values : grid) {
            for (const auto& value : axis.values) {
                longer.push_back(values);
                longer.back()[axis.option] = value;
            }
        }
        grid = std::move(longer);
    }
    std::vector<SweepPoint> points;
    points.reserve(grid.size());
    for (auto& values : grid) {
        points.push_back(point_of(method, plan.options, std::move(values)));
    }
    return points;
}

OptionValue option_of(const Method& method, const SweepPoint& point, std::string_view name) {
    return find_option(method.options, name) != nullptr ? option_of(method.options, point.method, name)
                                                        : option_of(landmark_specs(), point.landmarks, name);
}

Index most_neighbors(const Method& method, const std::vector<SweepPoint>& points, Index n) {
    std::uint64_t most = 0;
    for (const auto& point : points) {
        const std::uint64_t size = positive_number(option_of(method, point, "neighbors"));
        most = size < n ? std::max(most, size) : most;  // more are refused
    }
    return static_cast<Index>(most);
}

std::vector<MemoryItem> shared_bytes(const Method& method, const std::vector<SweepPoint>& points, Index n) {
    std::set<std::tuple<OptionValue, OptionValue, std::uint64_t>> searches;
    std::set<std::tuple<OptionValue, OptionValue, OptionValue, OptionValue, std::uint64_t>> weights;
    std::uint64_t lists_bytes = 0;
    std::uint64_t weights_bytes = 0;
    for (const auto& point : points) {
        const auto option = [&](const char* name) { return option_of(method, point, name); };
        const std::uint64_t size = positive_number(option("neighbors"));
        if (method.uses_neighbors && size < n && searches.emplace(option("metric"), option("seed"), size).second) {
            lists_bytes += neighbor_bytes(n, size);
        }
        const std::uint64_t landmarks = positive_number(option("landmarks"));
        const std::uint64_t requested = positive_number(option("extension-neighbors"));
        const std::uint64_t mixed =
            std::min(requested == 0 ? positive_number(option("dimension")) + 1 : requested, landmarks);
        const bool formula = option("extension") == OptionValue(std::string("nystrom"));
        if (landmarks > 0 && landmarks < n && !formula &&
            weights.emplace(option("landmarks"), option("landmark-selection"), option("seed"), option("metric"), mixed)
                .second) {
            weights_bytes += std::uint64_t{n} * (mixed * (sizeof(Index) + sizeof(double)) + sizeof(Offset));
        }
    }
    return {{"neighbours that fits share", lists_bytes}, {"weights towards landmarks that fits share", weights_bytes}};
}

}  // namespace isogon
