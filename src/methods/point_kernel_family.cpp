#include "methods/point_kernel_family.hpp"

#include <algorithm>
#include <string>
#include <vector>

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

namespace {

std::vector<double> eigenvalues_of(const Summary& summary) {
    std::vector<double> values;
    for (const auto& [what, value] : summary.measures) {
        if (what.starts_with("eigenvalue_")) {
            values.push_back(value);
        }
    }
    return values;
}

/// "2 of 5 eigenvalues are below 0.5"; empty if none is.
std::string those_below(double least, const std::vector<double>& values, std::ptrdiff_t& below) {
    below = std::count_if(values.begin(), values.end(), [&](double value) { return value < least; });
    return below == 0 ? std::string()
                      : std::to_string(below) + " of " + std::to_string(values.size()) + " eigenvalues are below " +
                            to_text(OptionValue{least});
}

}  // namespace

void warn_of_mixtures(Index points, const LandmarkOptions* landmarks, Summary& summary) {
    const bool of_landmarks = landmarks != nullptr && landmarks->extension == LandmarkExtension::Weights;
    const double rows = of_landmarks ? landmarks->landmarks : static_cast<double>(points);
    const double missed = summary.value("mixture_error");
    std::ptrdiff_t below = 0;
    const std::string which = those_below(rows * missed * missed, eigenvalues_of(summary), below);
    if (below > 0) {
        summary.warn(which +
                     ", what mixtures of landmarks miss of the points: these directions may be others than those of "
                     "all points; ask for fewer dimensions, raise --landmarks, or take --extension nystrom");
    }
}

void warn_of_rounding(double rounding, Summary& summary) {
    std::ptrdiff_t below = 0;
    const std::string which = those_below(1e3 * rounding, eigenvalues_of(summary), below);
    summary.count("unresolved_directions", static_cast<double>(below));
    if (below > 0) {
        summary.warn(which +
                     ": kernels hold squares, and rounding may change these by more than a thousandth; "
                     "ask for fewer dimensions, or use pca, which keeps short directions beside long ones");
    }
}

}  // namespace isogon
