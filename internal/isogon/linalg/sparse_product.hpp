#pragma once
#include "isogon/core/csr_matrix.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

/// out := A in for a sparse A: each row of `out` is a sum of rows of `in`, in float32, in the order of A's columns.
/// `in` has as many rows as A has columns, `out` as many rows as A and the columns of `in`. O(entries columns).
void multiply(const CsrMatrix<float>& a, const MultiVector<float>& in, MultiVector<float>& out,
              const RunContext& context);
/// The same in float64.
void multiply(const CsrMatrix<double>& a, const MultiVector<double>& in, MultiVector<double>& out,
              const RunContext& context);

}  // namespace isogon
