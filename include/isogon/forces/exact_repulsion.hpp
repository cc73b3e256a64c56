#pragma once
#include "isogon/forces/repulsion.hpp"

namespace isogon {

/// Every pair looked at, in any number of dimensions: n^2 (2 d + 2) multiplications and n^2 divisions, no memory. What
/// serves some thousand points, and what the other schemes are measured by.
class ExactRepulsion final : public Repulsion {
public:
    double repel(const WideVectors& y, WideVectors& pushes, const RunContext& context) override;
};

}  // namespace isogon
