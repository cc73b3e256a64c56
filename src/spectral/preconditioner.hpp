#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// Turns residuals into directions in which a block of approximate eigenvectors should move.
class Preconditioner {
public:
    Preconditioner() = default;
    Preconditioner(const Preconditioner&) = delete;
    Preconditioner& operator=(const Preconditioner&) = delete;
    virtual ~Preconditioner() = default;

    /// In place; columns come with length 1.
    virtual void apply(WideVectors& residuals, const RunContext& context) const = 0;
};

}  // namespace isogon
