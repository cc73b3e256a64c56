#pragma once
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

/// A symmetric n x n operator, given by its products with blocks of vectors in one precision. The matrix may be dense,
/// sparse, low-rank, a product that is never formed, or distributed. This is all that a solver sees of a matrix.
template <class T>
class LinearOperator {
public:
    LinearOperator() = default;
    LinearOperator(const LinearOperator&) = delete;
    LinearOperator& operator=(const LinearOperator&) = delete;
    virtual ~LinearOperator() = default;

    /// n.
    [[nodiscard]] virtual Index size() const = 0;
    /// out = A in, n x k each, for any k; `out` has the shape of `in` and arbitrary contents before the call. The same
    /// bits for any number of threads.
    virtual void apply(const MultiVector<T>& in, MultiVector<T>& out, const RunContext& context) const = 0;
};

}  // namespace isogon
