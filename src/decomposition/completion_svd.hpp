#pragma once
#include "decomposition/completion.hpp"

namespace isogon {

/// An orthonormal basis of the columns of v (Loewdin's, twice); directions shorter than 1e-7 of the longest leave zero
/// columns. O(n r^2) time.
[[nodiscard]] WideVectors orthonormal_columns(const WideVectors& v, const RunContext& context);

struct CompletionSvd {
    ReluFactors factors;  ///< W orthonormal times singular values, H^T orthonormal; `rank` columns
    WideVectors right;    ///< rank + guard columns, for the next one to begin at
};

struct CompletionSvdOptions {
    Index rank = 1;
    double tolerance = 1e-7;  ///< on the share of |L|^2 by which a round still changes it
    int most_rounds = 40;     ///< of two products with Z each
};

/// The best approximation of Z of that rank, by subspace iteration with Rayleigh-Ritz from `start` (n x some columns).
/// The first round already is at least as near to Z as any L whose rows lie in the span of `start`. Throws
/// Interruption.
[[nodiscard]] CompletionSvd completion_svd(const Completion& z, const WideVectors& start,
                                           const CompletionSvdOptions& options, const RunContext& context);

/// `block` and `guard` random columns beside it: what a first start lacks.
[[nodiscard]] WideVectors with_guard(const WideVectors& block, Index guard, std::uint64_t seed);

}  // namespace isogon
