#pragma once
#include <array>
#include <cstddef>

#include "isogon/linalg/panel_product.hpp"

namespace isogon {

/// Sums for each of 48 rows.
struct ViolationSums {
    alignas(64) std::array<double, panel_width> squares{};  ///< of the entries above zero
    alignas(64) std::array<double, panel_width> counts{};
};

/// squares(i) += sum over j of max(0, latent(i, j))^2, and counts(i) += the number of entries above zero, for a tile
/// of 48 x 48 numbers with entry (i, j) at j * 48 + i, 64-byte aligned.
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
