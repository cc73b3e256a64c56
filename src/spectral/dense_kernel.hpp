#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "linalg/dense_cholesky.hpp"
#include "linalg/multi_vector.hpp"
#include "linalg/packed_points.hpp"
#include "spectral/kernel_shape.hpp"
#include "spectral/spectral_problem.hpp"

// Kernels between all pairs of points: their values, stored matrices, and the spectral matrices made of them.
namespace isogon {

/// Values of a kernel between given points, from panel products in float32 (relative error about 1e-6 of |x||y|); the
/// value of a point with itself is computed in float64. Refers to the points. For Gaussian kernels, which depend on
/// differences only, it stores a copy about their mean: rounding of products of points far from the origin would hide
/// the differences.
class PointKernel {
public:
    /// Throws InvalidArgument for a precomputed kernel, which is none between points.
    PointKernel(const PointsView& points, const KernelShape& shape, const RunContext& context);

    /// values[s * n + j] = k(x_sources[s], x_j) / unit() for all n points j. O(sources n D).
    void rows(std::span<const Index> sources, std::span<double> values, const RunContext& context) const;

    /// A power of four by which polynomials are divided that float32 might not hold; else 1.
    [[nodiscard]] double unit() const { return unit_; }

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
    double base_unit_ = 1.0;       ///< unit() is a power of it
    double unit_ = 1.0;
};

/// Throws InputError naming the first entry at fault unless the rows are values of a kernel between as many points:
/// square, finite, nowhere below 0 on the diagonal and, to float32's rounding beside what they are made of, the same
/// both ways. Whether all eigenvalues are at least 0 is not looked at. O(n^2).
void require_kernel_table(const PointsView& values);

/// The root of the mean of |x - y|^2 over all pairs: a width that gives neither a constant nor an identity Gaussian
/// kernel. O(n D).
[[nodiscard]] double mean_distance(const PointsView& points);
/// The mean of |x|^2. O(n D).
[[nodiscard]] double mean_square(const PointsView& points);

/// Fills rows first, first + 1, ... of a symmetric n x n matrix: values.size() / n of them.
using KernelRows = std::function<void(Index first, std::span<double> values, const RunContext& context)>;

/// A symmetric matrix given by its rows, stored as its lower triangle in float32: 2 n^2 bytes, half of a float32
/// square. Products are float64.
class KernelMatrix {
public:
    /// Reads the entries (i, j) with j <= i only; (j, i) is the same.
    KernelMatrix(Index size, const KernelRows& rows, const RunContext& context);

    [[nodiscard]] Index size() const { return lower_.size(); }
    /// out = K in.
    void apply(const MultiVector<double>& in, MultiVector<double>& out, const RunContext& context) const;
    [[nodiscard]] static std::uint64_t bytes(Index size);

private:
    PanelMatrix lower_;
};

/// J K J, where J = I - 1 1^T / n removes means: the Gram matrix of centred points from a kernel, or from squared
/// distances times -1/2 (Torgerson 1952). `rows` is evaluated for every row once at construction and once when the
/// matrix is reduced, by blocks; the n^2 numbers are never stored in float64 together. States 2 n^2 bytes.
[[nodiscard]] std::unique_ptr<const SpectralMatrix> centred_kernel(Index size, KernelRows rows,
                                                                   const RunContext& context);

/// The same without a stored matrix: only reduced() is available, which landmarks need.
[[nodiscard]] std::unique_ptr<const SpectralMatrix> reducible_kernel(Index size, KernelRows rows);

/// J X X^T J for points X as they are, or on the unit sphere: the linear kernel, never formed. Products take 2 n D
/// operations a column. States 8 n D bytes.
[[nodiscard]] std::unique_ptr<const SpectralMatrix> centred_gram(const PointsView& points, bool directions,
                                                                 const RunContext& context = {});

/// out = A in for a symmetric A of which the lower triangle is given; float32 entries, float64 sums. The triangle is
/// read twice, once by rows and once by columns, so that every task writes rows of its own.
void multiply_symmetric(const PanelMatrix& lower, const MultiVector<double>& in, MultiVector<double>& out,
                        const RunContext& context);

}  // namespace isogon
