#include "isogon/synthetic/contact_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "isogon/core/error.hpp"

namespace isogon {

namespace {

constexpr std::uint64_t largest_side = std::numeric_limits<std::int32_t>::max();

void require_images(const PointsView& images, Index height, Index width, Index columns) {
    if (images.empty()) {
        throw InvalidArgument("images", "0", "must be at least 1, a sheet needs something to show");
    }
    if (columns == 0) {
        throw InvalidArgument("columns", "0", "must be at least 1");
    }
    if (std::uint64_t{height} * width != images.dimension) {
        throw InvalidArgument(
            "height x width", std::to_string(height) + " x " + std::to_string(width),
            "must multiply to " + std::to_string(images.dimension) + ", the number of values of each image");
    }
}

Index side(std::uint64_t images, Index pixels, const char* what) {
    const std::uint64_t total = images * pixels;
    if (total > largest_side) {
        throw InvalidArgument(
            what, std::to_string(total) + " pixels",
            "must be at most " + std::to_string(largest_side) + ", take fewer images or another number of columns");
    }
    return static_cast<Index>(total);
}

std::uint8_t as_grey(float value) {
    if (!(value > 0.0F)) {  // true for NaN too
        return 0;
    }
    return static_cast<std::uint8_t>(std::lround(std::min(value, 255.0F)));
}

}  // namespace

Sheet contact_sheet(PointsView images, Index height, Index width, Index columns) {
    require_images(images, height, width, columns);
    columns = std::min(columns, images.count);
    const Index rows = (images.count - 1) / columns + 1;
    Sheet sheet;
    sheet.height = side(rows, height, "height of the sheet");
    sheet.width = side(columns, width, "width of the sheet");
    sheet.pixels.resize(std::size_t{sheet.height} * sheet.width);
    for (Index i = 0; i < images.count; ++i) {
        const std::size_t top = std::size_t{i / columns} * height;
        const std::size_t left = std::size_t{i % columns} * width;
        for (std::size_t row = 0; row < height; ++row) {
            const auto from = images[i].subspan(row * width, width);
            std::uint8_t* to = sheet.pixels.data() + (top + row) * sheet.width + left;
            std::transform(from.begin(), from.end(), to, as_grey);
        }
    }
    return sheet;
}

}  // namespace isogon
