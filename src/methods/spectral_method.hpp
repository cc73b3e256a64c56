#pragma once
#include <utility>

#include "isogon/methods/embedding.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/registry.hpp"

namespace isogon {

/// The functions of a registry entry from the one function that every spectral method is: options, extras, and
/// landmarks where there are any.
template <class Options>
Method spectral_method(Method method, const OptionTable<Options>& table,
                       Embedding (*embed)(const PointsView&, const Options&, const RunContext&, const FitExtras&,
                                          const LandmarkOptions*)) {
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
