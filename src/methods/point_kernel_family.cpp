#include "methods/point_kernel_family.hpp"

#include <string>

#include "isogon/core/option_table.hpp"

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

void warn_of_rounding(double rounding, Summary& summary) {
    const double least = 1e3 * rounding;
    int all = 0;
    int below = 0;
    for (const auto& [what, value] : summary.measures) {
        if (what.starts_with("eigenvalue_")) {
            ++all;
            below += value < least ? 1 : 0;
        }
    }
    summary.count("unresolved_directions", below);
    if (below > 0) {
        summary.warn(std::to_string(below) + " of " + std::to_string(all) + " eigenvalues are below " +
                     to_text(OptionValue{least}) +
                     ": kernels hold squares, and rounding may change these by more than a thousandth; "
                     "ask for fewer dimensions, or use pca, which keeps short directions beside long ones");
    }
}

}  // namespace isogon
