#pragma once
#include <functional>
#include <optional>

#include "isogon/spectral/point_kernel.hpp"
#include "methods/kernel_family.hpp"

namespace isogon {

/// Methods whose K is a kernel between points: kpca and mds.
class PointKernelFamily : public KernelFamily {
public:
    /// `shape` is asked for when the points are known to be good, and may tell the summary what it chose.
    PointKernelFamily(const PointsView& x, std::function<KernelShape(Summary&)> shape, bool reduced)
        : KernelFamily(reduced), x_(x), choose_(std::move(shape)) {}

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

}  // namespace isogon
