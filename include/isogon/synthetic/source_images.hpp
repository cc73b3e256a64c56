#pragma once
#include <cstdint>
#include <span>

#include "isogon/core/points.hpp"

namespace isogon {

/// Images from which others are made: each point is one, of height x width values row by row. Views only.
struct SourceImages {
    PointsView images{};
    Index height = 0;
    Index width = 0;
    std::span<const std::int64_t> labels{};  ///< none, or one an image

    [[nodiscard]] bool empty() const { return images.empty(); }
};

/// Throws InvalidArgument for no images, a height times width that is not their dimension, or labels of another
/// number; InputError for NaN or infinity by row and column. O(images).
void require_images(const SourceImages& source);

}  // namespace isogon
