#pragma once
#include <span>
#include <vector>

#include "core/random.hpp"
#include "isogon/core/points.hpp"
#include "isogon/synthetic/generator.hpp"

// Images deformed by smooth random warps, and the parts of such a warp.
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

/// Smooth random functions on a grid of height x width: white noise smoothed by a Gaussian with reflecting borders.
/// That smoothing is diagonal in the basis of cosines cos(pi p (x + 1/2) / width) cos(pi q (y + 1/2) / height), so the
/// noise is drawn there, and only for modes that the Gaussian keeps: a few dozen numbers for a field.
class SmoothField {
public:
    /// `smoothness` is the deviation of the Gaussian in pixels, > 0.
    SmoothField(Index height, Index width, double smoothness);

    /// Numbers to draw for one field.
    [[nodiscard]] std::size_t modes() const { return weights_.size(); }

    /// Writes a random field (height x width, row by row): a Gaussian of mean 0 at each place whose variance, averaged
    /// over the grid, is amplitude^2. The constant mode is omitted: it would shift all pixels alike. Zero on a grid of
    /// one. O(height * width * modes along y).
    void draw(Random& random, double amplitude, std::span<float> field) const;

private:
    Index height_;
    Index width_;
    Index columns_ = 0;            ///< modes along x
    Index rows_ = 0;               ///< modes along y
    std::vector<float> along_x_;   ///< columns_ x width_
    std::vector<float> along_y_;   ///< rows_ x height_
    std::vector<double> weights_;  ///< rows_ x columns_: deviations of the modes, squares summing to 1
};

/// A grey image, row by row.
struct ImageView {
    std::span<const float> pixels;
    Index height = 0;
    Index width = 0;
};

/// (x, y) -> (xx x + xy y, yx x + yy y), about the centre of an image; x to the right, y down.
struct LinearMap {
    float xx = 1.0F;
    float xy = 0.0F;
    float yx = 0.0F;
    float yy = 1.0F;
};

/// The pixel at (x, y) of `to` is `from` read at map(x, y) + (shift_x, shift_y)(x, y), bilinearly between pixels;
/// beyond the border, the value at the border is used. All spans hold one number a pixel. Values stay within those of
/// `from`.
void warp_image(const ImageView& from, const LinearMap& map, std::span<const float> shift_x,
                std::span<const float> shift_y, std::span<float> to);

/// to = from + gain |grad from|, by central differences: bright lines grow by `gain` pixels on each side, or shrink
/// where it is negative, to first order. Values may leave the range of `from`.
void thicken(const ImageView& from, float gain, std::span<float> to);

}  // namespace isogon
