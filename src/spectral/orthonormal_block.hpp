#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/symmetric_operator.hpp"

namespace isogon {

/// Vectors and what B makes of them; `image` is empty where B is the identity.
struct BlockWithImage {
    WideVectors vectors{};
    WideVectors image{};
    [[nodiscard]] const WideVectors& through_b() const { return image.columns > 0 ? image : vectors; }
};

/// Makes the columns of `w` B-orthonormal, and orthogonal to those of `against`, which are B-orthonormal already.
/// Columns that depend on the others up to rounding are dropped. b null: the identity.
[[nodiscard]] BlockWithImage orthonormal_to(const std::vector<const BlockWithImage*>& against, const WideVectors& w,
                                            const SymmetricOperator* b, const RunContext& context);

}  // namespace isogon
