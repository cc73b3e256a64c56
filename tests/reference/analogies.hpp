#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "reference/quality.hpp"

/// The rule of analogies in float64, point by point.
namespace isogon::reference {

/// How near point j is to b/|b| - a/|a| + c/|c|: the cosine, times the length of that sum.
inline double nearness_to_analogy(const Points& p, const std::array<Index, 3>& terms, Index j) {
    return cosine(p, terms[1], j) - cosine(p, terms[0], j) + cosine(p, terms[2], j);
}

/// The nearest of the candidates that is none of the terms; none if there is no such candidate.
inline std::optional<Index> analogy(const Points& p, const std::array<Index, 3>& terms,
                                    const std::vector<Index>& candidates) {
    std::optional<Index> best;
    for (const Index j : candidates) {
        const bool term = std::find(terms.begin(), terms.end(), j) != terms.end();
        if (!term && (!best || nearness_to_analogy(p, terms, j) > nearness_to_analogy(p, terms, *best))) {
            best = j;
        }
    }
    return best;
}

}  // namespace isogon::reference
