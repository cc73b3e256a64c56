#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"

namespace isogon {

/// Made data with what is known of it.
struct Generated {
    Points points;
    std::vector<std::int64_t> labels;  ///< class of each point, or empty
    Points truth;                      ///< coordinates on the manifold the points were drawn from, or empty
    Index image_height = 0;            ///< images only
    Index image_width = 0;
};

/// A made data set by name. Point i depends on (seed, i) alone: the first 100 of 5,000 are the 100 of 100.
struct Generator {
    std::string name;
    std::string title;
    std::vector<OptionSpec> options;  ///< besides count and seed
    /// Throws InvalidArgument for a count of 0 or a bad option, LimitExceeded when the memory limit is too small; both
    /// before work starts. A run that is stopped or out of time returns the first points, those done: maybe none.
    std::function<Generated(Index count, std::uint64_t seed, const OptionValues&, const RunContext&)> generate;
};

[[nodiscard]] const std::vector<Generator>& generators();
/// Throws InvalidArgument listing the names there are.
[[nodiscard]] const Generator& find_generator(std::string_view name);

}  // namespace isogon
