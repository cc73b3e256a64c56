#include "isogon/synthetic/deformed_images.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "isogon/core/random.hpp"
#include "synthetic/image_warp.hpp"

namespace isogon {

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
    const double size = std::exp(options.scaling * random.normal());
    const double slant = options.shear * random.normal();
    const double cosine = size * std::cos(angle);
    const double sine = size * std::sin(angle);
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
    const WarpShape shape{source.height, source.width};
    std::vector<float> warped(given.size());
    warp_image(given, shape, map, shift_x, shift_y, warped);
    thicken(warped, shape, gain, image);
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
