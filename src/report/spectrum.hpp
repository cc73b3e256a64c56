#pragma once
#include <optional>
#include <string>
#include <vector>

#include "isogon/core/points.hpp"
#include "isogon/core/run_context.hpp"
#include "isogon/core/summary.hpp"

namespace isogon {

/// Numbers that tell how many dimensions there are.
struct Spectrum {
    std::string name{};
    std::vector<double> values{};
};

/// The eigenvalues that a method measured on its way ("eigenvalue_0", ... or "spectrum_0", ...), if it did and they
/// descend: those of methods that take the smallest ones do not tell how strong a dimension is.
[[nodiscard]] std::optional<Spectrum> measured_spectrum(const Summary& summary);

/// The eigenvalues of G, the matrix of the products of all coordinates, descending: squared singular values. O(n d^2).
[[nodiscard]] Spectrum product_spectrum(const PointsView& coordinates, const RunContext& context);

/// Variances of coordinates along their principal axes, descending. O(n d^2).
[[nodiscard]] std::vector<double> axis_variances(const PointsView& coordinates, const RunContext& context);

}  // namespace isogon
