#pragma once
#include <type_traits>

#include "isogon/core/option_table.hpp"
#include "isogon/distributed/distributed_points.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

/// A method of the registry: options and functions from its option table and the one function that it is. Methods that
/// take distributed points divide their pairs among ranks.
template <class Input, class Options>
[[nodiscard]] Method method_entry(Method method, const OptionTable<Options>& table,
                                  Embedding (*embed)(const Input&, const Options&, const RunContext&,
                                                     const FitExtras&)) {
    method.options = table.specs();
    method.embed = [&table, embed](const PointsView& x, const OptionValues& values, const RunContext& context) {
        return embed(x, table.make(values), context, {});
    };
    method.embed_with = [&table, embed](const PointsView& x, const OptionValues& values, const RunContext& context,
                                        const FitExtras& extras) {
        return embed(x, table.make(values), context, extras);
    };
    if constexpr (std::is_same_v<Input, DistributedPoints>) {
        method.distributes_pairs = true;
        method.embed_distributed = [&table, embed](const DistributedPoints& x, const OptionValues& values,
                                                   const RunContext& context, const FitExtras& extras) {
            return embed(x, table.make(values), context, extras);
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
        return embed(x, table.make(values), context, {}, nullptr);
    };
    method.embed_with = [&table, embed](const PointsView& x, const OptionValues& values, const RunContext& context,
                                        const FitExtras& extras) {
        return embed(x, table.make(values), context, extras, nullptr);
    };
    method.embed_on_landmarks = [&table, embed](const PointsView& x, const OptionValues& values,
                                                const LandmarkOptions& landmarks, const RunContext& context,
                                                const FitExtras& extras) {
        return embed(x, table.make(values), context, extras, &landmarks);
    };
    return method;
}

}  // namespace isogon
