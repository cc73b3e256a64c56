#pragma once
// The frame around the steps of every method: its entry in the registry, its options by name, a result without
// coordinates, and a run that an interruption ends.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/method.hpp"

namespace isogon {

/// The last step of every method of the registry: a result with a number that is not finite, in coordinates, maps or
/// summary, becomes a numerical failure that says so, without the coordinates and without such numbers. O(n d).
[[nodiscard]] Embedding finite_or_failed(Embedding fitted);

/// The points of one process; throws InvalidArgument for those that ranks share.
[[nodiscard]] inline const PointsView& undivided(const DistributedPoints& points, const std::string& method) {
    if (points.communicator() != nullptr) {
        throw InvalidArgument("method", method, "does not divide its points among ranks");
    }
    return points.local();
}

/// A method of the registry, from its option table and the function that it is: of points, options and context, then
/// `FitExtras` if it takes such, then `const LandmarkOptions*` if it can fit on landmarks. One that takes
/// DistributedPoints divides its pairs among ranks.
template <class Options, class Function>
[[nodiscard]] Method method_entry(MethodDescription description, const OptionTable<Options>& table, Function function) {
    constexpr bool divides = std::is_invocable_v<Function, DistributedPoints, Options, RunContext> ||
                             std::is_invocable_v<Function, DistributedPoints, Options, RunContext, FitExtras>;
    constexpr bool on_landmarks =
        std::is_invocable_v<Function, PointsView, Options, RunContext, FitExtras, const LandmarkOptions*>;
    constexpr bool takes_extras = std::is_invocable_v<Function, PointsView, Options, RunContext, FitExtras>;
    description.options = table.specs();
    description.distributes_pairs = divides;
    description.fits_on_landmarks = on_landmarks;
    const std::string name = description.name;
    return {std::move(description), [&table, function, name](const FitArguments& given) {
                const auto& points = [&]() -> const auto& {
                    if constexpr (divides) {
                        return given.points;
                    } else {
                        return undivided(given.points, name);
                    }
                }
                ();
                const Options options = table.make(given.options);
                if constexpr (on_landmarks) {
                    return finite_or_failed(function(points, options, given.context, given.extras, given.landmarks));
                } else if constexpr (takes_extras) {
                    return finite_or_failed(function(points, options, given.context, given.extras));
                } else {
                    return finite_or_failed(function(points, options, given.context));
                }
            }};
}

/// A whole number above 0; 0 for every other value.
[[nodiscard]] inline std::uint64_t positive_number(const OptionValue& value) {
    const auto* number = std::get_if<std::int64_t>(&value);
    return number != nullptr && *number > 0 ? static_cast<std::uint64_t>(*number) : 0;
}

/// The first step of every method: no coordinates, the options, and seed and threads in the summary.
[[nodiscard]] inline Embedding unfitted(OptionValues options, std::uint64_t seed, const RunContext& context) {
    Embedding result;
    result.options = std::move(options);
    result.summary.seed = seed;
    result.summary.threads = context.thread_count();
    return result;
}

/// A fit in progress, as its steps share it. Refers to all but points and options.
template <class Options, class Data = PointsView>
struct RunningFit {
    Data points;      ///< in a unit of length in which products fit
    Options options;  ///< as used: steps replace automatic values
    const FitExtras& extras;
    const RunContext& context;
    Embedding& result;  ///< steps write into it what they reach
};

/// Runs the steps of a method, which write into `result` what they reach. An interruption ends them; its reason stands
/// in the summary then, and as message what there is: nothing, or coordinates, which an early step has left.
inline void run_steps(Embedding& result, const std::function<void()>& steps,
                      const std::string& nothing = "ended before there were any coordinates",
                      const std::string& coordinates = {}) {
    try {
        steps();
    } catch (const Interruption& interruption) {
        result.summary.termination = interruption.reason;
        result.summary.message = result.coordinates.empty() || coordinates.empty() ? nothing : coordinates;
    }
}

}  // namespace isogon
