#include "report/thumbnails.hpp"

#include <algorithm>
#include <cmath>

#include "isogon/core/run_context.hpp"
#include "report/count_text.hpp"
#include "report/packed_array.hpp"

namespace isogon {

namespace {

// 16 levels of grey pack twice as well as 256, and on 28 x 28 pixels look the same. Where all pictures take a few
// megabytes there is nothing to save.
constexpr std::uint64_t pixels_in_full = 2'000'000;

unsigned levels_for(std::uint64_t pixels) {
    return pixels <= pixels_in_full ? 256 : 16;
}

}  // namespace

Thumbnails::Thumbnails(const PointsView& images, const ImageShape& shape)
    : images_(images), shape_(shape), square_((std::max(shape.width, shape.height) + most_side - 1) / most_side) {
    levels_ = levels_for(std::uint64_t{images.count} * width() * height());
    for (Index i = 0; i < images.count; ++i) {
        for (const float value : images[i]) {
            low_ = std::min(low_, value);
            high_ = std::max(high_, value);
        }
    }
}

double Thumbnails::mean_of_square(std::span<const float> image, Index row, Index column) const {
    const Index bottom = std::min((row + 1) * square_, shape_.height);
    const Index right = std::min((column + 1) * square_, shape_.width);
    double sum = 0.0;
    Index pixels = 0;
    for (Index r = row * square_; r < bottom; ++r) {
        for (Index c = column * square_; c < right; ++c) {
            sum += double{image[std::size_t{r} * shape_.width + c]};
            ++pixels;
        }
    }
    return sum / pixels;
}

void Thumbnails::draw(Index i, std::span<std::uint8_t> pixels) const {
    const double range = double{high_} - double{low_};
    for (Index row = 0; row < height(); ++row) {
        for (Index column = 0; column < width(); ++column) {
            const double grey = range > 0.0 ? (mean_of_square(images_[i], row, column) - double{low_}) / range : 0.0;
            pixels[std::size_t{row} * width() + column] = static_cast<std::uint8_t>(std::lround(grey * (levels_ - 1)));
        }
    }
}

std::optional<std::string> write_thumbnails(JsonWriter& json, const PointsView& images, const ImageShape& shape,
                                            std::size_t most_bytes) {
    const Thumbnails thumbnails(images, shape);
    JsonWriter pictures;
    pictures.begin_object().whole("width", thumbnails.width()).whole("height", thumbnails.height());
    pictures.whole("levels", thumbnails.levels()).key("pixels");
    write_rows(pictures, {images.count, std::size_t{thumbnails.width()} * thumbnails.height()},
               [&](std::size_t i, std::span<std::uint8_t> row) { thumbnails.draw(static_cast<Index>(i), row); });
    pictures.end_object();
    if (pictures.json().size() > most_bytes) {
        json.null();
        return "The pictures of " + count_text(images.count) + " images are left out: they would take " +
               human_bytes(pictures.json().size()) + ", and reports keep to " + human_bytes(most_bytes) +
               " of pictures.";
    }
    json.raw(pictures.take());
    return std::nullopt;
}

}  // namespace isogon
