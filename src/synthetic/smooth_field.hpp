#pragma once
#include <span>
#include <vector>

#include "isogon/core/random.hpp"
#include "isogon/core/types.hpp"

namespace isogon {

/// Smooth random functions on a grid of height x width: white noise smoothed by a Gaussian with reflecting borders.
/// That smoothing is diagonal in the basis of cosines cos(pi p (x + 1/2) / width) cos(pi q (y + 1/2) / height), so the
/// noise is drawn there, and only where the Gaussian leaves some of it: a few dozen numbers for a field.
class SmoothField {
public:
    /// `smoothness` is the deviation of the Gaussian in pixels, > 0.
    SmoothField(Index height, Index width, double smoothness);

    /// Numbers to draw for one field.
    [[nodiscard]] std::size_t modes() const { return weights_.size(); }

    /// Writes a random field (height x width, row by row): a Gaussian of mean 0 at each place whose variance, averaged
    /// over the grid, is amplitude^2. The constant is left out: it would shift all places alike. Zero on a grid of
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

}  // namespace isogon
