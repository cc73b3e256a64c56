#include "synthetic/deformed_images.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "core/elementary.hpp"
#include "core/random.hpp"
#include "core/trigonometry.hpp"

namespace isogon {

namespace {

// The factor of the Gaussian for a mode below which the mode is omitted: one millionth of the variance.
constexpr double least_share = 1e-3;

/// Minus the logarithm of the Gaussian's factor for mode p along a side.
double damping(Index p, Index side, double smoothness) {
    const double frequency = std::numbers::pi * p / side;
    return 0.5 * smoothness * smoothness * frequency * frequency;
}

/// The number of modes along a side that are not omitted, relative to the first that is not constant.
Index modes_along(Index side, double smoothness, double first) {
    Index modes = 1;
    while (modes < side && damping(modes, side, smoothness) - first < -elementary::log(least_share)) {
        ++modes;
    }
    return modes;
}

/// Row p holds the p-th cosine at all places of a side, of mean square 1.
std::vector<float> cosines(Index modes, Index side) {
    std::vector<float> table(std::size_t{modes} * side);
    for (Index p = 0; p < modes; ++p) {
        for (Index x = 0; x < side; ++x) {
            const double value = elementary::cos(std::numbers::pi * p * (x + 0.5) / side);
            table[std::size_t{p} * side + x] = static_cast<float>(p == 0 ? 1.0 : std::numbers::sqrt2 * value);
        }
    }
    return table;
}

/// to += factor * from
void add_scaled(std::span<float> to, float factor, std::span<const float> from) {
    for (std::size_t k = 0; k < to.size(); ++k) {
        to[k] += factor * from[k];
    }
}

}  // namespace

SmoothField::SmoothField(Index height, Index width, double smoothness) : height_(height), width_(width) {
    // Relative to the least damped mode: a very wide Gaussian damps all modes to almost 0, but the field is normalised.
    const double first = damping(1, std::max(height, width), smoothness);
    columns_ = modes_along(width, smoothness, first);
    rows_ = modes_along(height, smoothness, first);
    along_x_ = cosines(columns_, width);
    along_y_ = cosines(rows_, height);
    double sum = 0.0;
    for (Index q = 0; q < rows_; ++q) {
        for (Index p = 0; p < columns_; ++p) {
            const bool constant = p == 0 && q == 0;
            const double left =
                constant ? 0.0
                         : elementary::exp(first - damping(p, width, smoothness) - damping(q, height, smoothness));
            weights_.push_back(left);
            sum += left * left;
        }
    }
    for (double& weight : weights_) {
        weight /= sum > 0.0 ? std::sqrt(sum) : 1.0;
    }
}

void SmoothField::draw(Random& random, double amplitude, std::span<float> field) const {
    // First along x, a row for each mode along y; then those rows are mixed.
    std::vector<float> mixed(std::size_t{rows_} * width_);
    for (Index q = 0; q < rows_; ++q) {
        const auto row = std::span(mixed).subspan(std::size_t{q} * width_, width_);
        for (Index p = 0; p < columns_; ++p) {
            const double value = amplitude * weights_[std::size_t{q} * columns_ + p] * random.normal();
            add_scaled(row, static_cast<float>(value), std::span(along_x_).subspan(std::size_t{p} * width_, width_));
        }
    }
    std::fill(field.begin(), field.end(), 0.0F);
    for (Index y = 0; y < height_; ++y) {
        const auto row = field.subspan(std::size_t{y} * width_, width_);
        for (Index q = 0; q < rows_; ++q) {
            add_scaled(row, along_y_[std::size_t{q} * height_ + y],
                       std::span(mixed).subspan(std::size_t{q} * width_, width_));
        }
    }
}

namespace {

/// A place along one side: between pixel `first` and the next, `share` of the way.
struct Between {
    std::size_t first;
    std::size_t next;
    float share;
};

Between place_along(float at, Index side) {
    const float kept = std::clamp(at, 0.0F, static_cast<float>(side - 1));
    const auto first = static_cast<std::size_t>(kept);
    return {first, std::min<std::size_t>(first + 1, side - 1), kept - static_cast<float>(first)};
}

float blend(float a, float b, float share) {
    return (1.0F - share) * a + share * b;  // not a + share (b - a), which could overflow
}

}  // namespace

void warp_image(const ImageView& from, const LinearMap& map, std::span<const float> shift_x,
                std::span<const float> shift_y, std::span<float> to) {
    const auto& [pixels, height, width] = from;
    const float middle_x = 0.5F * static_cast<float>(width - 1);
    const float middle_y = 0.5F * static_cast<float>(height - 1);
    std::size_t pixel = 0;
    for (Index row = 0; row < height; ++row) {
        const float y = static_cast<float>(row) - middle_y;
        for (Index column = 0; column < width; ++column, ++pixel) {
            const float x = static_cast<float>(column) - middle_x;
            const Between h = place_along(middle_x + map.xx * x + map.xy * y + shift_x[pixel], width);
            const Between v = place_along(middle_y + map.yx * x + map.yy * y + shift_y[pixel], height);
            const auto upper = pixels.subspan(v.first * width, width);
            const auto lower = pixels.subspan(v.next * width, width);
            to[pixel] = blend(blend(upper[h.first], upper[h.next], h.share),
                              blend(lower[h.first], lower[h.next], h.share), v.share);
        }
    }
}

void thicken(const ImageView& from, float gain, std::span<float> to) {
    const auto& pixels = from.pixels;
    const std::size_t width = from.width;
    if (gain == 0.0F) {
        std::copy(pixels.begin(), pixels.end(), to.begin());
        return;
    }
    for (std::size_t y = 0; y < from.height; ++y) {
        const std::size_t above = y > 0 ? y - 1 : y;
        const std::size_t below = std::min<std::size_t>(y + 1, from.height - 1);
        for (std::size_t x = 0; x < width; ++x) {
            const std::size_t left = x > 0 ? x - 1 : x;
            const std::size_t right = std::min(x + 1, width - 1);
            const float along_x = 0.5F * pixels[y * width + right] - 0.5F * pixels[y * width + left];
            const float along_y = 0.5F * pixels[below * width + x] - 0.5F * pixels[above * width + x];
            const float steepness = std::sqrt(along_x * along_x + along_y * along_y);
            to[y * width + x] = pixels[y * width + x] + gain * steepness;
        }
    }
}

namespace {

/// Everything that all images share.
struct Deformer {
    SourceImages source;
    DeformedImagesOptions options;
    SmoothField field;
    bool whole = false;  ///< all given values are whole numbers

