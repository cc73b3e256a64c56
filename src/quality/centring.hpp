#pragma once
#include <vector>

#include "isogon/core/points.hpp"

namespace isogon {

/// A translation and a scale that leave the order of distances as it is and make float32 products of points safe.
struct Centring {
    std::vector<double> offset;  ///< subtracted from every point
    double scale = 1.0;          ///< then multiplied with; a power of two
};

/// Distances are taken from products, |a|^2 + |b|^2 - 2 a.b, which loses digits when points lie far from the origin and
/// close together. The mean is subtracted where it holds three quarters or more of the mean square, rounded to the
/// spread so that whole numbers stay whole and equal distances stay equal; otherwise nothing is. The scale takes the
/// largest coordinate to about 1, so that no product overflows. O(n D).
[[nodiscard]] Centring find_centring(const PointsView& points);

}  // namespace isogon
