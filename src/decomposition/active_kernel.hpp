#pragma once
#include <cstddef>
#include <span>

#include "isogon/core/types.hpp"

namespace isogon {

/// One row of the active set. Its vectors are stored one after the other, `rank` numbers each, a multiple of 8.
struct ActiveRow {
    std::span<const Index> columns;
    std::size_t rank = 0;
};

/// The targets of w . v_j: the entries of S on its support, 0 elsewhere. Both lists of columns ascend; the support is
/// a subset of the columns of the active row.
struct SupportRow {
    std::span<const Index> columns;
    std::span<const double> values;
};

/// With residual_j = s_j - w . v_j: gradient += sum_j residual_j v_j. Returns the sum of squared residuals.
double residual_row(const ActiveRow& row, const SupportRow& support, const double* w, const double* v,
                    double* gradient);

/// With d_j = p . v_j + w . q_j, the change of w . v_j to first order along (p, q): out += sum_j d_j v_j.
void normal_row(const ActiveRow& row, const double* w, const double* v, const double* p, const double* q, double* out);

/// gram += sum_j v_j v_j^T, its lower triangle at least; row-major, rank x rank.
void gram_row(const ActiveRow& row, const double* v, double* gram);

}  // namespace isogon