    void deform(Index i, Random& random, std::span<float> image) const;
};

bool all_whole(const PointsView& images) {
    for (Index i = 0; i < images.count; ++i) {
        const auto row = images[i];
        if (!std::all_of(row.begin(), row.end(), [](float value) { return value == std::trunc(value); })) {
            return false;
        }
    }
    return true;
}

/// Rotation, scaling and shear: the position in the given image of a position in the new one, relative to the centre.
LinearMap random_map(const DeformedImagesOptions& options, Random& random) {
    const double angle = options.rotation * std::numbers::pi / 180.0 * random.normal();
    const double size = elementary::exp(options.scaling * random.normal());
    const double slant = options.shear * random.normal();
    const double cosine = size * elementary::cos(angle);
    const double sine = size * elementary::sin(angle);
    return {static_cast<float>(cosine), static_cast<float>(slant * cosine - sine), static_cast<float>(sine),
            static_cast<float>(slant * sine + cosine)};
}

void Deformer::deform(Index i, Random& random, std::span<float> image) const {
    const std::span<const float> given = source.images[i];
    const auto [low, high] = std::minmax_element(given.begin(), given.end());
    const LinearMap map = random_map(options, random);
    const auto gain = static_cast<float>(options.thickness * random.normal());
    std::vector<float> shift_x(given.size());
    std::vector<float> shift_y(given.size());
    if (options.amplitude > 0.0) {
        field.draw(random, options.amplitude, shift_x);
        field.draw(random, options.amplitude, shift_y);
    }
    std::vector<float> warped(given.size());
    warp_image({given, source.height, source.width}, map, shift_x, shift_y, warped);
    thicken({warped, source.height, source.width}, gain, image);
    for (float& value : image) {
        value = std::clamp(whole ? std::round(value) : value, *low, *high);
    }
}

}  // namespace

const OptionTable<DeformedImagesOptions>& deformed_images_option_table() {
    using Options = DeformedImagesOptions;
    static const auto table =
        OptionTable<Options>()
            .number("amplitude", &Options::amplitude, {0.0, 1000.0},
                    "pixels by which the warp shifts, root mean square along each axis; more bends more")
            .number("smoothness", &Options::smoothness, {0.5, 1000.0},
                    "pixels over which neighbours are shifted alike; less crumples")
            .number("rotation", &Options::rotation, {0.0, 360.0}, "standard deviation of the turn, in degrees")
            .number("scaling", &Options::scaling, {0.0, 2.0}, "standard deviation of the logarithm of the size")
            .number("shear", &Options::shear, {0.0, 2.0}, "standard deviation of the slant, sideways for each pixel up")
            .number("thickness", &Options::thickness, {0.0, 100.0},
                    "standard deviation of what lines gain on each side, in pixels");
    return table;
}

PointMaker deformed_images_maker(const SourceImages& source, std::uint64_t seed, const DeformedImagesOptions& options,
                                 const RunContext& /*context*/) {
    deformed_images_option_table().validate(options);
    require_images(source);
    const auto deformer = std::make_shared<const Deformer>(
        Deformer{source, options, {source.height, source.width, options.smoothness}, all_whole(source.images)});
    PointMaker maker{.dimension = source.images.dimension,
                     .labelled = !source.labels.empty(),
                     .image_height = source.height,
                     .image_width = source.width};
    maker.make = [seed, deformer](Index i, std::span<float> point, std::span<float>) {
        Random random(seed, RandomStream::DeformedImages, i);
        const Index given = deformed_source(i, deformer->source.images.count);
        deformer->deform(given, random, point);
        return deformer->source.labels.empty() ? std::int64_t{0} : deformer->source.labels[given];
    };
    return maker;
}

}  // namespace isogon
