#include "io/growing_points.hpp"

#include <algorithm>
#include <limits>

namespace isogon {

namespace {
// gzip seldom packs data worth reading tighter than this; beyond it, memory is taken as the data comes.
constexpr std::uint64_t believable_ratio = 32;
}  // namespace

GrowingPoints::GrowingPoints(const ByteStream& stream, std::uint64_t expected) {
    const std::uint64_t believable = stream.gzip() ? believable_ratio * stream.file().size() : expected;
    values_.reserve(std::min(expected, believable));
}

std::span<float> GrowingPoints::extend(std::size_t count) {
    const std::size_t before = values_.size();
    values_.resize(before + count);
    return {values_.data() + before, count};
}

Dataset GrowingPoints::finish(Index dimension) && {
    const auto owner = std::make_shared<std::vector<float>>(std::move(values_));
    Dataset dataset;
    dataset.points = PointsView(owner->data(), static_cast<Index>(owner->size() / dimension), dimension);
    dataset.storage = owner;
    return dataset;
}

void require_countable(const ByteStream& stream, std::uint64_t rows) {
    if (rows > std::numeric_limits<Index>::max()) {
        stream.fail("", "holds " + std::to_string(rows) + " points or more; at most " +
                            std::to_string(std::numeric_limits<Index>::max()) + " can be numbered");
    }
}

}  // namespace isogon
