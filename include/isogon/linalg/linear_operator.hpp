#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/block_vectors.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// A symmetric n x n matrix that is known by what it does to vectors. Solvers see nothing else, so a matrix may be
/// dense, sparse, low-rank, a product that is never formed, or spread over machines.
class LinearOperator {
public:
    LinearOperator() = default;
    LinearOperator(const LinearOperator&) = delete;
    LinearOperator& operator=(const LinearOperator&) = delete;
    virtual ~LinearOperator() = default;

    [[nodiscard]] virtual Index size() const = 0;
    /// out = A in; `out` has the shape of `in` and arbitrary contents before the call.
    virtual void apply(const BlockVectors& in, BlockVectors& out, const RunContext& context) const = 0;
};

/// A symmetric n x n matrix known by what it does to vectors of float64: LinearOperator's wide twin.
class SymmetricOperator {
public:
    SymmetricOperator() = default;
    SymmetricOperator(const SymmetricOperator&) = delete;
    SymmetricOperator& operator=(const SymmetricOperator&) = delete;
    virtual ~SymmetricOperator() = default;

    [[nodiscard]] virtual Index size() const = 0;
    /// out = A in; `out` has the shape of `in` and arbitrary contents before the call. The same bits for any number of
    /// threads.
    virtual void apply(const WideVectors& in, WideVectors& out, const RunContext& context) const = 0;
};

}  // namespace isogon
