#pragma once
#include <optional>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/panel_cholesky.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// The Cholesky factor of a positive definite matrix of some thousand rows, in the matrix's own memory:
/// factor_cholesky() for what does not fit a cache, on all threads. Float32: not the last word on a solution, but what
/// brings an iterative one there in a few steps. n^3 / 3 operations, most of them in the panel product, 2 n^2 bytes.
class DenseFactor {
public:
    /// Takes the lower triangle; empty if a pivot is not positive in float32. Rows past the size are taken for those of
    /// the identity. Throws Interruption.
    [[nodiscard]] static std::optional<DenseFactor> make(PanelMatrix&& matrix, const RunContext& context);

    /// x := A^-1 x for every column, to float32's rounding times the condition number. 2 n^2 operations a column.
    void solve(WideVectors& x, const RunContext& context) const;

private:
    explicit DenseFactor(PanelMatrix&& factor) : factor_(std::move(factor)) {}

    PanelMatrix factor_;  ///< L, with the inverses of its diagonal tiles in their places
};

}  // namespace isogon
