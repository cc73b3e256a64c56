#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/block_vectors.hpp"
#include "isogon/linalg/wide_vectors.hpp"

namespace isogon {

/// A symmetric n x n operator on blocks of float32 vectors, given by its products. The matrix may be dense, sparse,
/// low-rank, a product that is never formed, or distributed.
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

/// The same on blocks of float64 vectors.
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
