#pragma once
#include <functional>
#include <optional>

#include "isogon/spectral/dense_kernel.hpp"
#include "methods/kernel_family.hpp"

namespace isogon {

/// Methods whose K is a kernel between points: kpca and mds.
class PointKernelFamily : public KernelFamily {
public:
    /// `shape` is asked for when the points are known to be good, and may tell the summary what it chose.
    PointKernelFamily(const PointsView& x, std::function<KernelShape(Summary&)> shape, bool reduced)
        : KernelFamily(reduced), x_(x), choose_(std::move(shape)) {}

    /// Of the kernel, after a fit.
    [[nodiscard]] double largest_value() const { return kernel_ ? kernel_->largest_value() : 0.0; }

protected:
    void prepare(Summary& summary, const RunContext& context) override;
    [[nodiscard]] Index size() const override { return x_.count; }
    void rows(std::span<const Index> sources, std::span<double> values, const RunContext& context) const override;
    [[nodiscard]] std::unique_ptr<const SpectralMatrix> factored(const RunContext& context) const override;
    [[nodiscard]] std::uint64_t factored_bytes() const override { return WideVectors::bytes(x_.count, x_.dimension); }

private:
    PointsView x_;
    std::function<KernelShape(Summary&)> choose_;
    KernelShape shape_{};
    std::optional<PointKernel> kernel_{};
};

/// What rounding may change eigenvalues by, as measured against float64 kernels and SVDs: products in float64 leave
/// this share of the largest eigenvalue, products in float32 that share, and values kept in float32 this share of the
/// largest.
inline constexpr double rounding_of_wide_products = 2e-16;
inline constexpr double rounding_of_products = 1e-8;
inline constexpr double rounding_of_values = 1e-7;

/// Warns of eigenvalues of Gram matrices that are below their number of rows times the square of the summary's
/// `mixture_error`, if it has one: directions shorter than what mixtures of landmarks miss of the points may be others.
void warn_of_mixtures(Index points, const LandmarkOptions* landmarks, Summary& summary);

/// Warns of eigenvalues that `rounding` may change by more than a thousandth: a kernel squares what it is made of, and
/// the solver's residual, which is made of the same numbers, cannot tell.
void warn_of_rounding(double rounding, Summary& summary);

}  // namespace isogon
