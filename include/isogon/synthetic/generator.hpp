#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "isogon/core/option_table.hpp"
#include "isogon/synthetic/point_maker.hpp"
#include "isogon/synthetic/source_images.hpp"

namespace isogon {

/// A made data set by name. Point i depends on (seed, i) alone: the first 100 of 5,000 are the 100 of 100.
struct Generator {
    std::string name;
    std::string title;
    std::vector<OptionSpec> options;  ///< besides count and seed
    bool from_images = false;         ///< makes its points of images that must be given
    /// Throws InvalidArgument for a bad option and for images that are missing, not taken or of no use; LimitExceeded
    /// when the memory limit is too small for what is held besides points. The images must outlive the maker.
    std::function<PointMaker(std::uint64_t seed, const OptionValues&, const SourceImages&, const RunContext&)> prepare;

    /// The first `count` points. Throws as prepare and require_memory_for do, before work starts. A run that is stopped
    /// or out of time returns the first points, those done: maybe none.
    [[nodiscard]] Generated generate(Index count, std::uint64_t seed, const OptionValues& values,
                                     const RunContext& context, const SourceImages& images = {}) const;
};

[[nodiscard]] const std::vector<Generator>& generators();
/// Throws InvalidArgument listing the names there are.
[[nodiscard]] const Generator& find_generator(std::string_view name);

}  // namespace isogon
