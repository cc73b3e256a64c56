#pragma once
#include <array>
#include <cstddef>
#include <span>

#include "isogon/core/points.hpp"
#include "linalg/packed_points.hpp"

namespace isogon {

/// One row of the active set, and the vectors v_j of all columns, one after the other, `rank` numbers each, a multiple
/// of 8.
struct ActiveRow {
    std::span<const Index> columns;
    const double* vectors = nullptr;
    std::size_t rank = 0;

    [[nodiscard]] const double* vector(Index j) const { return vectors + j * rank; }
};

/// The targets of w . v_j: the entries of S on its support, 0 elsewhere. Both lists of columns ascend; the support is
/// a subset of the columns of the active row.
struct SupportRow {
    std::span<const Index> columns;
    std::span<const double> values;
};

/// gradient += sum_j residual_j v_j, with residual_j = s_j - w . v_j. Returns the sum of squared residuals.
double residual_row(const ActiveRow& row, const SupportRow& support, const double* w, double* gradient);

/// out += sum_j d_j v_j, with d_j = p . v_j + w . q_j, the change of w . v_j to first order along (p, q). The q_j lie
/// as the v_j do.
void normal_row(const ActiveRow& row, const double* w, const double* p, const double* q, double* out);

/// gram += sum_j v_j v_j^T, its lower triangle at least; row-major, rank x rank.
void gram_row(const ActiveRow& row, double* gram);

/// Sums for each of 48 rows.
struct ViolationSums {
    alignas(64) std::array<double, panel_width> squares{};  ///< squares of the entries above zero
    alignas(64) std::array<double, panel_width> counts{};
};

/// squares(i) += sum over j of max(0, latent(i, j))^2, and counts(i) += the number of entries above zero, for a tile of
/// 48 x 48 numbers with entry (i, j) at j * 48 + i, 64-byte aligned.
void add_violations(const double* latent, ViolationSums& sums);

/// Step lengths of the line search; the first is no step.
inline constexpr std::array<double, 5> step_lengths{0.0, 1.0, 0.5, 0.25, 0.125};

/// For each step length, a sum for each of 48 rows: entry (t, i) at t * 48 + i.
struct LineSums {
    alignas(64) std::array<double, step_lengths.size() * panel_width> values{};

    double& at(std::size_t t, std::size_t i) { return values[t * panel_width + i]; }
};

/// sums(t, i) += sum over j of max(0, latent(i, j) + step_t change(i, j))^2, for tiles of 48 x 48 numbers with entry
/// (i, j) at j * 48 + i, 64-byte aligned.
void add_violations_along(const double* latent, const double* change, LineSums& sums);

}  // namespace isogon
