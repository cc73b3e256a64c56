#pragma once
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/packed_points.hpp"

namespace isogon {

/// Linear      x.y
///   Cosine      x.y / (|x||y|), 0 for a zero vector
///   Gaussian    exp(-(|x - y| / sigma)^2)
///   Polynomial  (scale x.y + offset)^degree
enum class KernelKind { Linear, Cosine, Gaussian, Polynomial };

struct KernelShape {
    KernelKind kind = KernelKind::Gaussian;
    double sigma = 1.0;
    double scale = 1.0;
    double offset = 1.0;
    int degree = 3;
};

/// Values of a kernel between given points, from panel products in float32 (relative error some 1e-6 of |x||y|); a
/// point's with itself is computed in float64. Borrows the points; for Gaussian, which sees differences alone, it holds
/// a copy about their mean, or rounding of products of points far from the origin would hide them.
class PointKernel {
public:
    PointKernel(const PointsView& points, const KernelShape& shape, const RunContext& context);

    /// values[s * n + j] = k(x_sources[s], x_j) for all n points j. O(sources n D).
    void rows(std::span<const Index> sources, std::span<double> values, const RunContext& context) const;

    [[nodiscard]] Index size() const { return points_.count; }
    /// The largest value of a point with itself.
    [[nodiscard]] double largest_value() const;

private:
    [[nodiscard]] double value(double product, double left, double right) const;

    KernelShape shape_;
    std::vector<float> centred_;
    PointsView points_;
    PackedPoints packed_;
    std::vector<double> squares_;  ///< |x|^2
};

/// The root of the mean of |x - y|^2 over all pairs: a width at which a Gaussian is neither flat nor a spike. O(n D).
[[nodiscard]] double mean_distance(const PointsView& points);
/// The mean of |x|^2. O(n D).
[[nodiscard]] double mean_square(const PointsView& points);

}  // namespace isogon
