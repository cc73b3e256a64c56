#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "reference/quality.hpp"

/// The rule of analogies in float64, point by point.
namespace isogon::reference {

/// How near point j is to b/|b| - a/|a| + c/|c|: the cosine, times the length of that sum.
double nearness_to_analogy(const Points& p, const std::array<Index, 3>& terms, Index j);

/// The nearest of the candidates that is none of the terms; none if there is no such candidate.
std::optional<Index> analogy(const Points& p, const std::array<Index, 3>& terms, const std::vector<Index>& candidates);

}  // namespace isogon::reference
