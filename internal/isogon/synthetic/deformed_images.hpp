#pragma once
#include "isogon/synthetic/generator.hpp"

namespace isogon {

struct DeformedImagesOptions {
    double amplitude = 1.0;  ///< pixels: root mean square shift of a pixel along each axis by the smooth field
    double smoothness =
        4.0;  ///< pixels: deviation of the Gaussian that smooths the field; large enough to keep strokes continuous
    double rotation = 6.0;   ///< degrees: standard deviation
    double scaling = 0.07;   ///< standard deviation of the logarithm of the size
    double shear = 0.1;      ///< standard deviation of the slant: shift along x for each unit of y
    double thickness = 0.2;  ///< pixels: standard deviation of the growth of lines on each side
};

[[nodiscard]] const OptionTable<DeformedImagesOptions>& deformed_images_option_table();

/// New images from given ones by smooth random warps, after Loosli, Canu and Bottou, "Training invariant support vector
/// machines using selective sampling" (2007), who generate an infinite set of digits. Image i is the given image i mod
/// m (deformed_source), turned, scaled and slanted about its centre, each pixel then shifted by Gaussian noise smoothed
/// by a Gaussian with reflecting borders, interpolated bilinearly between pixels (beyond the border by the border's
/// values); last its lines are made thicker or thinner: t times the norm of the gradient is added to every pixel, to
/// first order the effect of a pen wider by t. Values stay within those of the given image, and are rounded to whole
/// numbers if all given ones are. Labels are those of the given images. Image i depends on (seed, i) and the given
/// image alone. Time: some 15 microseconds for an image of 28 x 28 and thread; more for a smoothness far below its
/// default, up to height * width * (height + width). Memory beside the points: tables of a few kB. Throws as
/// require_images does, InvalidArgument for an option out of its bounds. The images must outlive the maker.
[[nodiscard]] PointMaker deformed_images_maker(const SourceImages& source, std::uint64_t seed,
                                               const DeformedImagesOptions& options, const RunContext& context);

/// The number of the given image from which image i is computed.
[[nodiscard]] constexpr Index deformed_source(Index i, Index images) {
    return i % images;
}

}  // namespace isogon
