#pragma once
#include "isogon/linalg/symmetric_operator.hpp"

namespace isogon {

/// p(A) x for the Chebyshev polynomial of `degree` that is small on [lower, upper], the unwanted part of the spectrum,
/// and grows fastest beyond it; scaled so that it is 1 at `wanted`, outside that interval (Zhou and Saad 2007,
/// algorithm 3.2). `degree` products.
[[nodiscard]] WideVectors chebyshev_filter(const SymmetricOperator& a, WideVectors x, int degree, double lower,
                                           double upper, double wanted, const RunContext& context);

/// A bound above every eigenvalue's magnitude, by some steps of Lanczos and the last one's residual (Zhou and Li,
/// "Bounding the spectrum of large Hermitian matrices", Linear Algebra and its Applications 2011).
[[nodiscard]] double spectral_bound(const SymmetricOperator& a, std::uint64_t seed, const RunContext& context);

}  // namespace isogon
