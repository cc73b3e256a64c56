#include "methods/point_kernel_family.hpp"

namespace isogon {

void PointKernelFamily::prepare(Summary& summary, const RunContext& context) {
    const PhaseTimer timer(summary, "kernel");
    shape_ = choose_(summary);
    kernel_.emplace(x_, shape_, context);
}

void PointKernelFamily::rows(std::span<const Index> sources, std::span<double> values,
                             const RunContext& context) const {
    kernel_->rows(sources, values, context);
}

std::unique_ptr<const SpectralMatrix> PointKernelFamily::factored(const RunContext& context) const {
    const bool linear = shape_.kind == KernelKind::Linear || shape_.kind == KernelKind::Cosine;
    return linear ? centred_gram(x_, shape_.kind == KernelKind::Cosine, context) : nullptr;
}

}  // namespace isogon
