#pragma once
#include <cstddef>
#include <span>

#include "isogon/core/types.hpp"

namespace isogon {

/// out[c] += sum over k of weights[k] row_k[c] for all c below `stride`, where row_k is rows[k] - first of the rows
/// that lie at `in`, `stride` numbers each: a weighted sum of some rows of a dense matrix, added to another row. Sums
/// go in the order of k, in registers, so that a row that takes many is read and written once. `stride` is a multiple
/// of 8.
void add_rows(std::span<const Index> rows, std::span<const double> weights, Index first, const double* in,
              std::size_t stride, double* out);

}  // namespace isogon
