#include "io/array_layout.hpp"

#include <limits>

namespace isogon {

namespace {

/// a * b, or the largest number there is if that overflows.
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
    constexpr auto limit = std::numeric_limits<std::uint64_t>::max();
    return b != 0 && a > limit / b ? limit : a * b;
}

}  // namespace

std::string shape_text(const std::vector<std::uint64_t>& shape) {
    std::string text = "(";
    for (const std::uint64_t size : shape) {
        text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    }
    return text + (shape.size() == 1 ? ",)" : ")");
}

ArrayExtent checked_extent(const ByteStream& stream, const ArrayLayout& layout) {
    constexpr std::uint64_t limit = std::numeric_limits<Index>::max();
    const std::string array = "an array of shape " + shape_text(layout.shape);
    std::uint64_t dimension = 1;
    for (std::size_t k = 1; k < layout.shape.size(); ++k) {
        dimension = saturating_product(dimension, layout.shape[k]);
    }
    const std::uint64_t points = layout.shape.front();
    if (points == 0 || dimension == 0) {
        stream.fail("", array + " holds no numbers");
    }
    if (points > limit || dimension > limit) {
        stream.fail("", array + " has " + (points > limit ? "more points" : "points of more numbers") + " than " +
                            std::to_string(limit) + ", the most there may be");
    }
    // Two factors below 2^32 fit 64 bits; the size of a number may then overflow.
    const std::uint64_t bytes = saturating_product(points * dimension, size_of(layout.scalar));
    stream.require_bytes(bytes, array + " of " + std::string(name(layout.scalar)));
    return {static_cast<Index>(points), static_cast<Index>(dimension), bytes};
}

FileInfo describe_array(const ByteStream& stream, const ArrayLayout& layout, Format format) {
    static_cast<void>(checked_extent(stream, layout));
    FileInfo info;
    info.format = format;
    info.scalar = name(layout.scalar);
    info.shape = layout.shape;
    info.fortran_order = layout.fortran_order;
    return info;
}

}  // namespace isogon
