#pragma once
#include <cstddef>
#include <vector>

#include "isogon/core/run_context.hpp"
#include "isogon/linalg/multi_vector.hpp"

namespace isogon {

/// Of dot(). Large enough to amortise the start of a task: 16,000 numbers of 16 columns.
inline constexpr std::size_t dot_rows_in_block = 1024;

/// The terms of dot(): the sums over blocks of so many rows, in their order.
[[nodiscard]] std::vector<double> dots_of_blocks(const MultiVector<float>& a, const MultiVector<float>& b,
                                                 const RunContext& context);

}  // namespace isogon
