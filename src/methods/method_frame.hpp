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
#include "isogon/methods/embedding.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/registry/registry.hpp"

namespace isogon {

/// The last step of every method of the registry: a result with a number that is not finite, in coordinates, maps or
/// summary, becomes a numerical failure that says so, without the coordinates and without such numbers. O(n d).
[[nodiscard]] Embedding finite_or_failed(Embedding fitted);

/// A method of the registry: options and functions from its option table and the one function that it is. Methods that
/// take distributed points divide their pairs among ranks.
template <class Input, class Options>
[[nodiscard]] Method method_entry(Method method, const OptionTable<Options>& table,
                                  Embedding (*embed)(const Input&, const Options&, const RunContext&,
                                                     const FitExtras&)) {
    method.options = table.specs();
    method.embed = [&table, embed](const PointsView& x, const OptionValues& values, const RunContext& context) {
        return finite_or_failed(embed(x, table.make(values), context, {}));
    };
    method.embed_with = [&table, embed](const PointsView& x, const OptionValues& values, const RunContext& context,
                                        const FitExtras& extras) {
        return finite_or_failed(embed(x, table.make(values), context, extras));
    };
    if constexpr (std::is_same_v<Input, DistributedPoints>) {
        method.distributes_pairs = true;
        method.embed_distributed = [&table, embed](const DistributedPoints& x, const OptionValues& values,
                                                   const RunContext& context, const FitExtras& extras) {
            return finite_or_failed(embed(x, table.make(values), context, extras));
        };
    }
    return method;
}

/// The same for spectral methods, which may fit on landmarks.
template <class Options>
[[nodiscard]] Method method_entry(Method method, const OptionTable<Options>& table,
                                  Embedding (*embed)(const PointsView&, const Options&, const RunContext&,
                                                     const FitExtras&, const LandmarkOptions*)) {
    method.options = table.specs();
    method.embed = [&table, embed](const PointsView& x, const OptionValues& values, const RunContext& context) {
        return finite_or_failed(embed(x, table.make(values), context, {}, nullptr));
    };
    method.embed_with = [&table, embed](const PointsView& x, const OptionValues& values, const RunContext& context,
                                        const FitExtras& extras) {
        return finite_or_failed(embed(x, table.make(values), context, extras, nullptr));
    };
    method.embed_on_landmarks = [&table, embed](const PointsView& x, const OptionValues& values,
                                                const LandmarkOptions& landmarks, const RunContext& context,
                                                const FitExtras& extras) {
        return finite_or_failed(embed(x, table.make(values), context, extras, &landmarks));
    };
    return method;
}

/// A method without further inputs: one that takes points and options alone.
template <class Input, class Options>
[[nodiscard]] Method method_entry(Method method, const OptionTable<Options>& table,
                                  Embedding (*embed)(const Input&, const Options&, const RunContext&)) {
    method.options = table.specs();
    method.embed = [&table, embed](const PointsView& x, const OptionValues& values, const RunContext& context) {
        return finite_or_failed(embed(x, table.make(values), context));
    };
    if constexpr (std::is_same_v<Input, DistributedPoints>) {
        method.distributes_pairs = true;
        method.embed_distributed = [&table, embed](const DistributedPoints& x, const OptionValues& values,
                                                   const RunContext& context, const FitExtras& /*extras*/) {
            return finite_or_failed(embed(x, table.make(values), context));
        };
    }
    return method;
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
