#pragma once
#include <cstddef>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "linalg/multi_vector.hpp"

namespace isogon {

/// Rows in a block of dot(). Large enough to amortise the start of a task: 16,000 numbers of 16 columns.
inline constexpr std::size_t dot_rows_in_block = 1024;

/// The terms of dot(): the sums over blocks of so many rows, in their order.
[[nodiscard]] std::vector<double> dots_of_blocks(const MultiVector<float>& a, const MultiVector<float>& b,
                                                 const RunContext& context);

/// b += factor a, and then the terms of dot(b, c), in one look at b.
[[nodiscard]] std::vector<double> axpy_dots_of_blocks(double factor, const MultiVector<float>& a, MultiVector<float>& b,
                                                      const MultiVector<float>& c, const RunContext& context);

}  // namespace isogon
