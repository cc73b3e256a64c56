#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/registry/registry.hpp"
#include "registry/fit_series.hpp"

namespace isogon {

/// Options of one fit, sorted by whom they belong to.
struct SweepPoint {
    OptionValues values{};     ///< values on the axes
    OptionValues method{};     ///< given ones and those of the axes
    OptionValues landmarks{};  ///< given ones and those of the axes
};

/// Throws InvalidArgument as sweep() says. The method is of the spectral family.
void require_plan(const Method& method, const SweepPlan& plan);

/// Every combination, in the order of the rows.
[[nodiscard]] std::vector<SweepPoint> combinations(const Method& method, const SweepPlan& plan);

/// An option as a point has it, else its default; `automatic` if there is none of that name.
[[nodiscard]] OptionValue option_of(const Method& method, const SweepPoint& point, std::string_view name);

/// The most neighbours that any of these fits of n points can ask for.
[[nodiscard]] Index most_neighbors(const Method& method, const std::vector<SweepPoint>& points, Index n);

/// Bytes that the shared steps will take, each by its name.
[[nodiscard]] std::vector<MemoryItem> shared_bytes(const Method& method, const std::vector<SweepPoint>& points,
                                                   Index n);

}  // namespace isogon
