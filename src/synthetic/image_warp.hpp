#pragma once
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/random.hpp"

namespace isogon {

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

/// Images row by row.
struct WarpShape {
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
void warp_image(std::span<const float> from, WarpShape shape, const LinearMap& map, std::span<const float> shift_x,
                std::span<const float> shift_y, std::span<float> to);

/// to = from + gain |grad from|, by central differences: bright lines grow by `gain` pixels on each side, or shrink
/// where it is negative, to first order. Values may leave the range of `from`.
void thicken(std::span<const float> from, WarpShape shape, float gain, std::span<float> to);

}  // namespace isogon
