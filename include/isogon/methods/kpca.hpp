#pragma once
#include <cstdint>
#include <optional>

#include "isogon/methods/embedding.hpp"
#include "isogon/methods/landmarks.hpp"
#include "isogon/methods/registry.hpp"
#include "isogon/spectral/kernel_shape.hpp"

namespace isogon {

struct KpcaOptions {
    int dimension = 16;                        ///< d, numbers for each point; higher keeps more
    KernelKind kernel = KernelKind::Gaussian;  ///< linear would be pca
    /// Width of the Gaussian exp(-(|x - y| / sigma)^2), in the unit of the input. Empty: the root of the mean squared
    /// distance of pairs, at which it is neither flat nor a spike.
    std::optional<double> sigma{};
    std::optional<double> scale{};  ///< of the polynomial (scale x.y + offset)^degree; empty: 1 / the mean of |x|^2
    double offset = 1.0;      ///< of the polynomial, at least 0; 0 leaves only products of exactly `degree` numbers
    int degree = 3;           ///< of the polynomial; scikit-learn's
    double tolerance = 1e-8;  ///< on residuals: |A x - lambda x| as a share of |lambda x|; below float32's rounding
    int iterations = 300;     ///< of the eigensolver, at most
    std::uint64_t seed = 0;   ///< of the eigensolver's start and of landmarks
};

[[nodiscard]] const OptionTable<KpcaOptions>& kpca_option_table();

/// Kernel principal components (Schoelkopf, Smola, Mueller, "Nonlinear component analysis as a kernel eigenvalue
/// problem", Neural Computation 1998): max tr(X^T J K J X) for a kernel K between points, outputs scaled by the roots
/// of eigenvalues: principal components of what the kernel makes of the points. Linear and cosine kernels are never
/// formed; others are kept as 2 n^2 bytes, and made in n^2 D operations. Summary: eigenvalues, residual, sigma. Throws
/// InvalidArgument, InputError (NaN), LimitExceeded.
[[nodiscard]] Embedding kernel_principal_components(const PointsView& x, const KpcaOptions& options = {},
                                                    const RunContext& context = {}, const FitExtras& extras = {},
                                                    const LandmarkOptions* landmarks = nullptr);

[[nodiscard]] Method kpca_method();

}  // namespace isogon
